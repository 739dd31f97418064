import { freshKey } from '@turnkeeper/client/fresh-key';
import type { RunningTurn } from '@turnkeeper/core/protocol/wire/overview';
import { Pause, Square } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { canOf } from '../auth/target-can.ts';
import { useAccess } from '../directory/directory-context.ts';
import { formatDuration } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { useOverview } from '../overview/overview-context.ts';
import { usualFilters } from '../sessions/filters.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';
import { Rows } from '../ui/rows.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import { useNow } from '../ui/use-now.ts';
import { titleOf, turnPlace } from './turn-place.ts';

/** From then on it is worth a look. */
const longMs = 10 * 60_000;
const mostShown = 5;

type RunningLineProps = { readonly turn: RunningTurn; readonly now: number; readonly mayStop: boolean; readonly mayPause: boolean };

const RunningLine = ({ turn, now, mayStop, mayPause }: RunningLineProps) => {
  const t = useText();
  const { turns } = useClient();
  const { refresh } = useOverview();
  const [asked, setAsked] = useState<'stop' | 'pause'>();
  const title = titleOf(turn, t('untitled'));
  const ran = now - turn.started_at;
  const halt = (how: 'stop' | 'pause'): void => {
    setAsked(how);
    const call = how === 'stop' ? turns.cancel : turns.pause;
    call(turn.session_id, turn.turn_id, { idempotencyKey: freshKey(how) }).then(refresh, () => {
      // It has just ended, or the server is away: then it can be asked again.
      setAsked(undefined);
      refresh();
    });
  };
  const [stopping, pausing] = [asked === 'stop', asked === 'pause'];
  return (
    <li data-running={turn.turn_id} className="flex items-center gap-3 px-4 py-2.5">
      <StatusDot tone="running" />
      <PlaceLink to={turnPlace(turn)} className="group min-w-0 flex-1 rounded-md">
        <span className="block truncate text-sm font-medium group-hover:text-accent">{title}</span>
        <span className={`block text-[13px] leading-snug tabular-nums ${ran >= longMs ? 'text-warn' : 'text-ink-faint'}`}>
          {t('runningFor', { time: formatDuration(ran, t) })}
        </span>
      </PlaceLink>
      {mayPause ? (
        <Button size="sm" disabled={asked !== undefined} aria-label={pausing ? t('pausing') : t('pauseNamed', { title })} onClick={() => halt('pause')}>
          <Pause aria-hidden className={`size-3 fill-current ${pausing ? 'animate-breathe' : ''}`} />
          <span className="max-sm:sr-only">{t(pausing ? 'pausing' : 'pause')}</span>
        </Button>
      ) : null}
      {mayStop ? (
        <Button size="sm" disabled={stopping} aria-label={stopping ? t('stopping') : t('stopNamed', { title })} onClick={() => halt('stop')}>
          <Square aria-hidden className={`size-3 fill-current ${stopping ? 'animate-breathe' : ''}`} />
          {stopping ? t('stopping') : t('stop')}
        </Button>
      ) : null}
    </li>
  );
};

export const RunningTurns = ({ turns }: { readonly turns: readonly RunningTurn[] }) => {
  const t = useText();
  const now = useNow();
  const accessTo = useAccess(turns.some(({ owner }) => owner.type === 'application'));
  if (turns.length === 0) return null;
  const all = (
    <PlaceLink
      to={{ kind: 'sessions', filters: { ...usualFilters, owner: 'all', activity: 'running' } }}
      className="rounded-md text-[13px] text-ink-soft underline-offset-2 hover:text-accent hover:underline"
    >
      {t('moreRunning')}
    </PlaceLink>
  );
  return (
    <Panel title={t('runningTurns')} action={turns.length > mostShown ? all : null}>
      <Rows label={t('runningTurns')}>
        {turns.slice(0, mostShown).map((turn) => (
          <RunningLine
            key={turn.turn_id}
            turn={turn}
            now={now}
            mayStop={accessTo(turn.owner).control}
            mayPause={canOf(turn.target_type).pause && accessTo(turn.owner).interact}
          />
        ))}
      </Rows>
    </Panel>
  );
};
