import { freshKey } from '@turnkeeper/client/fresh-key';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { Clock, X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { formatTime } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { type Text, useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';

type QueuedTurnProps = {
  readonly sessionId: string;
  readonly turn: TurnBody;
  /** Its place among those that wait, from 0. */
  readonly position: number;
  /** The turn that holds the queue: this one itself when nothing else does. */
  readonly live: TurnBody | undefined;
};

/** Why a turn has not begun yet. */
export const queueReason = ({ turn, position, live }: Omit<QueuedTurnProps, 'sessionId'>, locale: string, t: Text): string => {
  if (turn.not_before !== undefined) return t('queuedRetry', { time: formatTime(turn.not_before, locale) });
  if (!live || live.turn_id === turn.turn_id) return t('queuedStarting');
  if (live.status === 'requires_action') return t('queuedWaitsForAnswer');
  if (live.status === 'interrupted') return t('queuedWaitsForResume');
  return position === 0 ? t('queuedNext') : t('queuedBehind', { count: position + 1 });
};

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
