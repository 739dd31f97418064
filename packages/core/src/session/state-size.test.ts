/** The state stays small whatever people and models say: ids, enums and counters only (≤ 64 KB at the limits). */
import { describe, expect, it } from 'vitest';
import {
  answer,
  asks,
  call,
  dispatch,
  external,
  lost,
  modelDone,
  openItem,
  restart,
  start,
  submit,
  succeeded,
  to,
  toolDone,
  type Wish,
} from '../testing/commands.ts';
import { emptyStory, tell } from '../testing/given.ts';
import { maxCallsPerStep, maxUnverified } from './state.ts';

const limit = 64 * 1024;
const long = (n: number): string => `call_${String(n).padStart(3, '0')}_${'x'.repeat(31)}`;
const calls = (step: number, more: Parameters<typeof call>[1]) =>
  Array.from({ length: maxCallsPerStep }, (_, n) => call(long(step * maxCallsPerStep + n), { name: 'n'.repeat(64), expiresAt: 1_900_000_000_000, ...more }));
const name = (n: number): string => `${n}`.padStart(26, '0');
const queue = Array.from({ length: 19 }, (_, n) => submit(name(n + 1)));
const begin = [submit(name(0)), start('x'.repeat(100_000)), ...queue, openItem];
const size = (...steps: readonly Wish[]): number => JSON.stringify(tell(emptyStory, steps).state).length;

describe('the state at the limits', () => {
  it('with 20 turns, 64 calls and 64 open actions', () => {
    expect(size(...begin, modelDone('y'.repeat(100_000), ...calls(0, { ...external, ...asks })))).toBeLessThan(limit / 2);
  });

  it('with 64 unknown results, after as many calls of unknown outcome as are remembered', () => {
    const steps = Array.from({ length: maxUnverified / maxCallsPerStep + 1 }, (_, step): readonly Wish[] => [
      modelDone('', ...calls(step, {})),
      ...calls(step, {}).map((entry) => dispatch(entry.id)),
      ...calls(step, {}).map((entry) => toolDone(entry.id, 'unknown')),
    ]).flat();
    const last = [modelDone('', ...calls(9, {})), ...calls(9, {}).map((entry) => dispatch(entry.id)), lost];
    expect(size(...begin, ...steps, ...last)).toBeLessThan(limit);
  });

  it('does not grow with the length of a turn', () => {
    const turnOf = (rounds: number): readonly Wish[] => [
      ...begin,
      ...Array.from({ length: rounds }, (_, n): readonly Wish[] => [
        modelDone('', call(`c${n + 100}`)),
        dispatch(`c${n + 100}`),
        lost,
        answer(name(0), to(`act_${name(0)}_${n + 1}`, succeeded)),
        restart(),
      ]).flat(),
    ];
    expect(size(...turnOf(18)) - size(...turnOf(1))).toBeLessThan(10);
  });
});
