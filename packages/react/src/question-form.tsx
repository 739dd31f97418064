import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { answersOf, choose, noAnswer, type QuestionDraft, say } from '@turnkeeper/client/view/question-answers';
import type { Question } from '@turnkeeper/core/session/events';
import { type FormEvent, useId, useState } from 'react';
import { useClient } from './client-context.ts';
import { useChatText } from './text-context.ts';
import type { Answering } from './use-answering.ts';

type FieldProps = { readonly question: Question; readonly draft: QuestionDraft; readonly onChange: (draft: QuestionDraft) => void };

const QuestionField = ({ question, draft, onChange }: FieldProps) => {
  const t = useChatText();
  const name = useId();
  return (
    <fieldset className="tk-question">
      <legend>{question.question}</legend>
      {question.options.map(({ label, description }) => (
        <label key={label} className="tk-option">
          <input
            type={question.multi_select ? 'checkbox' : 'radio'}
            name={name}
            checked={draft.chosen.includes(label)}
            onChange={(event) => onChange(choose(question, draft, label, event.target.checked))}
          />
          <span>
            {label}
            {description === '' ? null : <small>{description}</small>}
          </span>
        </label>
      ))}
      <input
        type="text"
        className="tk-input"
        aria-label={question.options.length > 0 ? `${t('otherWords')}: ${question.question}` : question.question}
        placeholder={t(question.options.length > 0 ? 'otherWords' : 'yourAnswer')}
        value={draft.words}
        onChange={(event) => onChange(say(question, draft, event.target.value))}
      />
    </fieldset>
  );
};

export const QuestionForm = ({ action, answering }: { readonly action: OpenAction; readonly answering: Answering }) => {
  const t = useChatText();
  const { actions } = useClient();
  const [drafts, setDrafts] = useState<{ readonly [header: string]: QuestionDraft }>({});
  const questions = action.questions ?? [];
  const answers = answersOf(questions, drafts);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (answers && !answering.busy) answering.run(() => actions.answer(action, answers));
  };
  return (
    <form onSubmit={submit}>
      {questions.map((question) => (
        <QuestionField
          key={question.header}
          question={question}
          draft={drafts[question.header] ?? noAnswer}
          onChange={(draft) => setDrafts((before) => ({ ...before, [question.header]: draft }))}
        />
      ))}
      <div className="tk-buttons">
        <button type="submit" className="tk-button tk-primary" disabled={answering.busy || answers === undefined}>
          {t(answering.busy ? 'answering' : 'sendAnswer')}
        </button>
      </div>
    </form>
  );
};
