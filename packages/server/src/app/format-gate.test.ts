import { checkedFormats, formats } from '@turnkeeper/core/session/formats';
import { emptyState } from '@turnkeeper/core/session/state';
import { expect, test } from 'vitest';
import { FormatGate } from './format-gate.ts';

const format = (v: number) => ({ v, events: {} });
const setUp = (lowest: () => Promise<number>, writes = 3) => {
  let asked = 0;
  const gate = new FormatGate(checkedFormats({ changes: [format(2), format(3)], writes }), {
    lowestReads: () => {
      asked += 1;
      return lowest();
    },
  });
  return { gate, asked: () => asked, next: () => gate.next(emptyState, true) };
};

test('FG1 writes the first format until it is known that all living nodes read another', async () => {
  let lowest = 1;
  const { gate, next } = setUp(async () => lowest);
  expect(next()).toBe(1);
  for (const [reads, written] of [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
    [1, 1],
  ] as const) {
    lowest = reads;
    await gate.look();
    expect(next()).toBe(written);
  }
});

test('FG1 writes no format that its own release only reads', async () => {
  const { gate, next } = setUp(async () => 3, 2);
  await gate.look();
  expect(next()).toBe(2);
});

test('what was known stays while the store cannot be asked', async () => {
  let fails = false;
  const { gate, next } = setUp(async () => (fails ? Promise.reject(new Error('away')) : 2));
  await gate.look();
  fails = true;
  await expect(gate.look()).rejects.toThrow('away');
  expect(next()).toBe(2);
});

test("FG2 a session's format never goes back, and is raised only in one's own", async () => {
  const { gate } = setUp(async () => 2);
  await gate.look();
  expect(gate.next({ v: 3 }, true)).toBe(3);
  expect(gate.next({ v: 1 }, false)).toBe(1);
  expect(gate.next({ v: 1 }, true)).toBe(2);
});

test('FG3 with one format nobody is asked, as in this release', async () => {
  const { gate, asked } = setUp(async () => 3, 1);
  await gate.look();
  expect(asked()).toBe(0);
  expect(formats).toEqual({ changes: [], writes: 1 });
});
