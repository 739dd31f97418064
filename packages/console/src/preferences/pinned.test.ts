import { beforeEach, expect, test, vi } from 'vitest';
import { createPins } from './pinned.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});
beforeEach(() => stored.clear());

/** A server that answers when it is told to. */
const server = (sessions: string[]) => {
  const waiting: (() => void)[] = [];
  const later = <Value>(make: () => Value) => new Promise<Value>((resolve) => waiting.push(() => resolve(make())));
  const change = ({ add = [], remove = [] }: { add?: string[] | undefined; remove?: string[] | undefined }) => {
    sessions.splice(0, sessions.length, ...add, ...sessions.filter((id) => !add.includes(id) && !remove.includes(id)));
    return [...sessions];
  };
  return {
    calls: { list: () => later(() => [...sessions]), change: (wanted: Parameters<typeof change>[0]) => later(() => change(wanted)) },
    answer: async () => {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
      waiting.shift()?.();
    },
    sessions,
  };
};

test('PK1 what is changed shows at once, and an older answer does not take it back', async () => {
  const { calls, answer, sessions } = server(['old']);
  const pins = createPins();
  pins.connect(calls);
  const reading = pins.read();
  pins.set(['new'], true);
  expect(pins.get()).toEqual(['new']);
  await answer();
  await reading;
  expect(pins.get()).toEqual(['new']);
  await answer();
  await expect.poll(() => pins.get()).toEqual(['new', 'old']);
  pins.set(['old', 'never pinned'], false);
  await answer();
  await expect.poll(() => sessions).toEqual(['new']);
});

test('PK1 what was refused goes with the next reading', async () => {
  const pins = createPins();
  pins.connect({ list: async () => ['old'], change: async () => Promise.reject(new Error('away')) });
  pins.set(['new'], true);
  await expect.poll(async () => [await pins.read(), pins.get()]).toEqual([true, ['old']]);
});

test('what a browser kept by itself becomes the person’s own, once; another person has others', async () => {
  stored.set('turnkeeper.pinned', '["mine"]');
  const first = server(['other']);
  const pins = createPins();
  pins.connect(first.calls);
  const reading = pins.read();
  await first.answer();
  await first.answer();
  expect(await reading).toBe(true);
  expect([pins.get(), stored.size]).toEqual([['mine', 'other'], 0]);
  const second = server(['theirs']);
  pins.connect(second.calls);
  expect(pins.get()).toEqual([]);
  const again = pins.read();
  await second.answer();
  expect([await again, pins.get(), second.sessions]).toEqual([true, ['theirs'], ['theirs']]);
});
