import { expect, test } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { settle } from '../testing/harness/settle.ts';
import { RunGates, type Try } from './run-gates.ts';

/** Places for runs of one owner, and the turns that want one. */
const open = ({ shared = false, limit = 1 } = {}) => {
  const clock = new ManualClock();
  let thinned = 0;
  const gates = new RunGates({
    clock,
    shared,
    thinned: () => {
      thinned += 1;
    },
  });
  const tries: string[] = [];
  const running: string[] = [];
  const room = { limit };
  const attempt = (name: string) => async (): Promise<Try> => {
    tries.push(name);
    await settle(1);
    if (running.length >= room.limit) return 'full';
    running.push(name);
    return 'began';
  };
  const come = (name: string, signal = new AbortController().signal) => gates.through('app:a', signal, attempt(name));
  const end = (name: string): void => {
    running.splice(running.indexOf(name), 1);
    gates.opened('app:a');
  };
  return { clock, gates, tries, running, room, come, end, attempt, thinned: () => thinned };
};

test('RG2 RG3 one after the other in the order of their coming, each at once when the one before ends', async () => {
  const { come, end, running, gates, clock, tries } = open();
  const all = ['a', 'b', 'c', 'd'].map((name) => come(name));
  await settle(20);
  for (const name of ['a', 'b', 'c', 'd']) {
    expect(running).toEqual([name]);
    end(name);
    await settle(20);
  }
  await Promise.all(all);
  expect(gates.closed('app:a')).toBe(false);
  expect(clock.waiting).toBe(0);
  expect(tries.length).toBeLessThan(4 + 3 * 3);
});

test('RG1 while nothing ends one try a second is made, whatever the number that wait', async () => {
  const { come, running, room, clock, tries } = open();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name);
  await settle(20);
  const before = tries.length;
  await clock.advance(10_000);
  expect(tries.length - before).toBe(10);
  room.limit = 3;
  await clock.advance(1_000);
  await settle(20);
  expect(running).toHaveLength(3);
});

test('RG2 who comes while others wait goes behind them, though there is room', async () => {
  const { come, running, room, clock } = open();
  for (const name of ['a', 'b']) void come(name);
  await settle(20);
  room.limit = 2;
  void come('c');
  await settle(20);
  expect(running).toEqual(['a']);
  await clock.advance(1_000);
  expect(running).toEqual(['a', 'b']);
});

test('RG4 who gives up leaves its place, and the next one tries; what failed does too', async () => {
  const { come, end, running, gates, clock } = open();
  void come('a');
  await settle(20);
  const gone = new AbortController();
  const lost = come('b', gone.signal);
  await settle(20);
  const broken = gates.through('app:a', new AbortController().signal, () => Promise.reject(new Error('no input')));
  const last = come('c');
  gone.abort(new Error('cancelled'));
  await expect(lost).rejects.toThrow('cancelled');
  end('a');
  await expect(broken).rejects.toThrow('no input');
  await last;
  expect(running).toEqual(['c']);
  expect(gates.closed('app:a')).toBe(false);
  expect([gates.waiting, clock.waiting]).toEqual([0, 0]);
});

test('RG3 what ends while one tries is not lost', async () => {
  const { gates, clock } = open();
  gates.full('app:a');
  let tries = 0;
  const passed = gates.through('app:a', new AbortController().signal, async () => {
    tries += 1;
    // The place came free after this one had looked.
    if (tries === 1) gates.opened('app:a');
    return tries === 1 ? 'full' : 'began';
  });
  await clock.advance(1_000);
  await passed;
  expect(tries).toBe(2);
  expect(gates.closed('app:a')).toBe(false);
});

test('RG3 where nodes share the store, what comes free is left open for a moment now and then', async () => {
  const alone = async (shared: boolean): Promise<number> => {
    const { come, end, running, clock } = open({ shared });
    for (let n = 0; n < 200; n += 1) void come(String(n));
    let left = 0;
    for (let n = 0; n < 100; n += 1) {
      await clock.advance(100);
      const [name] = running;
      if (name === undefined) left += 1;
      else end(name);
      await settle(10);
    }
    return left;
  };
  expect(await alone(false)).toBe(0);
  expect(await alone(true)).toBeGreaterThan(0);
});

test('a full owner of whom nobody waits is forgotten; a crowd is told apart, and when it is none any more', async () => {
  const { come, end, gates, clock, running, thinned } = open();
  gates.full('app:a');
  expect(gates.closed('app:a')).toBe(true);
  await clock.advance(1_000);
  expect(gates.closed('app:a')).toBe(false);
  for (let n = 0; n < 33; n += 1) void come(String(n));
  await settle(60);
  expect([gates.crowded(), gates.waiting, thinned()]).toEqual([['app:a'], 32, 0]);
  end(String(running[0]));
  await settle(20);
  expect([gates.crowded(), gates.waiting, thinned()]).toEqual([[], 31, 1]);
});
