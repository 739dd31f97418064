/** Sweeps: one read for all watched sessions, and none where nothing can have been missed (B7). */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { expect, test } from 'vitest';
import type { Head, Position, SessionStore } from '../ports/session-store.ts';
import { createFaultyStore, type FaultyStore } from '../testing/faulty-store.ts';
import { settle } from '../testing/harness/settle.ts';
import { Feeds } from './feeds.ts';
import { pageBytes } from './log-pages.ts';

const logRow = (sid: number, seq: number, data = '{}'): LogRow => ({ sid, seq, turn: 0, type: 'x', at: 1, data });
const head = (sid: number, seq: number): Head => ({ sid, seq, stateSeq: seq, horizon: 0, fence: 0, node: null, wn: 0, due: null });

/** Sessions with `seqs` rows each, as far as feeds read them. */
const open = (seqs: ReadonlyMap<number, number>, deleted: ReadonlySet<number> = new Set(), data?: string): FaultyStore => {
  const positions = (sids: readonly number[]): Position[] =>
    sids.flatMap((sid) => (seqs.has(sid) ? [{ sid, seq: seqs.get(sid) ?? 0, deleted: deleted.has(sid) }] : []));
  const store: Partial<SessionStore> = {
    heads: async (sids) => positions(sids),
    loadBySid: async (sid) => ({ row: { deletedAt: null }, head: head(sid, seqs.get(sid) ?? 0), state: '' }) as never,
    events: async ({ sid, after, limit, maxBytes = Number.POSITIVE_INFINITY }) => {
      const rows: LogRow[] = [];
      for (let seq = after + 1; seq <= (seqs.get(sid) ?? 0) && rows.length < limit; seq += 1) {
        rows.push(logRow(sid, seq, data));
        if (rows.length * (data?.length ?? 2) >= maxBytes) break;
      }
      return rows;
    },
  };
  return createFaultyStore(store as SessionStore);
};

const watch = async (feeds: Feeds, sid: number, seq: number) => {
  const seen: number[] = [];
  const pages: number[] = [];
  let gone = false;
  await feeds.watch({ sid, id: `ses_${sid}` as SessionId, head: head(sid, seq) }, 0, {
    push: (rows) => void seen.push(...rows.map(({ row }) => row.seq)),
    page: async (rows) => {
      pages.push(rows.length);
      seen.push(...rows.map(({ row }) => row.seq));
      return true;
    },
    gone: () => {
      gone = true;
    },
  });
  return { seen, pages, gone: () => gone };
};

test('B7 where other processes write, one read finds what was missed, and who is gone', async () => {
  const seqs = new Map([1, 2, 3, 4].map((sid) => [sid, 1]));
  const deleted = new Set<number>();
  const { store, calls } = open(seqs, deleted);
  const feeds = new Feeds(store, { shared: true, newest: (sid) => store.loadBySid(sid) });
  const watches = await Promise.all([1, 2, 3, 4].map((sid) => watch(feeds, sid, 1)));
  const reads = calls('loadBySid');
  seqs.set(2, 3);
  seqs.delete(3);
  deleted.add(4);
  await feeds.sweep();
  await settle();
  expect(watches.map(({ seen }) => seen)).toEqual([[1], [1, 2, 3], [1], [1]]);
  expect(watches.map(({ gone }) => gone())).toEqual([false, false, true, true]);
  expect([calls('heads'), calls('loadBySid')]).toEqual([1, reads]);
  expect(feeds.size).toBe(2);
});

test('B7 a process alone reads nothing, but for a feed whose log could not be read', async () => {
  const seqs = new Map([1, 2].map((sid) => [sid, 1]));
  const { store, calls, inject } = open(seqs);
  const feeds = new Feeds(store, { shared: false, newest: (sid) => store.loadBySid(sid) });
  const [one, two] = await Promise.all([watch(feeds, 1, 1), watch(feeds, 2, 1)]);
  await feeds.sweep();
  expect(calls('heads')).toBe(0);
  inject({ method: 'events', call: 1, effect: { kind: 'refused' } });
  seqs.set(1, 2);
  feeds.moved(1, 2);
  await settle();
  expect(one?.seen).toEqual([1]);
  await feeds.sweep();
  await settle();
  expect([one?.seen, two?.seen]).toEqual([[1, 2], [1]]);
  await feeds.sweep();
  expect(calls('heads')).toBe(1);
});

test('B6 large rows come in pages of few, to those who lag as to those who follow', async () => {
  const seqs = new Map([[1, 9]]);
  const { store, calls } = open(seqs, new Set(), 'x'.repeat(pageBytes / 2));
  const feeds = new Feeds(store, { shared: true, newest: (sid) => store.loadBySid(sid) });
  const late = await watch(feeds, 1, 9);
  expect(late.pages).toEqual([2, 2, 2, 2, 1]);
  const reads = calls('events');
  seqs.set(1, 13);
  feeds.moved(1, 13);
  await settle();
  expect(late.seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect(calls('events') - reads).toBe(2);
});
