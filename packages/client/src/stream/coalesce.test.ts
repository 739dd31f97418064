import { afterEach, expect, test, vi } from 'vitest';
import { createCoalescer } from './coalesce.ts';

afterEach(() => vi.unstubAllGlobals());

type Timer = { readonly at: number; readonly run: () => void };

/** A page in which something changes each millisecond; gives when it was told so. `drawingMs`: what it then does for so long. */
const toldAt = ({ drawingMs, hidden = false }: { readonly drawingMs: number; readonly hidden?: boolean }): readonly number[] => {
  let now = 0;
  let timers: Timer[] = [];
  let frames: (() => void)[] = [];
  vi.stubGlobal('performance', { now: () => now });
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: Timer) => {
    timers = timers.filter((each) => each !== timer);
  });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  const told: number[] = [];
  const changed = createCoalescer(() => {
    told.push(now);
    now += drawingMs;
  });
  for (let nextFrame = 16; now < 960; now += 1) {
    changed();
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
    if (now < nextFrame) continue;
    nextFrame = 16 * (Math.floor(now / 16) + 1);
    const asked = hidden ? [] : frames;
    frames = hidden ? frames : [];
    for (const run of asked) run();
  }
  return told;
};
const gaps = (times: readonly number[]): readonly number[] => times.slice(1).map((at, n) => at - (times[n] ?? 0));

test('many changes are one notification: at each frame', () => {
  const told = toldAt({ drawingMs: 5 });
  expect(new Set(gaps(told))).toEqual(new Set([16]));
});

test('CO1 a page that takes long to draw has as long for everything else', () => {
  for (const drawingMs of [10, 20, 50, 100]) for (const gap of gaps(toldAt({ drawingMs }))) expect(gap).toBeGreaterThanOrEqual(2 * drawingMs);
  expect(new Set(gaps(toldAt({ drawingMs: 10 })))).toEqual(new Set([32]));
  for (const gap of gaps(toldAt({ drawingMs: 400 }))) expect(gap).toBeLessThan(600);
});

test('a hidden page, which has no frames, is told all the same', () => {
  const told = toldAt({ drawingMs: 5, hidden: true });
  expect(told.length).toBeGreaterThan(5);
  expect(Math.max(...gaps(told))).toBeLessThan(150);
});

test('without frames at all: in the next microtask', async () => {
  let count = 0;
  const changed = createCoalescer(() => {
    count += 1;
  });
  for (const expected of [1, 2]) {
    for (let n = 0; n < 5; n += 1) changed();
    expect(count).toBe(expected - 1);
    await Promise.resolve();
    expect(count).toBe(expected);
  }
});
