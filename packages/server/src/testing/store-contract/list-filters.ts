import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import type { ItemRow, ListQuery } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, type SampleSession, taken, unique } from './samples.ts';

/** `list`: by what sessions do, when, for whom and with which metadata; `items`, in which words are looked for; and `newest`. */
export const describeListFilters = (open: OpenStore): void => {
  describe('list, narrowed', () => {
    const store = useStore(open, 'each');
    const titled = async (title: string, row: Partial<NonNullable<SampleSession['row']>> = {}) => createdSession(store.sessions(), { row: { title, ...row } });
    const titles = async (query: Partial<ListQuery>): Promise<string[]> =>
      (await store.sessions().list({ status: 'all', offset: 0, limit: 100, ...query })).map((row) => row.title);

    it('by what they do', async () => {
      const { head } = await titled('one');
      await titled('two', { status: 'running' });
      expect(await titles({ activity: 'idle' })).toEqual(['one']);
      taken(await store.sessions().write(command(head, { session: { status: 'requires_action' } })));
      expect(await titles({ activity: 'requires_action' })).toEqual(['one']);
      expect(await titles({ activity: 'idle' })).toEqual([]);
      expect(await titles({ activity: 'running', status: 'archived' })).toEqual([]);
    });

    it('by when they were made and changed: not before, and before', async () => {
      for (let n = 1; n <= 4; n += 1) await titled(`t${n}`, { createdAt: n * 10, updatedAt: 100 - n * 10 });
      expect(await titles({ created: { from: 20 } })).toEqual(['t4', 't3', 't2']);
      expect(await titles({ created: { before: 20 } })).toEqual(['t1']);
      expect(await titles({ created: { from: 20, before: 40 } })).toEqual(['t3', 't2']);
      expect(await titles({ updated: { from: 70, before: 90 } })).toEqual(['t3', 't2']);
      expect(await titles({ created: { from: 30 }, updated: { from: 70 } })).toEqual(['t3']);
    });

    it('the last changed first, page by page', async () => {
      const { head } = await titled('a', { createdAt: 1, updatedAt: 1 });
      await titled('b', { createdAt: 2, updatedAt: 5 });
      await titled('c', { createdAt: 3, updatedAt: 5 });
      expect(await titles({ order: 'updated' })).toEqual(['c', 'b', 'a']);
      taken(await store.sessions().write(command(head, { session: { updatedAt: 9 } })));
      expect(await titles({ order: 'updated' })).toEqual(['a', 'c', 'b']);
      expect(await titles({ order: 'updated', offset: 1, limit: 1 })).toEqual(['c']);
      expect(await titles({ order: 'created' })).toEqual(['c', 'b', 'a']);
    });

    it('by texts in metadata and configuration, literally: one of each list', async () => {
      await titled('one', { metadata: '{"ticket":"Ä_1","n":4}' });
      await titled('two', { metadata: '{"ticket":4}', configRef: 'config-2' });
      expect(await titles({ metadataHolds: [['"ticket":"Ä_1"']] })).toEqual(['one']);
      expect(await titles({ metadataHolds: [['"ticket":"ä_1"']] })).toEqual([]);
      expect(await titles({ metadataHolds: [['"ticket":"Ä%1"']] })).toEqual([]);
      expect(await titles({ metadataHolds: [['"ticket":"4"', '"ticket":4']] })).toEqual(['two']);
      expect(await titles({ metadataHolds: [['"ticket"'], ['"n":4']] })).toEqual(['one']);
      expect(await titles({ configHolds: '"model":"demo"' })).toEqual(['two', 'one']);
      expect(await titles({ configHolds: '"model":"Demo"' })).toEqual([]);
      expect(await titles({ configHolds: '"demo"', activity: 'idle', q: 'two', order: 'updated', metadataHolds: [['4']] })).toEqual(['two']);
    });
  });

  describe('items', () => {
    const store = useStore(open, 'each');
    const saying = async (...texts: readonly string[]) =>
      createdSession(store.sessions(), {
        write: {
          events: [event('turn.accepted'), ...texts.map(() => event('item.completed'))],
          resources: [
            ...texts.map((body, n) => ({ kind: 'item' as const, id: `item_${n}`, first: n + 1, last: n + 1, base: n + 1, body })),
            { kind: 'turn' as const, id: 'turn_1', first: 0, last: 0, base: 0, body: '{"a":"turn"}' },
          ],
        },
      });
    const bodies = (rows: readonly ItemRow[]): string[] => rows.map(({ body }) => body);

    it('of several sessions, in the order that was asked for, each from its first one on', async () => {
      const [a, b, c] = [await saying('"a1"', '"a2"'), await saying(), await saying('"c1"')];
      const sids = [c.head.sid, b.head.sid, a.head.sid];
      const rows = await store.sessions().items({ sids, maxBytes: 1_000 });
      expect(rows).toEqual([
        { sid: c.head.sid, n: 2, body: '"c1"' },
        { sid: a.head.sid, n: 2, body: '"a1"' },
        { sid: a.head.sid, n: 3, body: '"a2"' },
      ]);
      expect(await store.sessions().items({ sids: [], maxBytes: 1_000 })).toEqual([]);
    });

    it('page by page, by size in bytes: never empty, and after a place in the first one only', async () => {
      const [a, b] = [await saying('"ää"', '"a2"', '"a3"'), await saying('"b1"')];
      const sids = [a.head.sid, b.head.sid];
      expect(bodies(await store.sessions().items({ sids, maxBytes: 1 }))).toEqual(['"ää"']);
      expect(bodies(await store.sessions().items({ sids, maxBytes: 6 }))).toEqual(['"ää"']);
      expect(bodies(await store.sessions().items({ sids, maxBytes: 7 }))).toEqual(['"ää"', '"a2"']);
      expect(bodies(await store.sessions().items({ sids, afterN: 3, maxBytes: 1_000 }))).toEqual(['"a3"', '"b1"']);
      expect(bodies(await store.sessions().items({ sids, afterN: 4, maxBytes: 1 }))).toEqual(['"b1"']);
    });
  });

  describe('newest', () => {
    const store = useStore(open, 'each');
    const id = (): SessionId => unique('ses_') as SessionId;
    const used = (...bodies: readonly string[]): NonNullable<SampleSession['write']> => ({
      events: bodies.map(() => event('turn.accepted')),
      resources: bodies.map((body, n) => ({ kind: 'turn', id: `turn_${n}`, first: n, last: n, base: n, body })),
    });
    const add = (own: SessionId, root: SessionId, path: string, ...bodies: readonly string[]) =>
      createdSession(store.sessions(), { id: own, row: { root, path }, write: used(...bodies) });
    const newest = async (roots: readonly SessionId[], each = 9, kind: 'turn' | 'usage' = 'turn') =>
      (await store.sessions().newest({ roots, kind, each })).toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

    it('of each session of a tree so many, the newest first; of no other kind, tree or deleted session', async () => {
      const [root, child, gone, other] = [id(), id(), id(), id()];
      await add(root, root, '', '"r1"', '"r2"', '"r3"');
      await add(child, root, 'a:1', '"c1"', '"c2"', '"c3"');
      const { head } = await add(gone, root, 'b:2', '"g1"');
      await add(other, other, '', '"o1"');
      taken(await store.sessions().write(command(head, { session: { deletedAt: 1 } })));
      expect(await newest([root], 2)).toEqual([
        { id: root, root, path: '', body: '"r3"' },
        { id: root, root, path: '', body: '"r2"' },
        { id: child, root, path: 'a:1', body: '"c3"' },
        { id: child, root, path: 'a:1', body: '"c2"' },
      ]);
      expect((await newest([other, root, other])).map(({ body }) => body).toSorted()).toEqual(['"c1"', '"c2"', '"c3"', '"o1"', '"r1"', '"r2"', '"r3"']);
      expect(await newest([child])).toEqual([]);
      expect(await newest([root], 9, 'usage')).toEqual([]);
      expect(await newest([])).toEqual([]);
    });
  });
};
