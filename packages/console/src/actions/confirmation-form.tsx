import { Pencil, ShieldCheck } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { CodeBox } from '../timeline/tool-output.tsx';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/field.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { ArgumentEditor } from './argument-editor.tsx';
import { parseArguments } from './parse-arguments.ts';
import type { ShownAction } from './shown-action.ts';
import type { Answering } from './use-answer.ts';

type ConfirmationFormProps = {
  readonly name: string;
  readonly action: ShownAction;
  readonly answering: Answering;
  readonly showsInput: boolean;
  readonly keys: boolean | undefined;
  /** Buttons for what else can be done than to answer, like those beside them. */
  readonly besides?: ReactNode;
};

/** Allow, once or for the session, with the arguments as they are or as they were edited; or deny, with a reason. */
const useDecision = ({ action, answering }: Pick<ConfirmationFormProps, 'action' | 'answering'>) => {
  const original = JSON.stringify(action.tool_call?.input ?? {}, null, 2);
  /** Undefined: not edited. */
  const [edited, setEdited] = useState<string>();
  const [reason, setReason] = useState('');
  const parsed = parseArguments(edited ?? original);
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  const mayAllow = !answering.busy && parsed.kind === 'arguments';
  const input = edited === undefined || parsed.kind !== 'arguments' || JSON.stringify(parsed.value, null, 2) === original ? {} : { input: parsed.value };
  return {
    original,
    edited,
    edit: setEdited,
    openEditor: () => setEdited(edited ?? original),
    parsed,
    reason,
    setReason,
    mayAllow,
    allow: (remember: boolean) => {
      if (mayAllow) void answering.answer({ allow: true, ...why, ...input, ...(remember ? { remember: 'session' } : {}) });
    },
    deny: () => {
      if (!answering.busy) void answering.answer({ allow: false, ...why });
    },
  };
};

type Decision = ReturnType<typeof useDecision>;
type Part = { readonly decision: Decision; readonly answering: Answering; readonly keys: boolean | undefined };

/** The key of a button, where the form has keys; `keys`: whether it is the one that they work on now. */
const hintOf = (keys: boolean | undefined, key: string) => (keys === undefined ? null : <KeyHint shown={keys}>{key}</KeyHint>);

type ReasonInputProps = { readonly decision: Decision; readonly keys: boolean | undefined; readonly inputRef: RefObject<HTMLInputElement | null> };

/** Enter denies with what was typed; Escape gives the keys back to the form. */
const ReasonInput = ({ decision, keys, inputRef }: ReasonInputProps) => {
  const t = useText();
  const hasKeyboard = keys === true && matchMedia('(hover: hover)').matches;
  return (
    <TextInput
      ref={inputRef}
      className="h-10! min-w-40 flex-1 max-sm:h-11! max-sm:basis-full"
      aria-label={t('reasonOptional')}
      placeholder={t(hasKeyboard ? 'reasonThenEnter' : 'reasonOptional')}
      value={decision.reason}
      onChange={(event) => decision.setReason(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          decision.deny();
        } else if (event.key === 'Escape') {
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
    />
  );
};

const DecisionButtons = ({ decision, answering, keys, destructive }: Part & { readonly destructive: boolean }) => {
  const t = useText();
  return (
    <>
      <Button className="max-sm:h-12 max-sm:flex-1" disabled={answering.busy} aria-keyshortcuts={keys ? 'N' : undefined} onClick={decision.deny}>
        {t('deny')}
        {hintOf(keys, 'N')}
      </Button>
      <Button
        variant={destructive ? 'final' : 'primary'}
        className="max-sm:h-12 max-sm:flex-1"
        disabled={!decision.mayAllow}
        aria-keyshortcuts={keys ? 'Y' : undefined}
        onClick={() => decision.allow(false)}
      >
        {answering.busy ? t('answering') : t(decision.edited === undefined ? 'approve' : 'approveEdited')}
        {hintOf(keys, 'Y')}
      </Button>
    </>
  );
};

/** What may be done instead: edit the arguments, allow for the whole session, or what else there is; all equal, in one row. */
const OtherWays = ({ decision, answering, keys, canRemember, besides }: Part & { readonly canRemember: boolean; readonly besides: ReactNode }) => {
  const t = useText();
  const quiet = { variant: 'quiet', size: 'sm', className: 'max-sm:h-11' } as const;
  return (
    <div className="-mx-3 -my-1 flex flex-wrap gap-x-1">
      {decision.edited === undefined ? (
        <Button {...quiet} disabled={answering.busy} aria-keyshortcuts={keys ? 'E' : undefined} onClick={decision.openEditor}>
          <Pencil aria-hidden className="size-4" />
          {t('editArguments')}
          {hintOf(keys, 'E')}
        </Button>
      ) : (
        <Button {...quiet} disabled={answering.busy} onClick={() => decision.edit(undefined)}>
          <Pencil aria-hidden className="size-4" />
          {t('resetArguments')}
        </Button>
      )}
      {canRemember ? (
        <Button {...quiet} disabled={!decision.mayAllow} aria-keyshortcuts={keys ? 'A' : undefined} onClick={() => decision.allow(true)}>
          <ShieldCheck aria-hidden className="size-4" />
          {t('approveForSession')}
          {hintOf(keys, 'A')}
        </Button>
      ) : null}
      {besides}
    </div>
  );
};

export const ConfirmationForm = ({ name, action, answering, showsInput, keys, besides }: ConfirmationFormProps) => {
  const t = useText();
  const reasonRef = useRef<HTMLInputElement>(null);
  const decision = useDecision({ action, answering });
  const { original, edited, edit, parsed } = decision;
  const canRemember = action.can_remember === true;
  useKeys(
    {
      y: { text: t('approve'), act: () => decision.allow(false) },
      n: { text: t('deny'), act: () => reasonRef.current?.focus() },
      e: { text: t('editArguments'), act: decision.openEditor },
      a: canRemember ? { text: t('approveForSession'), act: () => decision.allow(true) } : undefined,
    },
    keys === true,
  );
  return (
    <>
      <h2 className="text-[15px] font-semibold break-words">{t('confirmTitle', { name })}</h2>
      {edited !== undefined ? (
        <ArgumentEditor text={edited} parsed={parsed} onChange={edit} onClose={() => edit(undefined)} onSend={() => decision.allow(false)} />
      ) : showsInput ? (
        <CodeBox label={t('toolInput')} text={original} />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <ReasonInput decision={decision} keys={keys} inputRef={reasonRef} />
        <DecisionButtons decision={decision} answering={answering} keys={keys} destructive={action.tool_note?.destructive === true} />
      </div>
      <OtherWays decision={decision} answering={answering} keys={keys} canRemember={canRemember} besides={besides} />
    </>
  );
};
