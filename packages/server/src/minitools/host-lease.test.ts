/** Which node hosts, and when one that cannot tell any more stops by itself. */
import { expect, it } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { HostLease } from './host-lease.ts';

/** As the database would: one holder until its time is over. */
const shared = (clock: ManualClock) => {
  let held: { readonly node: string; readonly until: number } | undefined;
  const state = { fails: false, changes: [] as string[] };
  const store = {
    host: async (node: string, _: number, until: number): Promise<boolean> => {
      if (state.fails) throw new Error('the database is gone');
      if (held && held.node !== node && held.until > clock.now()) return false;
      held = { node, until };
      return true;
    },
    hostedBy: async () => held,
  };
  return {
    state,
    lease: (node: string) => new HostLease({ store, clock, node: () => node, shared: true, lost: () => {}, changed: () => state.changes.push(node) }),
  };
};

it('is one node’s at a time, and another’s at once where it is given back', async () => {
  const clock = new ManualClock();
  const { lease } = shared(clock);
  const [a, b] = [lease('a'), lease('b')];
  await a.take();
  await b.take();
  expect([a.held, b.held]).toEqual([true, false]);
  await a.release();
  await b.take();
  expect([a.held, b.held]).toEqual([false, true]);
});

it('HL1: is over for who could not renew it before another may have it', async () => {
  const clock = new ManualClock();
  const { lease, state } = shared(clock);
  const [a, b] = [lease('a'), lease('b')];
  await a.take();
  state.fails = true;
  await expect(a.take()).rejects.toThrow();
  clock.sleepThrough(7_999);
  expect(a.held).toBe(true);
  clock.sleepThrough(1);
  expect(a.held).toBe(false);
  state.fails = false;
  await b.take();
  expect(b.held).toBe(false);
  clock.sleepThrough(7_000);
  await b.take();
  expect([a.held, b.held]).toEqual([false, true]);
  await a.take();
  expect(a.held).toBe(false);
});

it('is always held on an embedded store, which is not asked', () => {
  const asked = () => Promise.reject(new Error('asked'));
  const lease = new HostLease({ store: { host: asked, hostedBy: asked }, clock: new ManualClock(), node: () => 'a', shared: false, lost: () => {} });
  expect(lease.held).toBe(true);
});

it('HL3: is told to others when it is taken and given back, not when it is kept', async () => {
  const clock = new ManualClock();
  const { lease, state } = shared(clock);
  const [a, b] = [lease('a'), lease('b')];
  await a.take();
  await a.take();
  await b.take();
  expect(state.changes).toEqual(['a']);
  await b.look();
  expect([a.isElsewhere(0), b.isElsewhere(0)]).toEqual([false, true]);
  await a.release();
  await a.release();
  expect(state.changes).toEqual(['a', 'a']);
  await b.look();
  expect([b.isElsewhere(0), b.isElsewhere(10)]).toEqual([false, true]);
  clock.sleepThrough(10);
  expect(b.isElsewhere(10)).toBe(false);
});
