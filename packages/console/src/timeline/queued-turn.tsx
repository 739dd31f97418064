import { freshKey } from '@turnkeeper/client/fresh-key';
import { Clock, X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { type QueuePlace, queueReason } from './queue-reason.ts';

type QueuedTurnProps = QueuePlace & { readonly sessionId: string };

export const QueuedTurn = (props: QueuedTurnProps) => {
  const { sessionId, turn } = props;
  const t = useText();
  const locale = useLocale();
  const { turns } = useClient();
  const [removing, setRemoving] = useState(false);
  const remove = (): void => {
    setRemoving(true);
    turns.cancel(sessionId, turn.turn_id, { idempotencyKey: freshKey('cancel') }).catch(() => setRemoving(false));
  };
  return (
    <div className="flex animate-rise flex-col items-end gap-1.5" data-turn-status="queued">
      <div className="flex max-w-[88%] items-start gap-1 sm:max-w-[80%]">
        <IconButton label={t('removeQueued')} disabled={removing} onClick={remove}>
          <X aria-hidden className="size-4" />
        </IconButton>
        <div className="min-w-0 rounded-2xl rounded-br-md border border-dashed border-line-strong px-4 py-2.5 break-words whitespace-pre-wrap text-ink-soft">
          {turn.preview}
        </div>
      </div>
      <p className="flex items-center gap-1.5 text-[13px] text-ink-faint">
        <Clock aria-hidden className="size-3.5" />
        {t('queued')} · {queueReason(props, locale, t)}
      </p>
    </div>
  );
};
