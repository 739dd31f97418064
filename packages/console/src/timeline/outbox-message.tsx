import type { SendingMessage } from '@turnkeeper/react/outbox';
import { Paperclip } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { useTurnActs } from './turn-acts-context.ts';
import { userBubble } from './user-message.tsx';

/** A message that the server has not confirmed yet. */
export const OutboxMessage = ({ message }: { readonly message: SendingMessage }) => {
  const t = useText();
  const acts = useTurnActs();
  const { key, text, files, steers, state } = message;
  return (
    <div className="flex flex-col items-end gap-1.5" data-outbox={state.kind}>
      {text === '' ? null : <div className={`${userBubble} opacity-70`}>{text}</div>}
      {files.map(({ fileId, name }) => (
        <span key={fileId} className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-3 py-1 text-[13px] text-ink-faint">
          <Paperclip aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">{name}</span>
        </span>
      ))}
      {state.kind === 'failed' ? (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p role="alert" className="text-[13px] text-danger">
            {t('notSent', { message: state.reason })}
          </p>
          <Button size="sm" onClick={() => acts?.retry(key)}>
            {t('retry')}
          </Button>
          <Button size="sm" variant="quiet" onClick={() => acts?.edit(key)}>
            {t('edit')}
          </Button>
        </div>
      ) : (
        <p className="animate-late text-[13px] text-ink-faint">{steers ? t('steerSending') : t('sending')}</p>
      )}
    </div>
  );
};
