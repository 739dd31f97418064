import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, headOf, itemDelta, logOf, runWrite, sampleTime, taken } from './samples.ts';

/** What a write that is taken does to the head, the log and the rows beside it. */
export const describeWrites = (open: OpenStore): void => {
  describe('write', () => {
    const store = useStore(open, 'all');

    it('W2 gives out sequence numbers without gaps and returns the new head', async () => {
      const { head } = await createdSession(store.sessions());
      const second = taken(await store.sessions().write(command(head, { events: [event('a'), event('b'), event('c')], state: { body: '{"n":2}', due: 5 } })));
      expect(second).toEqual({ ...head, seq: 4, stateSeq: 4, due: 5 });
      const third = taken(await store.sessions().write(command(second, { events: [event('d')], state: { body: '{"n":3}', due: null } })));
      expect(third).toEqual({ ...head, seq: 5, stateSeq: 5, due: null });
      expect((await logOf(store.sessions(), head.sid)).map((row) => row.seq)).toEqual([1, 2, 3, 4, 5]);
      expect((await store.sessions().loadBySid(head.sid))?.state).toBe('{"n":3}');
    });

    it('W4 deltas move seq and wn, and neither stateSeq, due nor the state', async () => {
      const { head } = await createdSession(store.sessions(), { due: 0, write: { hold: { kind: 'claim', node: 'n' } } });
      const after = taken(await store.sessions().write(runWrite(head, { events: [itemDelta('item_1_1', 'a'), itemDelta('item_1_1', 'b')] })));
      expect(after).toEqual({ ...head, seq: head.seq + 2, wn: 1 });
      const loaded = await store.sessions().loadBySid(head.sid);
      expect(loaded?.head).toEqual(after);
      expect(loaded?.state).toBe('{"v":1}');
      // A command decided before the deltas is still good.
      taken(await store.sessions().write(command(head)));
    });

    it('keeps events exactly: type, turn, time and the JSON text as it was given', async () => {
      const { head } = await createdSession(store.sessions());
      const odd = '{"turn_id":"turn_1",  "text":"naïve 🙂 \\u0000 \\" \\\\ \u2028","n":1e21}';
      taken(await store.sessions().write(command(head, { events: [{ turn: 12, type: 'x.y', at: sampleTime + 1, data: odd }] })));
      expect((await logOf(store.sessions(), head.sid)).at(-1)).toEqual({ sid: head.sid, seq: 2, turn: 12, type: 'x.y', at: sampleTime + 1, data: odd });
    });

    it('takes large bodies whole', async () => {
      const { head } = await createdSession(store.sessions());
      const large = JSON.stringify({ text: 'äb"'.repeat(400_000) });
      taken(await store.sessions().write(command(head, { events: [{ turn: 1, type: 'big', at: 1, data: large }], payloads: [{ n: 9, body: large }] })));
      expect((await logOf(store.sessions(), head.sid)).at(-1)?.data).toBe(large);
      expect(await store.sessions().payload(head.sid, 9)).toBe(large);
    });

    it('hold: a claim moves the fence and clears wn, a release lets go; a run write also moves wn', async () => {
      const { head } = await createdSession(store.sessions());
      const held = taken(await store.sessions().write(command(head, { hold: { kind: 'claim', node: 'a' } })));
      expect(held).toMatchObject({ fence: 1, wn: 0, node: 'a' });
      const on = taken(await store.sessions().write(runWrite(held)));
      expect(on).toMatchObject({ fence: 1, wn: 1, node: 'a' });
      const free = taken(await store.sessions().write(runWrite(on, { hold: { kind: 'release' } })));
      expect(free).toMatchObject({ fence: 1, wn: 2, node: null });
      const again = taken(await store.sessions().write(command(free, { hold: { kind: 'claim', node: 'b' } })));
      expect(again).toMatchObject({ fence: 2, wn: 0, node: 'b' });
      expect(await headOf(store.sessions(), head.sid)).toEqual(again);
    });

    it('a write without events keeps the seq and still does the rest', async () => {
      const { head, id } = await createdSession(store.sessions());
      const { state: _, ...bare } = command(head, { events: [], session: { title: 'Renamed', metadata: '{"b":2}', updatedAt: 42 } });
      expect(taken(await store.sessions().write(bare))).toEqual(head);
      expect((await store.sessions().load(id))?.row).toMatchObject({ title: 'Renamed', metadata: '{"b":2}', updatedAt: 42, status: 'idle', archivedAt: null });
    });

    it('changes of the row touch only what they name', async () => {
      const { head, id, session } = await createdSession(store.sessions());
      const next = taken(await store.sessions().write(command(head, { session: { status: 'running' } })));
      taken(await store.sessions().write(command(next, { session: { archivedAt: 77 } })));
      expect((await store.sessions().load(id))?.row).toEqual({ ...session.row, sid: head.sid, status: 'running', archivedAt: 77 });
    });

    it('a resource is written whole: the first time with its place, then in its place', async () => {
      const { head } = await createdSession(store.sessions());
      const at = (ms: number) => event('x', {}, 1, ms);
      const one = taken(
        await store
          .sessions()
          .write(command(head, { events: [at(10), at(20), at(30)], resources: [{ kind: 'item', id: 'item_1', first: 1, last: 2, base: 2, body: '{"a":1}' }] })),
      );
      expect(await store.sessions().resource(head.sid, 'item_1')).toEqual({
        kind: 'item',
        id: 'item_1',
        n: 3,
        lastSeq: 4,
        baseSeq: 4,
        lastAt: 30,
        body: '{"a":1}',
      });
      taken(
        await store
          .sessions()
          .write(command(one, { events: [at(40), at(50)], resources: [{ kind: 'item', id: 'item_1', first: 0, last: 0, base: 1, body: '{"a":2}' }] })),
      );
      expect(await store.sessions().resource(head.sid, 'item_1')).toEqual({
        kind: 'item',
        id: 'item_1',
        n: 3,
        lastSeq: 5,
        baseSeq: 6,
        lastAt: 40,
        body: '{"a":2}',
      });
      expect(await store.sessions().resource(head.sid, 'item_2')).toBeUndefined();
    });

    it('a payload and a checkpoint may be written again for the same turn', async () => {
      const { head } = await createdSession(store.sessions());
      const checkpoint = { id: 'cp_1', turn: 1, reason: 'settled', at: 1 };
      const one = taken(
        await store.sessions().write(
          command(head, {
            payloads: [
              { n: 1, body: '1' },
              { n: 2, body: '2' },
            ],
            checkpoints: [checkpoint],
          }),
        ),
      );
      taken(await store.sessions().write(command(one, { payloads: [{ n: 1, body: '"new"' }], checkpoints: [{ ...checkpoint, id: 'cp_2' }] })));
      expect(await store.sessions().payload(head.sid, 1)).toBe('"new"');
      expect(await store.sessions().payload(head.sid, 2)).toBe('2');
    });
  });
};
