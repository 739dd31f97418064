import { describe, expect, test } from 'vitest';
import { cronFault, owedSlots, slotAfter, timezoneFault } from './schedule-slots.ts';

const ms = (iso: string): number => Date.parse(iso);
const berlin = (cron: string) => ({ cron, timezone: 'Europe/Berlin', at: null });
const slots = (cron: string, from: string, count: number): readonly string[] => {
  const found: string[] = [];
  for (let at = ms(from); found.length < count; ) {
    at = slotAfter(berlin(cron), at) ?? Number.NaN;
    found.push(new Date(at).toISOString());
  }
  return found;
};

describe('SY2: where clocks change', () => {
  test('a time that does not exist comes when the hour that is left out is over', () => {
    expect(slots('30 2 * * *', '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
  });
  test('a time that exists twice comes once, the first time', () => {
    expect(slots('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
  });
  test('what comes every hour goes on by the time that passes', () => {
    expect(slots('15 * * * *', '2026-03-29T00:00:00Z', 2)).toEqual(['2026-03-29T00:15:00.000Z', '2026-03-29T01:15:00.000Z']);
    expect(slots('15 * * * *', '2026-10-25T00:00:00Z', 3)).toEqual(['2026-10-25T00:15:00.000Z', '2026-10-25T01:15:00.000Z', '2026-10-25T02:15:00.000Z']);
  });
  test('a slot that was moved is the one that is owed, and owed once', () => {
    const row = { ...berlin('30 2 * * *'), onMissed: 'run_once' } as const;
    const moved = ms('2026-03-29T01:00:00Z');
    expect(owedSlots(row, moved, moved + 300)).toEqual({ run: moved, missed: undefined, next: ms('2026-03-30T00:30:00Z') });
    const twice = ms('2026-10-25T00:30:00Z');
    expect(owedSlots(row, twice, twice + 3_600_000)).toEqual({ run: twice, missed: undefined, next: ms('2026-10-26T01:30:00Z') });
  });
});

describe('SY3: slots that have passed', () => {
  const hourly = { cron: '0 * * * *', timezone: 'UTC', at: null };
  const first = ms('2026-05-01T10:00:00Z');
  test('on time it is run, to the millisecond', () => {
    for (const late of [0, 1, 999, 1_000, 59_999])
      expect(owedSlots({ ...hourly, onMissed: 'skip' }, first, first + late)).toEqual({ run: first, missed: undefined, next: first + 3_600_000 });
  });
  test('after downtime the latest is run once, and the others are told', () => {
    expect(owedSlots({ ...hourly, onMissed: 'run_once' }, first, ms('2026-05-03T12:30:00Z'))).toEqual({
      run: ms('2026-05-03T12:00:00Z'),
      missed: { from: first, until: ms('2026-05-03T11:00:00Z') },
      next: ms('2026-05-03T13:00:00Z'),
    });
  });
  test('or none is', () => {
    expect(owedSlots({ ...hourly, onMissed: 'skip' }, first, ms('2026-05-03T12:30:00Z'))).toEqual({
      run: undefined,
      missed: { from: first, until: ms('2026-05-03T12:00:00Z') },
      next: ms('2026-05-03T13:00:00Z'),
    });
  });
  test('one that comes once is over then', () => {
    const once = { cron: null, timezone: 'UTC', at: first };
    expect(owedSlots({ ...once, onMissed: 'run_once' }, first, first + 86_400_000)).toEqual({ run: first, missed: undefined, next: null });
    expect(owedSlots({ ...once, onMissed: 'skip' }, first, first + 86_400_000)).toEqual({ run: undefined, missed: { from: first, until: first }, next: null });
  });
});

test('SY1: five fields, and nothing that never comes', () => {
  const now = ms('2026-05-01T10:00:00Z');
  for (const good of ['* * * * *', '*/5 9-17 * * MON-FRI', '0 0 1 1 *', '0 0 29 2 *']) expect(cronFault(good, 'UTC', now), good).toBeUndefined();
  for (const bad of ['* * * * * *', '@daily', '60 * * * *', '', 'x', '0 0 31 2 *', '* * * *']) expect(cronFault(bad, 'UTC', now), bad).toBeTypeOf('string');
  for (const good of ['UTC', 'Europe/Berlin', 'America/New_York']) expect(timezoneFault(good), good).toBeUndefined();
  for (const bad of ['No/Where', '+02:00', 'Berlin']) expect(timezoneFault(bad), bad).toBeTypeOf('string');
});
