import { answersOf, choose, noAnswer, type QuestionDraft, say } from '@turnkeeper/client/view/question-answers';
import type { Question } from '@turnkeeper/core/session/events';
import { type FormEvent, useId, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextArea, TextInput } from '../ui/field.tsx';
import type { Answering } from './use-answer.ts';

type QuestionFieldProps = { readonly question: Question; readonly draft: QuestionDraft; readonly onChange: (draft: QuestionDraft) => void };

const QuestionField = ({ question, draft, onChange }: QuestionFieldProps) => {
  const t = useText();
  const name = useId();
  const hasOptions = question.options.length > 0;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-[15px] font-semibold break-words">{question.question}</legend>
      <div className="grid gap-2 sm:grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))]">
        {question.options.map(({ label, description }) => (
          <label
            key={label}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-xl border border-line bg-surface px-3.5 py-2.5 transition-colors duration-150 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type={question.multi_select ? 'checkbox' : 'radio'}
              name={name}
              checked={draft.chosen.includes(label)}
              onChange={(event) => onChange(choose(question, draft, label, event.target.checked))}
              className="mt-1 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 text-sm leading-6 break-words">
              {label}
              {description === '' ? null : <span className="block text-[13px] leading-snug text-ink-soft">{description}</span>}
            </span>
          </label>
        ))}
      </div>
      {hasOptions ? (
        <TextInput
          aria-label={t('otherAnswer', { question: question.question })}
          placeholder={t('otherAnswerPlaceholder')}
          value={draft.words}
          onChange={(event) => onChange(say(question, draft, event.target.value))}
        />
      ) : (
        <TextArea
          rows={2}
          aria-label={question.question}
          placeholder={t('answerPlaceholder')}
          value={draft.words}
          onChange={(event) => onChange(say(question, draft, event.target.value))}
        />
      )}
    </fieldset>
  );
};

export const QuestionForm = ({ questions, answering }: { readonly questions: readonly Question[]; readonly answering: Answering }) => {
  const t = useText();
  const [drafts, setDrafts] = useState<{ readonly [header: string]: QuestionDraft }>({});
  const answers = answersOf(questions, drafts);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (answers && !answering.busy) void answering.answer({ answers });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {questions.map((question) => (
        <QuestionField
          key={question.header}
          question={question}
          draft={drafts[question.header] ?? noAnswer}
          onChange={(draft) => setDrafts((before) => ({ ...before, [question.header]: draft }))}
        />
      ))}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" className="max-sm:h-12 max-sm:flex-1" disabled={answering.busy || answers === undefined}>
          {answering.busy ? t('answering') : t('sendAnswer')}
        </Button>
      </div>
    </form>
  );
};
