/** What a manifest is checked with, and what computes the slots, are of one mind. */
import { readManifest } from '@turnkeeper/minitool/manifest';
import { expect, it } from 'vitest';
import { scheduleFault } from './slots.ts';

const pieces = ['*', '0', '5', '24', '31', '60', '99', '1-5', '5-1', '*/7', '*/0', 'L', '?', 'MON', 'JAN', 'x', '1,2', '1#2', '#', 'W', '-1', '1.5'];
const zones = [undefined, 'UTC', 'Europe/Berlin', 'Asia/Shanghai', 'No/Where', '+02:00'];

const isTaken = (schedule: object): boolean =>
  readManifest({ finchJson: JSON.stringify({ manifestVersion: 1, id: 'x', name: 'x', contributes: { schedules: [{ id: 's', ...schedule }] } }) }).ok;

it('MF3 a manifest is taken exactly where its schedules have slots', () => {
  const seed = 20_261_107;
  let state = seed;
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const seen = { taken: 0, refused: 0 };
  for (let n = 0; n < 1_500; n += 1) {
    // Most fields plain, so that many are sound.
    const fields = Array.from({ length: next(20) === 0 ? 4 + next(3) : 5 }, () => (next(2) === 0 ? '*' : pieces[next(pieces.length)]));
    const timezone = zones[next(zones.length)];
    const schedule = { cron: fields.join(next(9) === 0 ? '  ' : ' '), ...(timezone === undefined ? {} : { timezone }) };
    const taken = isTaken(schedule);
    expect(taken, `${JSON.stringify(schedule)}, seed ${seed}`).toBe(
      scheduleFault({ id: 's', missed: 'skip', ...schedule }, Date.UTC(2027, 5, 5)) === undefined,
    );
    seen[taken ? 'taken' : 'refused'] += 1;
  }
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
});
