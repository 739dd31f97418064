import type { ActionBody } from '@turnkeeper/core/view/action';
import { formatTime } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { ConfirmationForm } from './confirmation-form.tsx';
import { ExternalForm } from './external-form.tsx';
import { ReconciliationForm } from './reconciliation-form.tsx';
import { type Answering, useAnswer } from './use-answer.ts';

const FormOfKind = ({ action, answering }: { readonly action: ActionBody; readonly answering: Answering }) => {
  const t = useText();
  const name = action.tool_call?.name ?? action.prompt ?? action.kind;
  switch (action.kind) {
    case 'confirmation':
      return <ConfirmationForm name={name} answering={answering} />;
    case 'external_execution':
      return <ExternalForm name={name} answering={answering} />;
    case 'reconciliation':
      return <ReconciliationForm name={name} answering={answering} />;
    case 'approval':
    case 'question':
    case 'form':
    case 'signal':
      return <p className="text-sm">{t('otherAction', { kind: action.kind })}</p>;
  }
};

/** What a turn waits for, and the ways to answer it. */
export const ActionForm = ({ sessionId, action }: { readonly sessionId: string; readonly action: ActionBody }) => {
  const t = useText();
  const locale = useLocale();
  const answering = useAnswer(sessionId, action);
  return (
    <div className="flex flex-col gap-3" data-action={action.kind}>
      <FormOfKind action={action} answering={answering} />
      {action.expires_at === undefined ? null : <p className="text-[13px] text-ink-faint">{t('expiresAt', { time: formatTime(action.expires_at, locale) })}</p>}
      {answering.fault === undefined ? null : (
        <p role="alert" className="text-[13px] text-danger">
          {t('answerFailed', { message: answering.fault })}
        </p>
      )}
    </div>
  );
};
