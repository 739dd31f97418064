import { describe, expect, it } from 'vitest';
import type { SessionStore, Write } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, headOf, logOf, quotaMove, runWrite, taken, unique } from './samples.ts';

/** A write that would change every table, for proving that a refused one changes none. */
const everything = (write: Write, marker: string, owner: string): Write => ({
  ...write,
  events: [event('left.behind')],
  state: { body: '{"left":"behind"}', due: 99 },
  resources: [{ kind: 'run', id: marker, first: 0, last: 0, base: 0, body: '{}' }],
  context: [{ at: 0, body: '{"left":"behind"}' }],
  payloads: [{ n: 99, body: '"left behind"' }],
  checkpoints: [{ id: marker, turn: 1, reason: 'x', at: 1 }],
  receipts: [{ scope: marker, key: 'k', hash: 'h', answer: '{}', at: 1 }],
  quota: quotaMove(owner, { unfinished: 1 }),
  hold: { kind: 'claim', node: 'thief' },
  session: { title: 'left behind' },
});

const expectUntouched = async (store: SessionStore, sid: number, marker: string, owner: string): Promise<void> => {
  const loaded = await store.loadBySid(sid);
  expect(loaded?.row.title).toBe('A session');
  expect(loaded?.state).toBe('{"v":1}');
  expect((await logOf(store, sid)).filter((row) => row.type === 'left.behind')).toEqual([]);
  expect(await store.resource(sid, marker)).toBeUndefined();
  expect(await store.context(sid)).toEqual([]);
  expect(await store.payload(sid, 99)).toBeUndefined();
  expect(await store.receipt(marker, 'k')).toBeUndefined();
  const head = await headOf(store, sid);
  expect(await store.write(command(head, { quota: quotaMove(owner, { unfinished: 1, unfinishedLimit: 0 }) }))).toEqual({
    ok: false,
    reason: 'quota',
    quota: 'unfinished',
    count: 0,
  });
};

/** W3 and W6: who may write, and that a refused write leaves nothing. */
export const describeGuards = (open: OpenStore): void => {
  describe('guards', () => {
    const store = useStore(open, 'all');

    it('W3 a command decided on an older state is refused with conflict and leaves nothing', async () => {
      const { head, owner } = await createdSession(store.sessions());
      const moved = taken(await store.sessions().write(command(head)));
      const marker = unique('m');
      expect(await store.sessions().write(everything(command(head), marker, owner))).toEqual({ ok: false, reason: 'conflict' });
      expect(await headOf(store.sessions(), head.sid)).toEqual(moved);
      await expectUntouched(store.sessions(), head.sid, marker, owner);
      expect(await store.sessions().write(command({ ...moved, stateSeq: moved.stateSeq + 1 }))).toEqual({ ok: false, reason: 'conflict' });
    });

    it("W3 a run write is refused with fenced unless fence and wn are the head's, and leaves nothing", async () => {
      const { head, owner } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      const marker = unique('m');
      for (const [fence, wn] of [
        [0, 0],
        [2, 0],
        [1, 1],
        [1, -1],
      ] as const) {
        const stale: Write = { ...runWrite(head), guard: { kind: 'run', fence, wn } };
        expect(await store.sessions().write(everything(stale, marker, owner))).toEqual({ ok: false, reason: 'fenced' });
      }
      expect(await headOf(store.sessions(), head.sid)).toEqual(head);
      await expectUntouched(store.sessions(), head.sid, marker, owner);
    });

    it('W3 the same run write made again is refused: a lost answer does not write twice', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      taken(await store.sessions().write(runWrite(head)));
      expect(await store.sessions().write(runWrite(head))).toEqual({ ok: false, reason: 'fenced' });
      expect(await logOf(store.sessions(), head.sid)).toHaveLength(2);
    });

    it('W3 a run write with stateSeq is also checked as a command is; fenced comes first', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      const step = (fence: number, wn: number, stateSeq: number): Write => ({ ...command(head), guard: { kind: 'run', fence, wn, stateSeq } });
      const moved = taken(await store.sessions().write(command(head)));
      expect(moved.wn).toBe(0);
      expect(await store.sessions().write(step(1, 0, head.stateSeq))).toEqual({ ok: false, reason: 'conflict' });
      expect(await store.sessions().write(step(7, 0, head.stateSeq))).toEqual({ ok: false, reason: 'fenced' });
      expect(taken(await store.sessions().write(step(1, 0, moved.stateSeq)))).toMatchObject({ wn: 1, stateSeq: moved.seq + 1 });
    });

    it('an unknown session is gone', async () => {
      const { head } = await createdSession(store.sessions());
      const nowhere = { ...head, sid: 2_000_000_000 };
      expect(await store.sessions().write(command(nowhere))).toEqual({ ok: false, reason: 'gone' });
      expect(await store.sessions().write(runWrite(nowhere))).toEqual({ ok: false, reason: 'gone' });
    });

    it('a deleted session takes no more writes, is still found, and frees its keys', async () => {
      const scope = unique('scope');
      const receipt = { scope, key: 'create', hash: 'h', answer: '"first"', at: 1 };
      const { head, id } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' }, receipts: [receipt] } });
      const other = await createdSession(store.sessions(), { write: { receipts: [{ ...receipt, key: 'other' }] } });
      const gone = taken(await store.sessions().write(command(head, { session: { deletedAt: 5 }, receipts: [{ ...receipt, key: 'delete' }] })));
      expect(await store.sessions().write(runWrite(gone))).toEqual({ ok: false, reason: 'gone' });
      expect(await store.sessions().write(command(gone, { receipts: [{ ...receipt, key: 'delete' }] }))).toEqual({ ok: false, reason: 'gone' });
      expect((await store.sessions().load(id))?.row.deletedAt).toBe(5);
      expect(await store.sessions().receipt(scope, 'create')).toBeUndefined();
      expect(await store.sessions().receipt(scope, 'delete')).toMatchObject({ key: 'delete' });
      expect(await store.sessions().receipt(scope, 'other')).toMatchObject({ key: 'other' });
      expect(other.head.sid).not.toBe(head.sid);
    });

    it('W6 the order of checks is receipt, guard, quota', async () => {
      const { head, owner } = await createdSession(store.sessions());
      const receipt = { scope: unique('s'), key: 'k', hash: 'h', answer: '"a"', at: 1 };
      const moved = taken(await store.sessions().write(command(head, { receipts: [receipt] })));
      const quota = quotaMove(owner, { unfinished: 1, unfinishedLimit: 0 });
      expect(await store.sessions().write(command(head, { receipts: [receipt], quota }))).toEqual({ ok: false, reason: 'receipt', receipt });
      expect(await store.sessions().write(command(head, { quota }))).toEqual({ ok: false, reason: 'conflict' });
      expect(await store.sessions().write(command(moved, { quota }))).toEqual({ ok: false, reason: 'quota', quota: 'unfinished', count: 0 });
    });
  });
};
