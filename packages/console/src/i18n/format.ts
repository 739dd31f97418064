import type { UsageSums } from '@turnkeeper/core/view/usage';
import type { Text } from './use-text.ts';

export const formatTime = (at: number, locale: string): string => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(at);

/** For lists: the time today, the day otherwise. */
export const formatWhen = (at: number, locale: string, now: number): string => {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return sameDay ? formatTime(at, locale) : new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(at);
};

export const formatDuration = (ms: number, t: Text): string => {
  const seconds = Math.max(ms, 0) / 1000;
  if (seconds < 0.1) return t('milliseconds', { count: Math.max(Math.round(ms), 0) });
  if (seconds < 60) return t('seconds', { count: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds) });
  return t('minutes', { minutes: Math.floor(seconds / 60), seconds: Math.round(seconds % 60) });
};

/** Small amounts keep two significant digits: "$0.00" would say that it was free. */
export const formatCost = (usage: Pick<UsageSums, 'estimated_cost' | 'currency' | 'cost_complete'>, locale: string, t: Text): string | undefined => {
  if (usage.currency === null) return undefined;
  const digits = usage.estimated_cost === 0 || usage.estimated_cost >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
  const cost = new Intl.NumberFormat(locale, { style: 'currency', currency: usage.currency, currencyDisplay: 'narrowSymbol', ...digits }).format(
    usage.estimated_cost,
  );
  return usage.cost_complete ? cost : t('atLeast', { cost });
};

/** Tokens and cost, as far as they are known. */
export const formatUsage = (usage: UsageSums, locale: string, t: Text): string[] => {
  if (usage.model_calls === 0) return [];
  const tokens = usage.total_tokens > 0 ? [t('tokens', { count: usage.total_tokens.toLocaleString(locale) })] : [];
  const cost = formatCost(usage, locale, t);
  return cost === undefined ? tokens : [...tokens, cost];
};
