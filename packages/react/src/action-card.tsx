import type { ActionCalls, OpenAction } from '@turnkeeper/client/calls/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { type ReactNode, useId, useMemo } from 'react';
import { useClient } from './client-context.ts';
import { FillInForm } from './fill-in-form.tsx';
import { QuestionForm } from './question-form.tsx';
import { useChatText } from './text-context.ts';
import type { ChatText } from './texts.ts';
import { ToolFactsLines } from './tool-facts.tsx';
import { useAccess } from './use-access.ts';
import { type Answering, useAnswering } from './use-answering.ts';

type Part = { readonly action: OpenAction; readonly answering: Answering };

type DecisionProps = Part & {
  readonly no: string;
  readonly onYes: (calls: ActionCalls) => Promise<unknown>;
  readonly onNo: (calls: ActionCalls) => Promise<unknown>;
};

const Decision = ({ action, answering, no, onYes, onNo }: DecisionProps) => {
  const t = useChatText();
  const { actions } = useClient();
  return (
    <div className="tk-buttons">
      <button type="button" className="tk-button" disabled={answering.busy} onClick={() => answering.run(() => onNo(actions))}>
        {no}
      </button>
      <button
        type="button"
        className={`tk-button ${action.tool_note?.destructive ? 'tk-final' : 'tk-primary'}`}
        disabled={answering.busy}
        onClick={() => answering.run(() => onYes(actions))}
      >
        {t(answering.busy ? 'answering' : 'approve')}
      </button>
    </div>
  );
};

const hasInput = ({ tool_call }: ActionBody): boolean => tool_call !== undefined && Object.keys(tool_call.input).length > 0;

/** What kind of answer it wants; undefined where none is given in a chat: signals and tools are for programs. */
const formOf = (part: Part, t: ChatText): ReactNode | undefined => {
  const { action } = part;
  switch (action.kind) {
    case 'confirmation':
      return <Decision {...part} no={t('deny')} onYes={(calls) => calls.confirm(action)} onNo={(calls) => calls.deny(action)} />;
    case 'approval':
      return <Decision {...part} no={t('reject')} onYes={(calls) => calls.approve(action)} onNo={(calls) => calls.reject(action)} />;
    case 'question':
      return <QuestionForm {...part} />;
    case 'form':
      return <FillInForm {...part} />;
    case 'external_execution':
    case 'signal':
    case 'reconciliation':
      return undefined;
  }
};

const titleOf = (action: ActionBody, t: ChatText): string => {
  if (action.kind === 'confirmation') return t('mayRun', { name: action.tool_call?.name ?? '' });
  return action.form?.title ?? action.prompt ?? t('waitsForYou');
};

/** One open action: with what answers it where the token may, and else with the word that somebody else does. */
export const ActionCard = ({ sessionId, action }: { readonly sessionId: string; readonly action: ActionBody }) => {
  const t = useChatText();
  const title = useId();
  const { mayAnswer } = useAccess();
  const answering = useAnswering();
  const open = useMemo(() => ({ ...action, session_id: sessionId }), [action, sessionId]);
  const form = mayAnswer(action) ? formOf({ action: open, answering }, t) : undefined;
  if (action.kind === 'external_execution' || action.kind === 'signal') return <p className="tk-note">{t('waitsElsewhere')}</p>;
  return (
    <section className="tk-card" aria-labelledby={title} data-action={action.kind}>
      {/* A question says itself what is asked, in the legend of its field. */}
      <p id={title} className={action.kind === 'question' && form !== undefined ? 'tk-hidden' : 'tk-card-title'}>
        {titleOf(action, t)}
      </p>
      <ToolFactsLines action={action} />
      {hasInput(action) && (action.kind === 'confirmation' || action.kind === 'approval') ? (
        <details>
          <summary>{t('showInput')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keyboard */}
          <pre tabIndex={0}>{JSON.stringify(action.tool_call?.input, null, 2)}</pre>
        </details>
      ) : null}
      {form ?? <p className="tk-soft">{t('waitsElsewhere')}</p>}
      {answering.fault === undefined ? null : (
        <p className="tk-fault" role="alert">
          {answering.fault === 'too_late' ? t('alreadyAnswered') : answering.fault.reason}
        </p>
      )}
    </section>
  );
};
