import { expect, test } from 'vitest';
import type { SessionSnapshot } from '../calls/sessions.ts';
import { createOlderParts, type OlderCalls } from './older-parts.ts';

const perTurn = 4;
const lists = {
  items: Array.from({ length: 80 }, (_, n) => ({ created_at: n, data: { item_id: `item_${n}`, turn_id: `turn_${Math.floor(n / perTurn)}` } })),
  tools: Array.from({ length: 160 }, (_, n) => ({ created_at: n, data: { turn_id: `turn_${Math.floor(n / 8)}`, tool_call_id: `c${n}`, requested_at: n / 2 } })),
  turns: Array.from({ length: 20 }, (_, n) => ({ created_at: 99, data: { turn_id: `turn_${n}`, created_at: n * perTurn } })),
};
type List = keyof typeof lists;
/** Cursors are the place before which they read. */
const snapshotOf = (limit: number, epoch: number): SessionSnapshot => {
  const newest = Object.fromEntries(Object.entries(lists).map(([list, all]) => [list, all.slice(-limit)]));
  const older = Object.entries(lists).filter(([, all]) => all.length > limit);
  return { ...newest, page_cursors: Object.fromEntries(older.map(([list, all]) => [list, `${epoch}:${all.length - limit}`])) } as never;
};
const server = () => {
  const stage = { epoch: 1, reads: [] as string[], most: 0, at: 0, broken: false };
  const calls: OlderCalls = {
    page: async (list, after) => {
      stage.at += 1;
      stage.most = Math.max(stage.most, stage.at);
      stage.reads.push(list);
      await Promise.resolve();
      stage.at -= 1;
      if (stage.broken) throw new Error('no network');
      const [epoch = 0, place = 0] = after.split(':').map(Number);
      if (epoch !== stage.epoch) throw Object.assign(new Error('old'), { code: 'page_expired' });
      const from = Math.max(place - 10, 0);
      return { data: lists[list as List].slice(from, place) as never, next_cursor: from === 0 ? null : `${epoch}:${from}` };
    },
    snapshot: async () => snapshotOf(40, stage.epoch),
  };
  return { stage, calls };
};
const whole = (store: ReturnType<typeof createOlderParts>, list: List, shown: number) => {
  const got = store.get()[list].map(({ data }) => JSON.stringify(data));
  const all = lists[list].map(({ data }) => JSON.stringify(data));
  expect(got).toEqual(all.slice(all.length - shown - got.length, all.length - shown));
};

test('OY2 the calls and turns of what is shown are read at once, and with every page of messages', async () => {
  const { calls, stage } = server();
  const store = createOlderParts(calls);
  store.begin(snapshotOf(10, 1));
  await expect.poll(() => store.get().tools.length).toBe(10);
  expect(store.get().items).toEqual([]);
  while (store.get().hasMore) {
    await store.load();
    for (const list of ['items', 'tools', 'turns'] as const) whole(store, list, 10);
    const [oldest] = store.get().items;
    const tool = store.get().tools[0];
    if (store.get().hasMore) expect(tool?.data.requested_at).toBeLessThanOrEqual(oldest?.created_at ?? 0);
  }
  expect(store.get().items).toHaveLength(70);
  expect(store.get().turns).toHaveLength(10);
  expect(stage.most).toBe(1);
});

test('OY1 asked for twice it reads once; a failure changes nothing', async () => {
  const { calls, stage } = server();
  const store = createOlderParts(calls);
  store.begin(snapshotOf(20, 1));
  await expect.poll(() => stage.reads.length).toBe(2);
  await Promise.all([store.load(), store.load()]);
  expect(stage.reads.filter((list) => list === 'items')).toHaveLength(1);
  stage.broken = true;
  await store.load();
  expect(store.get()).toMatchObject({ loading: false, hasMore: true, fault: { message: 'no network' } });
  stage.broken = false;
  await store.load();
  expect(store.get().fault).toBeUndefined();
  expect(store.get().items).toHaveLength(20);
  whole(store, 'items', 20);
});

test('OY3 an expired cursor is replaced in silence; another snapshot begins anew', async () => {
  const { calls, stage } = server();
  const store = createOlderParts(calls);
  store.begin(snapshotOf(20, 1));
  await store.load();
  stage.epoch = 2;
  await store.load();
  expect(store.get().fault).toBeUndefined();
  whole(store, 'items', 20);
  expect(store.get().items.length).toBeGreaterThan(20);
  store.begin(snapshotOf(20, 2));
  expect(store.get().items).toEqual([]);
  await store.load();
  whole(store, 'items', 20);
});
