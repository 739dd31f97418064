import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPoll, type Read } from './poll.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const everyMs = 4_000;
const most = { everyMs, isHidden: () => false, random: () => 1 };

/** A server that can be away, and when it was asked. */
const server = () => {
  const state = { isAway: false, asked: [] as number[], attempts: [] as (number | undefined)[] };
  const read: Read = async ({ attempts }) => {
    state.asked.push(Date.now());
    state.attempts.push(attempts);
    return !state.isAway;
  };
  const gaps = (): number[] => state.asked.slice(1).map((at, n) => at - (state.asked[n] ?? 0));
  return { state, read, gaps };
};

test('reads at a steady pace while it is answered; the waits grow to a cap while it is not, each by one request', async () => {
  const { state, read, gaps } = server();
  const poll = createPoll(read, most);
  await vi.advanceTimersByTimeAsync(2 * everyMs);
  expect(gaps()).toEqual([everyMs, everyMs]);
  state.isAway = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gaps().slice(2, 8)).toEqual([everyMs, 2_400, 4_800, 9_600, 15_000, 15_000]);
  expect(state.attempts.slice(3, 6)).toEqual([undefined, 1, 1]);
  state.isAway = false;
  await vi.advanceTimersByTimeAsync(15_000 + everyMs);
  expect(gaps().at(-1)).toBe(everyMs);
  poll.stop();
  const { length } = state.asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.asked).toHaveLength(length);
});

test('a word from outside ends the wait, and so does another poll that is answered again', async () => {
  const [one, other] = [server(), server()];
  one.state.isAway = true;
  other.state.isAway = true;
  const polls = [createPoll(one.read, most), createPoll(other.read, most)] as const;
  await vi.advanceTimersByTimeAsync(30_000);
  one.state.isAway = false;
  other.state.isAway = false;
  const before = [one.state.asked.length, other.state.asked.length];
  polls[0].hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect([one.state.asked.length, other.state.asked.length]).toEqual(before.map((count) => count + 1));
  for (const poll of polls) poll.stop();
});

test('nothing is read while nobody looks', async () => {
  const { state, read } = server();
  let isHidden = true;
  const poll = createPoll(read, { ...most, isHidden: () => isHidden });
  await vi.advanceTimersByTimeAsync(3 * everyMs);
  expect(state.asked).toEqual([]);
  isHidden = false;
  poll.hurry();
  expect(state.asked).toHaveLength(1);
  poll.stop();
});
