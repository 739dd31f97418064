import type { ReactNode } from 'react';
import { useSessionAccess } from '../auth/session-access-context.ts';
import { useNameOf } from '../directory/directory-context.ts';
import { useText } from '../i18n/use-text.ts';
import { ApprovalForm } from './approval-form.tsx';
import { ConfirmationForm } from './confirmation-form.tsx';
import { Countdown } from './countdown.tsx';
import { ExternalForm } from './external-form.tsx';
import { FillInForm } from './fill-in-form.tsx';
import { QuestionForm } from './question-form.tsx';
import { ReconciliationForm } from './reconciliation-form.tsx';
import { resolutionText } from './resolution.ts';
import type { ShownAction } from './shown-action.ts';
import { SignalForm } from './signal-form.tsx';
import { ToolFactsLines } from './tool-facts.tsx';
import { type AnswerFault, type Answering, useAnswer } from './use-answer.ts';

export type ActionFormProps = {
  readonly sessionId: string;
  readonly action: ShownAction;
  /** The arguments stand nowhere else on the page. */
  readonly showsInput?: boolean;
  /** Whether single keys answer it: it is the one that is looked at. Undefined where no keys do. */
  readonly keys?: boolean;
  readonly onAnswered?: () => void;
  /** Buttons for what else can be done than to answer: quiet, small ones. */
  readonly besides?: ReactNode;
};

type FormOfKindProps = Pick<ActionFormProps, 'action' | 'showsInput' | 'keys' | 'besides'> & { readonly answering: Answering };

const FormOfKind = ({ action, answering, showsInput = false, keys, besides }: FormOfKindProps) => {
  const t = useText();
  const { mayAnswer } = useSessionAccess();
  const name = action.tool_call?.name ?? action.prompt ?? action.kind;
  if (!mayAnswer(action)) return <p className="text-sm">{t('waitsForOthers', { name })}</p>;
  switch (action.kind) {
    case 'confirmation':
      return <ConfirmationForm name={name} action={action} answering={answering} showsInput={showsInput} keys={keys} besides={besides} />;
    case 'external_execution':
      return <ExternalForm name={name} input={showsInput ? action.tool_call?.input : undefined} answering={answering} />;
    case 'question':
      return <QuestionForm questions={action.questions ?? []} answering={answering} />;
    case 'reconciliation':
      return <ReconciliationForm name={name} input={showsInput ? action.tool_call?.input : undefined} answering={answering} />;
    case 'approval':
      return <ApprovalForm prompt={action.prompt ?? name} answering={answering} keys={keys} />;
    case 'form':
      return <FillInForm form={action.form ?? { title: name, schema: {} }} answering={answering} />;
    case 'signal':
      return <SignalForm name={action.signal_name ?? name} answering={answering} />;
  }
};

const FaultLine = ({ fault }: { readonly fault: AnswerFault }) => {
  const t = useText();
  const nameOf = useNameOf(fault.kind === 'too_late');
  const message = fault.kind === 'too_late' ? resolutionText(fault.resolution, nameOf, t) : fault.message;
  return (
    <p role="alert" className="text-[13px] text-danger">
      {t('answerFailed', { message })}
    </p>
  );
};

const FormOfAction = ({ sessionId, action, showsInput, keys, onAnswered, besides }: ActionFormProps) => {
  const answering = useAnswer(sessionId, action, onAnswered);
  const { mayAnswer } = useSessionAccess();
  // A confirmation has such buttons of its own, and they stand in one row.
  const below = action.kind === 'confirmation' && mayAnswer(action) ? undefined : besides;
  return (
    <div className="flex flex-col gap-3" data-action={action.kind}>
      <ToolFactsLines action={action} />
      <FormOfKind action={action} answering={answering} besides={besides} {...(showsInput ? { showsInput } : {})} {...(keys === undefined ? {} : { keys })} />
      {action.expires_at === undefined && below === undefined ? null : (
        <div className="flex items-center justify-between gap-2">
          {below === undefined ? null : <div className="-ml-3 flex flex-wrap gap-x-1">{below}</div>}
          {action.expires_at === undefined ? null : <Countdown until={action.expires_at} />}
        </div>
      )}
      {answering.fault === undefined ? null : <FaultLine fault={answering.fault} />}
    </div>
  );
};

/**
 * What a turn waits for, and the ways to answer it. A call that was allowed may wait for its result at once, in the same
 * place: that is another action, and nothing of the answer to the first one holds for it.
 */
export const ActionForm = (props: ActionFormProps) => <FormOfAction key={props.action.request_id} {...props} />;
