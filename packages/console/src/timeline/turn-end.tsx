import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { ChartGantt, GitFork, RotateCcw } from 'lucide-react';
import { useSessionAccess } from '../auth/session-access-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { InterruptedNotice } from './interrupted-notice.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import type { EndRow } from './rows.ts';
import { saidAgain } from './said.ts';
import { useTurnActs } from './turn-acts-context.ts';
import { Working } from './working.tsx';

const small = 'size-8! max-sm:size-10! text-ink-faint';

/** What was asked first in this turn, to be asked again. */
const asked = ({ entries }: EndRow) => {
  const [first] = entries;
  return first?.kind === 'message' && first.item.item.role === 'user' ? saidAgain(first.item.item.content) : undefined;
};

const TurnTools = ({ sessionId, row }: { readonly sessionId: string; readonly row: EndRow }) => {
  const t = useText();
  const acts = useTurnActs();
  const fork = acts?.fork;
  const again = row.turn.status === 'completed' ? undefined : asked(row);
  return (
    <div className="-ml-2 flex shrink-0">
      {acts && fork && row.idle ? (
        <IconButton label={t('forkHere')} title={t('forkCopies')} className={small} disabled={acts.forking !== undefined} onClick={() => fork(row.turnId)}>
          <GitFork aria-hidden className={`size-4 ${acts.forking === row.turnId ? 'animate-breathe' : ''}`} />
        </IconButton>
      ) : null}
      {acts && again ? (
        <IconButton label={t('sendAgain')} className={small} onClick={() => acts.send(again)}>
          <RotateCcw aria-hidden className="size-4" />
        </IconButton>
      ) : null}
      <PlaceLink
        to={pageAt('turn', { session: sessionId, turn: row.turnId })}
        aria-label={t('openWaterfall')}
        title={t('openWaterfall')}
        className={`inline-flex shrink-0 items-center justify-center rounded-xl transition-colors duration-150 hover:bg-sunken hover:text-ink ${small}`}
      >
        <ChartGantt aria-hidden className="size-4" />
      </PlaceLink>
    </div>
  );
};

/** What stands at the end of a turn: that it works, why it rests, or how it ended and what can be done with it. */
export const TurnEnd = ({ sessionId, row, isChild }: { readonly sessionId: string; readonly row: EndRow; readonly isChild: boolean }) => {
  const { turn, entries, working, isNewest } = row;
  const { interact } = useSessionAccess();
  if (isSettled(turn.status)) {
    // Taken out of the queue: no message of it is in the history.
    const neverBegan = turn.runs === 0 && entries.length === 0;
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        {neverBegan ? <p className="mb-1 ml-auto basis-full text-right text-ink-faint line-through [overflow-wrap:anywhere]">{turn.preview}</p> : null}
        {isChild ? null : <TurnTools sessionId={sessionId} row={row} />}
        <div className="ml-auto min-w-0 max-sm:flex-1 has-[.bg-danger-soft]:basis-full">
          <OutcomeLine sessionId={sessionId} turn={turn} entries={entries} canResume={isNewest && interact} />
        </div>
      </div>
    );
  }
  if (turn.status === 'interrupted') return <InterruptedNotice sessionId={sessionId} turn={turn} entries={entries} isChild={isChild} />;
  return working ? <Working turn={turn} /> : null;
};
