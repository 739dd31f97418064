import { beforeEach, expect, test, vi } from 'vitest';
import { createOutbox } from './outbox.ts';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});

const receipt = (id: string) => ({ id }) as never;

test('messages become turns in the order in which they were written, and leave when the view has them', async () => {
  const calls: string[] = [];
  const outbox = createOutbox({ submit: async (_session, input) => receipt(`turn_${calls.push(input.message ?? '')}`) }, 'ses_1');
  outbox.send('a');
  outbox.send('b');
  await expect.poll(() => outbox.get().map(({ state }) => state.kind)).toEqual(['accepted', 'accepted']);
  expect(calls).toEqual(['a', 'b']);
  expect(storage.size).toBe(0);
  outbox.arrived(new Set(['turn_1', 'turn_2']));
  expect(outbox.get()).toEqual([]);
});

test('a failed one holds those behind it; a retry and a reload keep the key', async () => {
  const keys: string[] = [];
  let broken = true;
  const turns = {
    submit: async (_session: string, _input: unknown, options: { idempotencyKey: string }) => {
      keys.push(options.idempotencyKey);
      if (broken) throw new Error('no network');
      return receipt(`turn_${keys.length}`);
    },
  };
  const outbox = createOutbox(turns, 'ses_1');
  outbox.send('a');
  outbox.send('b');
  await expect.poll(() => outbox.get().map(({ state }) => state.kind)).toEqual(['failed', 'sending']);
  outbox.retry(outbox.get()[0]?.key ?? '');
  await expect.poll(() => outbox.get()[0]?.state.kind).toBe('failed');
  broken = false;
  const reloaded = createOutbox(turns, 'ses_1');
  await expect.poll(() => reloaded.get().map(({ state }) => state.kind)).toEqual(['accepted', 'accepted']);
  expect(keys.slice(0, 3)).toEqual(Array(3).fill(keys[0]));
  expect(keys).toHaveLength(4);
});

test('a message can be taken back to be edited', async () => {
  const outbox = createOutbox({ submit: () => Promise.reject(new Error('full')) }, 'ses_1');
  outbox.send('a');
  await expect.poll(() => outbox.get()[0]?.state).toEqual({ kind: 'failed', reason: 'full' });
  expect(outbox.take(outbox.get()[0]?.key ?? '')).toBe('a');
  expect(outbox.get()).toEqual([]);
  expect(storage.size).toBe(0);
});
