import type { Outbox } from '../composer/use-outbox.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { userBubble } from './user-message.tsx';

/** Messages that the server has not confirmed yet. */
export const OutboxMessages = ({ outbox }: { readonly outbox: Outbox }) => {
  const t = useText();
  return outbox.messages.map((message) => (
    <div key={message.key} className="mt-6 flex flex-col items-end gap-1.5" data-outbox={message.state.kind}>
      <div className={`${userBubble} opacity-70`}>{message.text}</div>
      {message.state.kind === 'failed' ? (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p role="alert" className="text-[13px] text-danger">
            {t('notSent', { message: message.state.reason })}
          </p>
          <Button size="sm" onClick={() => outbox.retry(message.key)}>
            {t('retry')}
          </Button>
          <Button size="sm" variant="quiet" onClick={() => outbox.edit(message.key)}>
            {t('edit')}
          </Button>
        </div>
      ) : (
        <p className="animate-late text-[13px] text-ink-faint">{t('sending')}</p>
      )}
    </div>
  ));
};
