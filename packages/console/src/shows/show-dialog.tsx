import { draftOf, type FormDrafts, valuesOf } from '@turnkeeper/client/view/form-values';
import type { AnswerShowRequest, MinitoolShow } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { X } from 'lucide-react';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { FormFieldInput } from '../actions/form-field.tsx';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAct } from '../ui/use-act.ts';
import { answerOf, type Choice, choicesOf, type DialogContent, dismissalOf, fieldsOf, mainOf } from './dialog-answer.ts';
import { FromMinitool } from './from-minitool.tsx';

type ShowDialogProps = {
  readonly content: DialogContent;
  readonly minitool: MinitoolShow['minitool'];
  /** Rejects where it was not taken. */
  readonly onAnswer: (answer: AnswerShowRequest) => Promise<void>;
  readonly onUnwanted: () => void;
  /** Nothing more of this mini-tool; undefined = not yet offered. */
  readonly onHush: (() => void) | undefined;
};

/** It comes unasked: whoever was about to click or type something else must not answer by that. */
const readingMs = 600;
const useWasRead = (): boolean => {
  const [wasRead, setWasRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWasRead(true), readingMs);
    return () => clearTimeout(timer);
  }, []);
  return wasRead;
};

/** Whoever was typing goes on where they were. */
const useFocusBack = (): void => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
};

/** Its words. The focus begins here, on nothing that could be pressed. */
const Words = ({ content, minitool, onDismiss }: Pick<ShowDialogProps, 'content' | 'minitool'> & { readonly onDismiss: (() => void) | undefined }) => {
  const t = useText();
  const { title, description, message } = content;
  return (
    <div ref={(words) => words?.setAttribute('autofocus', '')} tabIndex={-1} className="flex flex-col gap-2 outline-none">
      <div className="-mt-2 -mr-2 flex items-center justify-between gap-2">
        <FromMinitool minitool={minitool} />
        <IconButton label={t('dismissShow')} disabled={onDismiss === undefined} onClick={onDismiss}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <h2 dir="auto" className="text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
        {title}
      </h2>
      {description === null ? null : (
        <p dir="auto" className="text-sm whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
          {description}
        </p>
      )}
      {message === null ? null : (
        <p dir="auto" className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {message}
        </p>
      )}
    </div>
  );
};

const looks = { primary: 'primary', secondary: 'secondary', danger: 'final' } as const;

type ChoicesProps = {
  readonly content: DialogContent;
  readonly choices: readonly Choice[];
  readonly isOff: (choice: Choice) => boolean;
  readonly onChoose: (choice: Choice) => void;
};

const Choices = ({ content, choices, isOff, onChoose }: ChoicesProps) => {
  const t = useText();
  const main = mainOf(choices);
  const own = content.kind === 'modal' ? t('showOk') : t('showConfirm');
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {choices.map((choice) => (
        <Button
          key={choice.id}
          type={choice === main ? 'submit' : 'button'}
          variant={looks[choice.variant]}
          className="max-w-full max-sm:h-12 max-sm:flex-1"
          disabled={isOff(choice)}
          {...(choice === main ? {} : { onClick: () => onChoose(choice) })}
        >
          <span dir="auto" className="truncate">
            {choice.label ?? (choice.variant === 'secondary' ? t('cancel') : own)}
          </span>
        </Button>
      ))}
    </div>
  );
};

const Hush = ({ onHush }: { readonly onHush: () => void }) => {
  const t = useText();
  return (
    <div className="border-t border-line pt-3 text-[13px] text-ink-faint">
      <Button size="sm" variant="quiet" className="-ml-3" onClick={onHush}>
        {t('hushMinitool')}
      </Button>
      <p>{t('hushMinitoolHint')}</p>
    </div>
  );
};

/** A dialog of a mini-tool: its texts as text, under its name. */
export const ShowDialog = ({ content, minitool, onAnswer, onUnwanted, onHush }: ShowDialogProps) => {
  const t = useText();
  const { busy, fault, act } = useAct();
  const wasRead = useWasRead();
  useFocusBack();
  const fields = useMemo(() => fieldsOf(content), [content]);
  const [drafts, setDrafts] = useState<FormDrafts>({});
  const values = valuesOf(fields, drafts);
  const choices = choicesOf(content);
  const dismiss = (): void => {
    onUnwanted();
    // A browser closes what is told to close twice, read or not: then others may answer it.
    if (wasRead) void onAnswer(dismissalOf(content)).catch(() => {});
  };
  const isOff = (choice: Choice): boolean => !wasRead || busy || answerOf(content, choice, values) === undefined;
  const choose = (choice: Choice): void => {
    const answer = answerOf(content, choice, values);
    if (answer && !isOff(choice)) void act(() => onAnswer(answer));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const main = mainOf(choices);
    if (main) choose(main);
  };
  const label = `${t('fromMinitool', minitool)}: ${content.title}`;
  return (
    <Dialog
      open
      closesBeside={false}
      mayClose={wasRead}
      onClose={dismiss}
      label={label}
      className="w-[min(28rem,calc(100vw-1.5rem))] rounded-2xl border border-line"
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 p-5 sm:p-6">
        <Words content={content} minitool={minitool} onDismiss={wasRead ? dismiss : undefined} />
        {fields.map((field) => (
          <FormFieldInput
            key={field.name}
            field={field}
            draft={draftOf(field, drafts)}
            onChange={(draft) => setDrafts((before) => ({ ...before, [field.name]: draft }))}
          />
        ))}
        {fault === undefined ? null : <Notice tone="danger">{t('answerFailed', { message: fault })}</Notice>}
        <Choices content={content} choices={choices} isOff={isOff} onChoose={choose} />
        {onHush === undefined ? null : <Hush onHush={onHush} />}
      </form>
    </Dialog>
  );
};
