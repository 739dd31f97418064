import type { OverviewAnswer } from '@turnkeeper/core/protocol/wire/overview';
import { formatCost, formatMoney } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { usualFilters } from '../sessions/filters.ts';
import { type Place, pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { useOverview } from './overview-context.ts';

type CountProps = {
  readonly name: string;
  readonly value: string;
  readonly short: string;
  readonly long: string;
  readonly to: Place;
  readonly tone: string;
  readonly onOpen?: (() => void) | undefined;
};

const Count = ({ name, value, short, long, to, tone, onOpen }: CountProps) => (
  <li className="min-w-0 flex-1">
    <PlaceLink
      to={to}
      {...(onOpen ? { onOpen } : {})}
      title={long}
      data-count={name}
      className="flex min-h-11 flex-col items-center justify-center rounded-lg px-0.5 py-1 transition-colors duration-150 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span aria-hidden className={`max-w-full truncate text-sm leading-5 font-semibold tabular-nums ${tone}`}>
        {value}
      </span>
      <span aria-hidden className="max-w-full truncate text-[11px] leading-4 text-ink-faint">
        {short}
      </span>
      <span className="sr-only">{long}</span>
    </PlaceLink>
  </li>
);

const running: Place = { kind: 'sessions', filters: { ...usualFilters, owner: 'all', activity: 'running' } };
const waiting: Place = { kind: 'sessions', filters: { ...usualFilters, owner: 'all', activity: 'requires_action' } };

/** Short, for a narrow place: more than there is room for is rounded. */
const compact = (overview: OverviewAnswer, locale: string): string => {
  const { estimated_cost: cost, currency, cost_complete: complete } = overview.usage_today;
  if (currency === null) return complete ? '0' : '–';
  const whole = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', maximumFractionDigits: 0 } as const;
  return `${complete ? '' : '≥'}${cost >= 100 || cost === 0 ? new Intl.NumberFormat(locale, whole).format(cost) : formatMoney(cost, currency, locale)}`;
};

/** running · waiting · failed · today's cost. Each leads to what it counts. */
export const LiveCounts = ({ onOpen }: { readonly onOpen?: () => void }) => {
  const t = useText();
  const locale = useLocale();
  const { overview } = useOverview();
  if (!overview) return <div className="h-[54px] rounded-xl border border-line" />;
  const more = overview.complete ? '' : '+';
  const counted = (count: number): string => `${count.toLocaleString(locale)}${more}`;
  const cost = formatCost(overview.usage_today, locale, t) ?? compact(overview, locale);
  return (
    <ul aria-label={t('liveCounts')} className="flex rounded-xl border border-line bg-surface p-1">
      <Count
        name="running"
        value={counted(overview.running)}
        short={t('countRunning')}
        long={t('countRunningLong', { count: counted(overview.running) })}
        to={running}
        tone={overview.running > 0 ? 'text-accent' : 'text-ink-soft'}
        onOpen={onOpen}
      />
      <Count
        name="waiting"
        value={counted(overview.waiting)}
        short={t('countWaiting')}
        long={t('countWaitingLong', { count: counted(overview.waiting) })}
        to={waiting}
        tone={overview.waiting > 0 ? 'text-warn' : 'text-ink-soft'}
        onOpen={onOpen}
      />
      <Count
        name="failed"
        value={counted(overview.failed)}
        short={t('countFailed')}
        long={t('countFailedLong', { count: counted(overview.failed) })}
        to={pageAt('now')}
        tone={overview.failed > 0 ? 'text-danger' : 'text-ink-soft'}
        onOpen={onOpen}
      />
      <Count
        name="cost"
        value={compact(overview, locale)}
        short={t('countToday')}
        long={t('countTodayLong', { cost })}
        to={pageAt('usage')}
        tone="text-ink-soft"
        onOpen={onOpen}
      />
    </ul>
  );
};
