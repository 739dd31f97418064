import { beforeEach, expect, test, vi } from 'vitest';
import { createOutbox } from './outbox.ts';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});

const said = (text: string) => ({ text, files: [] });
const receipt = (id: string) => ({ id }) as never;

test('OX1: a retry and a reload send the same key; what the server has confirmed is kept no longer', async () => {
  const keys: string[] = [];
  const failing = createOutbox(
    {
      submit: async (_session, _input, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        throw new Error('no network');
      },
    },
    'ses_1',
  );
  failing.send(said('a'));
  await expect.poll(() => failing.get()[0]?.state).toEqual({ kind: 'failed', reason: 'no network' });
  failing.retry(keys[0] ?? '');
  await expect.poll(() => keys.length).toBe(2);
  const reloaded = createOutbox({ submit: async (_session, _input, { idempotencyKey }) => receipt(`turn_${keys.push(idempotencyKey)}`) }, 'ses_1');
  await expect.poll(() => reloaded.get()[0]?.state.kind).toBe('accepted');
  expect(new Set(keys).size).toBe(1);
  expect(storage.size).toBe(0);
  reloaded.arrived(new Set(['turn_3']));
  expect(reloaded.get()).toEqual([]);
});

test('OX2: one after the other; one that failed holds those behind it until it is taken out', async () => {
  const sent: string[] = [];
  const submit = async (_session: string, input: { message?: unknown }) => {
    if (input.message === 'bad') throw new Error('refused');
    return receipt(`turn_${sent.push(String(input.message))}`);
  };
  const outbox = createOutbox({ submit: submit as never }, 'ses_1');
  for (const text of ['a', 'bad', 'b']) outbox.send(said(text));
  await expect.poll(() => outbox.get().map(({ state }) => state.kind)).toEqual(['accepted', 'failed', 'sending']);
  expect(outbox.take(outbox.get()[1]?.key ?? '')).toEqual(said('bad'));
  await expect.poll(() => sent).toEqual(['a', 'b']);
});

test('OX2: what is said to the running turn does not wait behind a message that failed; files go as blocks; kept where one says', async () => {
  const bodies: unknown[] = [];
  const submit = async (_session: string, body: unknown) => {
    bodies.push(body);
    if (bodies.length === 1) throw new Error('full');
    return { id: 'turn_1', inputId: 'inp_1' } as never;
  };
  const kept = new Map<string, string | undefined>();
  const outbox = createOutbox({ submit }, 'ses_1', { read: () => undefined, write: (name, text) => kept.set(name, text) });
  outbox.send({ text: 'a', files: [{ fileId: 'file_1', name: 'x.png' }] });
  await expect.poll(() => outbox.get()[0]?.state.kind).toBe('failed');
  outbox.send({ ...said('b'), steers: true });
  await expect.poll(() => outbox.get()[1]?.state).toEqual({ kind: 'accepted', turnId: 'turn_1', inputId: 'inp_1' });
  outbox.arrived(new Set(['turn_1']));
  expect(outbox.get()).toHaveLength(2);
  outbox.arrived(new Set(['inp_1']));
  expect(outbox.get().map(({ text }) => text)).toEqual(['a']);
  expect([...kept.values()].map((text) => text?.includes('file_1'))).toEqual([true]);
  expect(storage.size).toBe(0);
  const content = [
    { type: 'text', text: 'a' },
    { type: 'file', file_id: 'file_1' },
  ];
  expect(bodies).toEqual([{ input: [{ role: 'user', content }] }, { message: 'b', onBusy: 'steer' }]);
});

test('OX1: a structured input goes as it is, also after a reload, and is given back as it was written', async () => {
  const bodies: unknown[] = [];
  const submit = async (_session: string, body: unknown) => {
    bodies.push(body);
    throw new Error('no network');
  };
  const first = createOutbox({ submit: submit as never }, 'ses_1');
  first.send({ ...said('{"amount": 200}'), input: { amount: 200 } });
  await expect.poll(() => first.get()[0]?.state.kind).toBe('failed');
  const reloaded = createOutbox({ submit: submit as never }, 'ses_1');
  await expect.poll(() => reloaded.get()[0]?.state.kind).toBe('failed');
  expect(bodies).toEqual([{ input: { amount: 200 } }, { input: { amount: 200 } }]);
  expect(reloaded.take(reloaded.get()[0]?.key ?? '')).toEqual(said('{"amount": 200}'));
});
