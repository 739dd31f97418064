import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, headOf, logOf, newSession, quotaMove, taken, unique } from './samples.ts';

/** `create`: the session with its first events, all or nothing. */
export const describeCreate = (open: OpenStore): void => {
  describe('create', () => {
    const store = useStore(open, 'all');

    it('W1 W2 writes the session with its first events, numbered from 1', async () => {
      const session = newSession({
        row: { title: 'Häuser & "quotes"', metadata: '{"a":1}' },
        write: { events: [event('session.status_created'), event('turn.accepted', { turn_id: 'turn_1' }, 1)], state: { body: '{"v":1,"x":2}', due: 7 } },
      });
      const head = taken(await store.sessions().create(session));
      expect(head).toMatchObject({ seq: 2, stateSeq: 2, horizon: 0, fence: 0, node: null, wn: 0, due: 7 });
      expect(head.sid).toBeGreaterThan(0);
      const loaded = await store.sessions().load(session.row.id);
      expect(loaded).toEqual({ row: { ...session.row, sid: head.sid }, head, state: '{"v":1,"x":2}' });
      expect((await logOf(store.sessions(), head.sid)).map((row) => [row.seq, row.turn, row.type])).toEqual([
        [1, 0, 'session.status_created'],
        [2, 1, 'turn.accepted'],
      ]);
      expect(await store.sessions().config('config-1')).toBe('{"model":"demo"}');
      expect(await store.sessions().configs(['nothing', 'config-1', 'config-1'])).toEqual(new Map([['config-1', '{"model":"demo"}']]));
    });

    it('brings resources, context, payloads, a receipt, quota and hold in the same commit', async () => {
      const scope = unique('scope');
      const { head, owner } = await createdSession(store.sessions(), {
        due: 0,
        write: {
          events: [event('session.status_created'), event('turn.accepted', { turn_id: 'turn_1' }, 1)],
          resources: [{ kind: 'turn', id: 'turn_1', first: 1, last: 1, base: 1, body: '{"turn_id":"turn_1"}' }],
          context: [{ at: 1, body: '{"kind":"message"}' }],
          payloads: [{ n: 1, body: '["hi"]' }],
          receipts: [{ scope, key: 'k', hash: 'h', answer: '{}', at: 5 }],
          hold: { kind: 'claim', node: 'node-a' },
        },
      });
      expect(head).toMatchObject({ fence: 1, wn: 0, node: 'node-a', due: 0 });
      expect(await store.sessions().resource(head.sid, 'turn_1')).toMatchObject({ n: 2, lastSeq: 2, baseSeq: 2 });
      expect(await store.sessions().context(head.sid)).toEqual([{ n: 2, body: '{"kind":"message"}' }]);
      expect(await store.sessions().payload(head.sid, 1)).toBe('["hi"]');
      expect(await store.sessions().receipt(scope, 'k')).toEqual({ scope, key: 'k', hash: 'h', answer: '{}', at: 5 });
      const over = newSession({ owner, write: { events: [event('session.status_created')], quota: quotaMove(owner, { unfinished: 1, unfinishedLimit: 0 }) } });
      expect(await store.sessions().create(over)).toEqual({ ok: false, reason: 'quota', quota: 'unfinished', count: 0 });
    });

    it('an id that exists is refused with conflict and changes nothing', async () => {
      const { id, head } = await createdSession(store.sessions());
      const again = newSession({ id, row: { title: 'Another' } });
      expect(await store.sessions().create(again)).toEqual({ ok: false, reason: 'conflict' });
      expect((await store.sessions().load(id))?.row.title).toBe('A session');
      expect(await headOf(store.sessions(), head.sid)).toEqual(head);
    });

    it('W6 a refused create leaves nothing: no session, config, receipt or quota', async () => {
      const scope = unique('scope');
      const ref = unique('config');
      const first = await createdSession(store.sessions(), { write: { receipts: [{ scope, key: 'k', hash: 'h', answer: '"first"', at: 1 }] } });
      const second = newSession({
        owner: first.owner,
        row: { configRef: ref },
        write: {
          receipts: [
            { scope, key: 'other', hash: 'h', answer: '"no"', at: 2 },
            { scope, key: 'k', hash: 'h2', answer: '"no"', at: 2 },
          ],
          quota: quotaMove(first.owner, { unfinished: 1, unfinishedLimit: 10 }),
        },
      });
      const refused = await store.sessions().create(second);
      expect(refused).toEqual({ ok: false, reason: 'receipt', receipt: { scope, key: 'k', hash: 'h', answer: '"first"', at: 1 } });
      expect(await store.sessions().load(second.row.id)).toBeUndefined();
      expect(await store.sessions().config(ref)).toBeUndefined();
      expect(await store.sessions().receipt(scope, 'other')).toBeUndefined();
      const probe = command(first.head, { quota: quotaMove(first.owner, { unfinished: 1, unfinishedLimit: 0 }) });
      expect(await store.sessions().write(probe)).toEqual({ ok: false, reason: 'quota', quota: 'unfinished', count: 0 });
    });

    it('sessions that share a configuration keep it once', async () => {
      const ref = unique('config');
      await createdSession(store.sessions(), { row: { configRef: ref } });
      const other = newSession({ row: { configRef: ref } });
      taken(await store.sessions().create({ ...other, config: { ref, body: '{"model":"demo"}' } }));
      expect(await store.sessions().config(ref)).toBe('{"model":"demo"}');
    });
  });
};
