import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { expect, test } from 'vitest';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { createSpanQueue, mostWaiting } from './span-queue.ts';

const span = {} as ReadableSpan;

const setUp = () => {
  const clock = createMovedClock();
  const counts = { exported: 0, dropped: 0 };
  const exports: { readonly size: number; readonly answer: (code: number) => void }[] = [];
  const faults: (string | undefined)[] = [];
  const queue = createSpanQueue({
    exporter: {
      export: (spans, answer) => void exports.push({ size: spans.length, answer: (code) => answer({ code }) }),
      shutdown: async () => {},
    },
    clock,
    exported: (count) => (counts.exported += count),
    dropped: (count) => (counts.dropped += count),
    answered: (fault) => faults.push(fault?.message),
  });
  const add = (count: number): void => {
    for (let n = 0; n < count; n += 1) queue.add(span);
  };
  return { clock, counts, exports, faults, queue, add };
};
const ticks = () => new Promise((resolve) => setImmediate(resolve));

test('spans gather for a while, and one export is under way at a time', async () => {
  const { clock, counts, exports, add } = setUp();
  add(3);
  expect(exports).toHaveLength(0);
  clock.move(2_000);
  expect(exports.map(({ size }) => size)).toEqual([3]);
  add(1_000);
  clock.move(10_000);
  expect(exports).toHaveLength(1);
  exports[0]?.answer(0);
  await ticks();
  expect(exports.map(({ size }) => size)).toEqual([3, 512]);
  expect(counts).toEqual({ exported: 3, dropped: 0 });
});

test('TT2: a dead collector costs spans, never memory nor a stop', async () => {
  const { clock, counts, exports, queue, add } = setUp();
  add(512);
  add(mostWaiting + 10_000);
  expect(exports).toHaveLength(1);
  expect(counts.dropped).toBe(10_000);
  const closed = queue.close(3_000);
  await ticks();
  clock.move(3_000);
  await closed;
  expect(counts.dropped).toBe(10_000 + mostWaiting);
  queue.add(span);
  expect(counts.dropped).toBe(10_001 + mostWaiting);
  expect(clock.waiting()).toBe(0);
});

test('what the collector refuses is counted as dropped, and the next batch is tried', async () => {
  const { clock, counts, exports, faults, queue, add } = setUp();
  add(2);
  clock.move(2_000);
  exports[0]?.answer(1);
  await ticks();
  add(3);
  const closed = queue.close(3_000);
  await ticks();
  exports[1]?.answer(0);
  await closed;
  expect(counts).toEqual({ exported: 3, dropped: 2 });
  expect(faults).toEqual(['The collector refused them.', undefined]);
});
