/**
 * Why a schedule of a manifest would never come, by the parser that the server's slots are computed with.
 *
 * MF3 What is taken here has slots: five fields that each may have, in a time zone that there is, and a day that comes.
 */
import { Cron } from 'croner';

/** A day from which every date of a calendar comes again: what has no slot after it has none at all. */
const since = new Date(Date.UTC(2026, 0, 1));

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    // Offsets are taken by the platform, too; they know no summer time.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
};

/** What is wanted of a time zone; undefined where it is one. */
export const timezoneWanted = (name: string): string | undefined => (isTimeZone(name) ? undefined : 'the name of a time zone, like "Europe/Berlin"');

/** The expression as its slots are computed from it. */
export const plainCron = (expression: string): string => expression.trim().replaceAll(/\s+/g, ' ');

/** What is wanted of a cron expression; undefined where it has slots. */
export const cronWanted = (given: string): string | undefined => {
  const expression = plainCron(given);
  const wanted = 'five fields: minute, hour, day of the month, month, day of the week';
  if (expression.split(' ').length !== 5) return wanted;
  try {
    const next = new Cron(expression, { mode: '5-part', timezone: 'UTC' }).nextRun(since);
    return next === null ? `${wanted}, on a day that comes; "${expression}" never does` : undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
    return `${wanted}; of "${expression}" is said: ${why}`;
  }
};
