import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import type { TimelineTurn } from '@turnkeeper/client/view/timeline';
import { useText } from '../i18n/use-text.ts';
import { QueuedTurn } from './queued-turn.tsx';
import { TurnBlock } from './turn-block.tsx';

type TimelineProps = { readonly sessionId: string; readonly timeline: readonly TimelineTurn[]; readonly hasOlder: boolean };

/** Turns that wait in the queue stand apart, at the end, each with the reason why it waits. */
export const Timeline = ({ sessionId, timeline, hasOlder }: TimelineProps) => {
  const t = useText();
  const waits = (entry: TimelineTurn): boolean => entry.turn?.status === 'queued' && entry.turn.runs === 0 && entry.entries.length === 0;
  const shown = timeline.filter((entry) => !waits(entry));
  const queued = timeline.filter(waits);
  const live = timeline.find(({ turn }) => turn !== undefined && !isSettled(turn.status))?.turn;
  const newest = shown.at(-1)?.turnId;
  if (timeline.length === 0) {
    return <p className="m-auto animate-late text-lg text-ink-faint">{t('emptySession')}</p>;
  }
  return (
    <section aria-label={t('conversation')} className="flex flex-col gap-10">
      {hasOlder ? <p className="text-center text-[13px] text-ink-faint">{t('olderHidden')}</p> : null}
      {shown.map((entry, at) => (
        <TurnBlock key={entry.turnId} sessionId={sessionId} entry={entry} isNewest={entry.turnId === newest} skippable={at < shown.length - 6} />
      ))}
      {queued.length === 0 ? null : (
        <div className="flex flex-col gap-3">
          {queued.map(({ turn }, at) => (turn ? <QueuedTurn key={turn.turn_id} sessionId={sessionId} turn={turn} position={at} live={live} /> : null))}
        </div>
      )}
    </section>
  );
};
