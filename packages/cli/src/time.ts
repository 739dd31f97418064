/** Points in time, as people give and read them. */
import { InvalidArgumentError } from 'commander';

const unitMs: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `90m`, `12h`, `30d`, `4w` from now, or a date: Unix milliseconds. */
export const readExpiry = (text: string, now = Date.now()): number => {
  const span = /^(\d{1,6})([mhdw])$/.exec(text.trim());
  const at = span ? now + Number(span[1]) * (unitMs[span[2] ?? ''] ?? Number.NaN) : Date.parse(text);
  if (!Number.isFinite(at)) throw new InvalidArgumentError('must be a span (90m, 12h, 30d, 4w) or a date (2030-12-31).');
  if (at <= now) throw new InvalidArgumentError('lies in the past.');
  return at;
};

/** `90m`, `12h`, `30d`, `4w` ago, or a date: Unix milliseconds. */
export const readSince = (text: string, now = Date.now()): number => {
  const span = /^(\d{1,6})([mhdw])$/.exec(text.trim());
  const at = span ? now - Number(span[1]) * (unitMs[span[2] ?? ''] ?? Number.NaN) : Date.parse(text);
  if (!Number.isFinite(at)) throw new InvalidArgumentError('must be a span (90m, 12h, 30d, 4w) or a date (2030-12-31).');
  return Math.max(at, 0);
};

export const ago = (ms: number): string => {
  const seconds = Math.max(Math.round(ms / 1000), 0);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
};

/** To the minute, in UTC. */
export const atText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;

export const expiryText = (at: number | null): string => (at === null ? 'never expires' : `${at <= Date.now() ? 'expired' : 'expires'} ${atText(at)}`);

export const lastUsedText = (at: number | null): string => (at === null ? 'never used' : `used ${ago(Date.now() - at)} ago`);
