import { freshKey } from '@turnkeeper/client/fresh-key';
import { ArrowDown, ArrowUp, Clock, X } from 'lucide-react';
import { useState } from 'react';
import { useSessionAccess } from '../auth/session-access-context.ts';
import { useClient } from '../auth/signed-in-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { type QueuePlace, queueReason } from './queue-reason.ts';

type QueuedTurnProps = QueuePlace & {
  readonly sessionId: string;
  /** All that wait, in their order. */
  readonly queue: readonly string[];
};

const swapped = (queue: readonly string[], at: number, by: 1 | -1): readonly string[] => {
  const [one, other] = [queue[at], queue[at + by]];
  return one === undefined || other === undefined ? queue : queue.with(at, other).with(at + by, one);
};

/** Taking it out and moving it; the view shows what came of it. */
const useQueueActs = ({ sessionId, turn, queue, position }: QueuedTurnProps) => {
  const t = useText();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const act = (call: Promise<unknown>): void => {
    setBusy(true);
    setFault(undefined);
    call
      .catch((error: unknown) => setFault((error as { readonly code?: unknown }).code === 'validation_failed' ? t('queueChanged') : (error as Error).message))
      .finally(() => setBusy(false));
  };
  return {
    busy,
    fault,
    remove: () => act(client.queue.remove(sessionId, turn.turn_id, { idempotencyKey: freshKey('remove') })),
    move: (by: 1 | -1) => act(client.queue.reorder(sessionId, swapped(queue, position, by))),
  };
};

const small = 'size-8! max-sm:size-10!';

const QueueButtons = (props: QueuedTurnProps & { readonly acts: ReturnType<typeof useQueueActs> }) => {
  const t = useText();
  const { position, queue, acts } = props;
  return (
    <div className="flex shrink-0">
      {position === 0 ? null : (
        <IconButton label={t('moveUp')} className={small} disabled={acts.busy} onClick={() => acts.move(-1)}>
          <ArrowUp aria-hidden className="size-4" />
        </IconButton>
      )}
      {position === queue.length - 1 ? null : (
        <IconButton label={t('moveDown')} className={small} disabled={acts.busy} onClick={() => acts.move(1)}>
          <ArrowDown aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label={t('removeQueued')} className={small} disabled={acts.busy} onClick={acts.remove}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
};

export const QueuedTurn = (props: QueuedTurnProps) => {
  const { turn } = props;
  const t = useText();
  const locale = useLocale();
  const { control } = useSessionAccess();
  const acts = useQueueActs(props);
  return (
    <div className="flex animate-rise flex-col items-end gap-1.5" data-turn-status="queued">
      <div className="flex max-w-full items-start justify-end gap-1">
        {control ? <QueueButtons {...props} acts={acts} /> : null}
        <div className="min-w-0 rounded-2xl rounded-br-md border border-dashed border-line-strong px-4 py-2.5 break-words whitespace-pre-wrap text-ink-soft">
          {turn.preview}
        </div>
      </div>
      <p className="flex items-center gap-1.5 text-[13px] text-ink-faint">
        <Clock aria-hidden className="size-3.5" />
        {t('queued')} · {queueReason(props, locale, t)}
      </p>
      {acts.fault === undefined ? null : (
        <p role="alert" className="text-[13px] text-danger">
          {acts.fault}
        </p>
      )}
    </div>
  );
};
