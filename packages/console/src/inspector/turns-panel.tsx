import type { TurnBody } from '@turnkeeper/core/view/turn';
import { ChartGantt, History } from 'lucide-react';
import { targetCan } from '../auth/target-can.ts';
import { formatDuration, formatUsage } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import type { InspectorProps } from './inspector.tsx';
import { statusText, toneOf } from './run-status.ts';

type TurnRowProps = Pick<InspectorProps, 'sessionId' | 'childId' | 'query'> & { readonly turn: TurnBody };

const TurnRow = ({ sessionId, childId, query, turn }: TurnRowProps) => {
  const t = useText();
  const locale = useLocale();
  const took = turn.started_at !== undefined && turn.ended_at !== undefined ? [formatDuration(turn.ended_at - turn.started_at, t)] : [];
  const text = statusText(turn.status);
  const facts = [text ? t(text) : turn.status, ...took, ...formatUsage(turn.usage, locale, t)];
  return (
    <li className="group flex items-start rounded-xl hover:bg-sunken has-[a[aria-current]]:bg-accent-soft" data-turn-row={turn.turn_id}>
      <PlaceLink
        to={{ kind: 'session', id: sessionId, query: { ...query, turn: turn.turn_id } }}
        aria-current={query['turn'] === turn.turn_id ? 'true' : undefined}
        title={t('goToTurn', { n: turn.n })}
        className="flex min-w-0 flex-1 items-start gap-3 rounded-xl px-3 py-2.5"
      >
        <span className="pt-1.5">
          <StatusDot tone={toneOf(turn.status)} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 text-sm leading-snug break-words">{turn.preview || `#${turn.n}`}</span>
          <span className="block truncate text-xs text-ink-faint tabular-nums">{facts.join(' · ')}</span>
        </span>
      </PlaceLink>
      {childId === undefined ? (
        <PlaceLink
          to={pageAt('turn', { session: sessionId, turn: turn.turn_id })}
          aria-label={t('openWaterfall')}
          title={t('openWaterfall')}
          className="mt-1 mr-1 grid size-9 shrink-0 place-items-center rounded-xl text-ink-faint hover:text-ink"
        >
          <ChartGantt aria-hidden className="size-4" />
        </PlaceLink>
      ) : null}
    </li>
  );
};

/** All turns that are here, the newest first. */
export const TurnsPanel = ({ sessionId, childId, query, session, view, older }: InspectorProps) => {
  const t = useText();
  const turns = [...older.turns, ...view.turns].map(({ data }) => data).reverse();
  return (
    <div className="flex flex-col gap-3">
      {childId === undefined && targetCan(session).fork ? (
        <PlaceLink
          to={pageAt('checkpoints', { session: sessionId })}
          className="inline-flex h-9 items-center gap-2 self-start rounded-xl border border-line bg-surface px-3 text-[13px] font-medium text-ink-soft hover:border-line-strong hover:text-ink"
        >
          <History aria-hidden className="size-4" />
          {t('toCheckpoints')}
        </PlaceLink>
      ) : null}
      {turns.length === 0 ? <p className="px-1 text-sm text-ink-faint">{t('noTurnsYet')}</p> : null}
      <ul aria-label={t('panelTurns')} className="-mx-2 flex flex-col gap-0.5">
        {turns.map((turn) => (
          <TurnRow key={turn.turn_id} sessionId={sessionId} childId={childId} query={query} turn={turn} />
        ))}
      </ul>
      {older.hasMore ? (
        <Button size="sm" className="self-center" disabled={older.loading} onClick={() => void older.load()}>
          {t('showMore')}
        </Button>
      ) : null}
    </div>
  );
};
