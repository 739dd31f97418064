import { describe, expect, it } from 'vitest';
import { nextSlot, owedAt, type Schedule, scheduleFault } from './slots.ts';

const at = (text: string): number => Date.parse(text);
const daily: Schedule = { id: 'daily', cron: '30 9 * * *', timezone: 'Europe/Berlin', missed: 'skip' };
const ticks: Schedule = { id: 'ticks', everySeconds: 90, missed: 'skip' };

describe('slots', () => {
  it('of a cron expression are those of its time zone, UTC unless it says another', () => {
    expect(nextSlot(daily, at('2026-07-01T00:00:00Z'))).toBe(at('2026-07-01T07:30:00Z'));
    expect(nextSlot(daily, at('2026-12-01T00:00:00Z'))).toBe(at('2026-12-01T08:30:00Z'));
    expect(nextSlot({ id: 'x', cron: ' 0   12 * * * ', missed: 'skip' }, at('2026-07-01T00:00:00Z'))).toBe(at('2026-07-01T12:00:00Z'));
  });

  it('of so many seconds are the same moments whoever counts, and whenever (ST1)', () => {
    for (const time of [1_800_000_000_001, 1_800_000_089_999]) expect(nextSlot(ticks, time)).toBe(1_800_000_090_000);
    expect(nextSlot(ticks, 1_800_000_000_000)).toBe(1_800_000_090_000);
  });

  it.each([
    [{ cron: '61 * * * *' }, 'CronPattern'],
    [{ cron: '0 0 31 2 *' }, 'it never comes'],
    [{ cron: '0 0 * * *', timezone: '+02:00' }, 'IANA'],
  ])('cannot be those of %j', (timing, fault) => {
    expect(scheduleFault({ id: 'x', missed: 'skip', ...timing }, 0)).toMatch(fault === 'CronPattern' ? /\S/ : fault);
    expect(scheduleFault(daily, 0)).toBeUndefined();
    expect(scheduleFault(ticks, 0)).toBeUndefined();
  });
});

describe.each([
  ['cron', { id: 'h', cron: '0 * * * *' }],
  ['everySeconds', { id: 'h', everySeconds: 3_600 }],
] as const)('what is owed by %s', (_, timing) => {
  const hour = 3_600_000;
  const t0 = at('2026-07-01T10:00:00Z');
  const skip: Schedule = { ...timing, missed: 'skip' };
  const once: Schedule = { ...timing, missed: 'once' };

  it('is nothing before its time, and the slot in time', () => {
    expect(owedAt(skip, t0, undefined, t0 + hour - 1)).toEqual({ run: undefined, left: undefined, next: t0 + hour });
    expect(owedAt(skip, t0, undefined, t0 + hour)).toMatchObject({ run: t0 + hour, left: undefined, next: t0 + 2 * hour });
    expect(owedAt(skip, t0, undefined, t0 + hour + 60_000)).toMatchObject({ run: t0 + hour });
  });

  it('late: nothing where it skips, the latest once where it does not (ST2)', () => {
    expect(owedAt(skip, t0, undefined, t0 + hour + 60_001)).toMatchObject({ run: undefined, left: { from: t0 + hour, until: t0 + hour }, next: t0 + 2 * hour });
    expect(owedAt(skip, t0, undefined, t0 + 3 * hour + 60_001)).toMatchObject({ run: undefined, left: { from: t0 + hour, until: t0 + 3 * hour } });
    expect(owedAt(once, t0, undefined, t0 + 3.5 * hour)).toMatchObject({
      run: t0 + 3 * hour,
      left: { from: t0 + hour, until: t0 + 2 * hour },
      next: t0 + 4 * hour,
    });
    expect(owedAt(once, t0, undefined, t0 + 1.5 * hour)).toMatchObject({ run: t0 + hour, left: undefined });
  });

  it('is what was begun and not done, however late, until the next slot has come', () => {
    expect(owedAt(skip, t0, t0 + hour, t0 + 2 * hour - 1)).toMatchObject({ run: t0 + hour, left: undefined, next: t0 + 2 * hour });
    expect(owedAt(skip, t0, t0 + hour, t0 + 2 * hour + 1)).toMatchObject({ run: t0 + 2 * hour, left: { from: t0 + hour, until: t0 + hour } });
    expect(owedAt(skip, t0 + hour, t0 + hour, t0 + 2 * hour - 1)).toEqual({ run: undefined, left: undefined, next: t0 + 2 * hour });
  });
});
