import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, taken, unique } from './samples.ts';

/** Single rows and the log. Resources and lists have files of their own. */
export const describeReads = (open: OpenStore): void => {
  describe('reads', () => {
    const store = useStore(open, 'all');

    it('what is unknown is undefined or empty, never an error', async () => {
      const sid = 2_000_000_000;
      expect(await store.sessions().load(unique('ses_') as SessionId)).toBeUndefined();
      expect(await store.sessions().loadBySid(sid)).toBeUndefined();
      expect(await store.sessions().heads([sid])).toEqual([]);
      expect(await store.sessions().heads([])).toEqual([]);
      expect(await store.sessions().config(unique('c'))).toBeUndefined();
      expect(await store.sessions().configs([unique('c')])).toEqual(new Map());
      expect(await store.sessions().receipt(unique('s'), 'k')).toBeUndefined();
      expect(await store.sessions().payload(sid, 1)).toBeUndefined();
      expect(await store.sessions().context(sid)).toEqual([]);
      expect(await store.sessions().checkpoints({ sid, limit: 1 })).toEqual([]);
      expect(await store.sessions().events({ sid, after: 0, limit: 10 })).toEqual([]);
      expect(await store.sessions().resources(sid, [{ kind: 'turn', limit: 1 }])).toBeUndefined();
      expect(await store.sessions().resource(sid, 'x')).toBeUndefined();
      expect(await store.sessions().resourcesOf(sid, ['x'])).toEqual([]);
    });

    it('load and loadBySid give the same', async () => {
      const { id, head, session } = await createdSession(store.sessions(), { due: 12 });
      const loaded = await store.sessions().load(id);
      expect(loaded).toEqual(await store.sessions().loadBySid(head.sid));
      expect(loaded).toEqual({ row: { ...session.row, sid: head.sid }, head, state: '{"v":1}' });
    });

    it('events: (after, upto], in order, at most limit, of one turn when asked', async () => {
      const { head } = await createdSession(store.sessions());
      const other = await createdSession(store.sessions());
      let [one, two] = [head, other.head];
      for (let n = 0; n < 5; n += 1) {
        one = taken(await store.sessions().write(command(one, { events: [event('a', {}, 1), event('b', {}, 2)] })));
        two = taken(await store.sessions().write(command(two, { events: [event('other', {}, 1)] })));
      }
      const seqs = async (query: { after: number; upto?: number; limit: number; turn?: number }): Promise<number[]> =>
        (await store.sessions().events({ sid: head.sid, ...query })).map((row) => row.seq);
      expect(await seqs({ after: 0, limit: 100 })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      expect(await seqs({ after: 3, limit: 100 })).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
      expect(await seqs({ after: 3, upto: 6, limit: 100 })).toEqual([4, 5, 6]);
      expect(await seqs({ after: 3, upto: 9, limit: 2 })).toEqual([4, 5]);
      expect(await seqs({ after: 0, limit: 100, turn: 2 })).toEqual([3, 5, 7, 9, 11]);
      expect(await seqs({ after: 3, upto: 9, limit: 2, turn: 2 })).toEqual([5, 7]);
      expect(await seqs({ after: 0, limit: 100, turn: 0 })).toEqual([1]);
      expect(await seqs({ after: 11, limit: 100 })).toEqual([]);
      expect(await seqs({ after: 99, limit: 100 })).toEqual([]);
      expect(await seqs({ after: 0, limit: 0 })).toEqual([]);
    });

    it('heads: where many sessions are, deleted ones among them, unknown ones left out', async () => {
      const [moved, deleted, still] = await Promise.all([createdSession(store.sessions()), createdSession(store.sessions()), createdSession(store.sessions())]);
      taken(await store.sessions().write(command(moved.head, { events: [event('a'), event('b')] })));
      taken(await store.sessions().write(command(deleted.head, { session: { deletedAt: 5 } })));
      const found = await store.sessions().heads([moved.head.sid, 2_000_000_000, deleted.head.sid]);
      expect(found.toSorted((a, b) => a.seq - b.seq)).toEqual([
        { sid: deleted.head.sid, seq: 2, deleted: true },
        { sid: moved.head.sid, seq: 3, deleted: false },
      ]);
      const many = [...Array.from({ length: 20_000 }, (_, n) => 2_000_000_000 + n), still.head.sid];
      expect(await store.sessions().heads(many)).toEqual([{ sid: still.head.sid, seq: 1, deleted: false }]);
    });

    it('events: a page ends with the row that fills it, and has at least one', async () => {
      const { head } = await createdSession(store.sessions());
      const sized = (bytes: number, turn: number) => event('a', 'x'.repeat(bytes - 2), turn);
      const large = '\u{1F600}'.repeat(100);
      const events = [sized(100, 1), sized(100, 2), event('a', large, 1), sized(100, 2), sized(100, 1)];
      taken(await store.sessions().write(command(head, { events })));
      const seqs = async (query: { limit: number; turn?: number; maxBytes?: number; after?: number }): Promise<number[]> =>
        (await store.sessions().events({ sid: head.sid, after: 1, ...query })).map((row) => row.seq);
      expect(await seqs({ limit: 10, maxBytes: 1 })).toEqual([2]);
      expect(await seqs({ limit: 10, maxBytes: 100 })).toEqual([2]);
      expect(await seqs({ limit: 10, maxBytes: 101 })).toEqual([2, 3]);
      // UTF-8: 402 bytes with its quotes.
      expect(await seqs({ limit: 10, maxBytes: 602 })).toEqual([2, 3, 4]);
      expect(await seqs({ limit: 10, maxBytes: 603 })).toEqual([2, 3, 4, 5]);
      expect(await seqs({ limit: 2, maxBytes: 9_999 })).toEqual([2, 3]);
      expect(await seqs({ limit: 10, maxBytes: 101, turn: 2 })).toEqual([3, 5]);
      expect(await seqs({ limit: 10, maxBytes: 1, after: 4 })).toEqual([5]);
      expect(await seqs({ limit: 10, maxBytes: 9_999 })).toEqual([2, 3, 4, 5, 6]);
    });

    it('context: ascending, numbered by the event that each rests on; the newest ones with last, those behind a row with after', async () => {
      const { head } = await createdSession(store.sessions());
      const entry = (n: number) => `{"kind":"message","n":${n}}`;
      const one = taken(
        await store.sessions().write(
          command(head, {
            events: [event('a'), event('b'), event('c')],
            context: [
              { at: 0, body: entry(1) },
              { at: 2, body: entry(2) },
            ],
          }),
        ),
      );
      taken(await store.sessions().write(command(one, { events: [event('d')], context: [{ at: 0, body: entry(3) }] })));
      const all = [
        { n: 2, body: entry(1) },
        { n: 4, body: entry(2) },
        { n: 5, body: entry(3) },
      ];
      expect(await store.sessions().context(head.sid)).toEqual(all);
      expect(await store.sessions().context(head.sid, 2)).toEqual(all.slice(1));
      expect(await store.sessions().context(head.sid, 9)).toEqual(all);
      expect(await store.sessions().context(head.sid, undefined, 2)).toEqual(all.slice(1));
      expect(await store.sessions().context(head.sid, 1, 2)).toEqual(all.slice(2));
      expect(await store.sessions().context(head.sid, undefined, 5)).toEqual([]);
    });

    it('ping resolves while writes can be taken', async () => {
      await expect(store.sessions().ping()).resolves.toBeUndefined();
    });
  });
};
