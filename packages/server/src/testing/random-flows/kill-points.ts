/** Where engines die, at random. */
import type { KillPoint } from '../harness/mortal.ts';
import type { Random } from '../harness/random.ts';

/** Those that a run makes; writes most often, for each of them is a place at which it can be cut. */
const calls = ['write', 'write', 'write', 'write', 'claim', 'create', 'stream', 'run'] as const;

/** One to three deaths in a course of events that made `counted` calls; the later ones of the engines that come after. */
export const killPoints = (random: Random, counted: (call: KillPoint['call']) => number): readonly KillPoint[] =>
  Array.from({ length: 1 + random.below(3) }, (_, life) => {
    const call = random.pick(calls);
    const most = Math.max(1, Math.ceil(counted(call) / (life + 1)));
    return { call, nth: 1 + random.below(most), when: random.chance(0.5) ? 'before' : 'after' };
  });
