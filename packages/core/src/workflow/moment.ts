/** Times as workflows name them, without a clock or a `Date`. */
import type { Json } from '../protocol/json.ts';

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const dayMs = 86_400_000;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number => (month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar; a year begins with March here, so that a leap day is its last. */
const daysSinceEpoch = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year;
  const yearDay = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + yearDay - 719_468;
};

/** RFC 3339 text as Unix ms; undefined where it is none. */
export const unixMsOf = (text: string): number | undefined => {
  const parts = rfc3339.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHour, offsetMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[8] === '-' ? -1 : 1);
  const fraction = Math.trunc(Number(`0.${parts[7] ?? '0'}`) * 1_000);
  return daysSinceEpoch(year, month, day) * dayMs + ((hour * 60 + minute - offset) * 60 + second) * 1_000 + fraction;
};

/** The last moment that everybody who reads times can read. */
const lastMoment = 8_640_000_000_000_000;

/** What a timer waits for: Unix ms, or RFC 3339 text. */
export const momentOf = (value: Json): number | undefined => {
  const at = typeof value === 'string' ? unixMsOf(value) : typeof value === 'number' ? Math.ceil(value) : undefined;
  return at !== undefined && at >= 0 && at <= lastMoment ? at : undefined;
};
