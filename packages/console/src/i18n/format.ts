import type { UsageSums } from '@turnkeeper/core/view/usage';
import type { Text } from './use-text.ts';

export const formatTime = (at: number, locale: string): string => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(at);

/** For lists: the time today, the day otherwise. */
export const formatWhen = (at: number, locale: string, now: number): string => {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return sameDay ? formatTime(at, locale) : new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(at);
};

export const formatDay = (at: number, locale: string): string => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);

export const formatDuration = (ms: number, t: Text): string => {
  const seconds = Math.max(ms, 0) / 1000;
  if (seconds < 0.1) return t('milliseconds', { count: Math.max(Math.round(ms), 0) });
  if (seconds < 60) return t('seconds', { count: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds) });
  return t('minutes', { minutes: Math.floor(seconds / 60), seconds: Math.round(seconds % 60) });
};

/** What is left, as a clock shows it: `4:05`, `1:02:09`. Never below `0:00`. */
export const formatClock = (ms: number): string => {
  const left = Math.max(Math.ceil(ms / 1000), 0);
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor((left % 3600) / 60), left % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
};

const ages: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** How long ago, in the largest unit that fits. */
export const formatAge = (at: number, locale: string, now: number): string => {
  const ms = Math.max(now - at, 0);
  const [unit, size] = ages.find(([, least]) => ms >= least) ?? (['second', 1_000] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(-Math.floor(ms / size), unit);
};

/** Small amounts keep two significant digits: "$0.00" would say that it was free. */
export const formatMoney = (amount: number, currency: string, locale: string): string => {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const usual = new Intl.NumberFormat(locale, style);
  const digits = amount > 0 && amount < 0.1 ? Math.min(1 - Math.floor(Math.log10(amount)), 20) : 0;
  const isEnough = digits <= (usual.resolvedOptions().maximumFractionDigits ?? 2);
  return (isEnough ? usual : new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: digits })).format(amount);
};

export const formatCost = (usage: Pick<UsageSums, 'estimated_cost' | 'currency' | 'cost_complete'>, locale: string, t: Text): string | undefined => {
  if (usage.currency === null) return undefined;
  const cost = formatMoney(usage.estimated_cost, usage.currency, locale);
  return usage.cost_complete ? cost : t('atLeast', { cost });
};

/** Tokens and cost, as far as they are known. */
export const formatUsage = (usage: UsageSums, locale: string, t: Text): string[] => {
  if (usage.model_calls === 0) return [];
  const tokens = usage.total_tokens > 0 ? [t('tokens', { count: usage.total_tokens.toLocaleString(locale) })] : [];
  const cost = formatCost(usage, locale, t);
  return cost === undefined ? tokens : [...tokens, cost];
};

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size, in the largest unit that fits. */
export const formatBytes = (bytes: number, locale: string): string => {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), byteUnits.length - 1);
  const unit = byteUnits[power] ?? 'byte';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: power === 0 ? 0 : 1 }).format(bytes / 1024 ** power);
};
