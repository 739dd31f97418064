import { describe, expect, it } from 'vitest';
import type { CheckpointWrite } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, taken } from './samples.ts';

const checkpoint = (id: string, more: Partial<CheckpointWrite> = {}): CheckpointWrite => ({ id, turn: 1, reason: 'turn.completed', at: 7, ...more });

/** Pointers into the context, and whose context a session began with. */
export const describeCheckpoints = (open: OpenStore): void => {
  describe('checkpoints', () => {
    const store = useStore(open, 'all');

    it('point to the write’s last event, or to the one that they name', async () => {
      const { head } = await createdSession(store.sessions());
      const events = [event('a'), event('b'), event('c')];
      const one = taken(
        await store.sessions().write(command(head, { events, checkpoints: [checkpoint('ckpt_a_1', { last: 0 }), checkpoint('ckpt_b_1', { turn: 2 })] })),
      );
      taken(
        await store
          .sessions()
          .write(
            command(one, { events: [event('d')], checkpoints: [checkpoint('ckpt_c_1', { turn: 3, last: 0, at: 9 }), checkpoint('ckpt_d_1', { last: -1 })] }),
          ),
      );
      const { sid } = head;
      expect(await store.sessions().checkpoint(sid, 'ckpt_a_1')).toMatchObject({ id: 'ckpt_a_1', upto: 2, turn: 1, reason: 'turn.completed', at: 7 });
      expect(await store.sessions().checkpoint(sid, 'ckpt_b_1')).toMatchObject({ id: 'ckpt_b_1', upto: 4, turn: 2 });
      expect(await store.sessions().checkpoint(sid, 'ckpt_c_1')).toMatchObject({ upto: 5, turn: 3, at: 9 });
      expect(await store.sessions().checkpoint(sid, 'ckpt_d_1')).toMatchObject({ upto: 4 });
      for (const unknown of ['ckpt_a', 'ckpt_a_2', 'ckpt_a_1.', 'ckpt_a_1.9', '', '\u0000.'])
        expect(await store.sessions().checkpoint(sid, unknown)).toBeUndefined();
      expect(await store.sessions().checkpoint(sid + 1_000_000, 'ckpt_a_1')).toBeUndefined();
    });

    it('are listed newest first, in pages, and by turn', async () => {
      const { head } = await createdSession(store.sessions());
      const { sid } = head;
      let at = taken(
        await store
          .sessions()
          .write(command(head, { events: [event('a'), event('b')], checkpoints: [checkpoint('c0', { last: 0 }), checkpoint('c1', { turn: 2 })] })),
      );
      for (const n of [2, 3, 4]) at = taken(await store.sessions().write(command(at, { checkpoints: [checkpoint(`c${n}`, { turn: 2 + (n % 2) })] })));
      const ids: string[] = [];
      for (let before: { at: number; id: string } | undefined; ; ) {
        const page = await store.sessions().checkpoints({ sid, limit: 2, ...(before ? { before } : {}) });
        ids.push(...page.map(({ id }) => id));
        before = page.at(-1)?.place;
        if (page.length < 2) break;
      }
      expect(ids.slice(0, 3)).toEqual(['c4', 'c3', 'c2']);
      expect(ids.toSorted()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
      expect((await store.sessions().checkpoints({ sid, limit: 9, turn: 2 })).map(({ id }) => id)).toEqual(['c4', 'c2', 'c1']);
      expect(await store.sessions().checkpoints({ sid: sid + 1_000_000, limit: 9 })).toEqual([]);
    });

    it('may be all that a write does: then they point to what is there', async () => {
      const { head } = await createdSession(store.sessions());
      const { state: _, ...bare } = command(head, { events: [], checkpoints: [checkpoint('c1')] });
      expect(taken(await store.sessions().write(bare))).toEqual(head);
      expect(await store.sessions().checkpoint(head.sid, 'c1')).toMatchObject({ upto: head.seq });
    });

    it('whose context a session began with stands on its row, from its creation on or later', async () => {
      const forkedFrom = '{"session_id":"ses_1","checkpoint_id":"ckpt_1","turn_id":null}';
      const made = await createdSession(store.sessions(), { row: { forkedFrom } });
      expect((await store.sessions().load(made.id))?.row).toEqual({ ...made.session.row, sid: made.head.sid });
      const later = await createdSession(store.sessions());
      expect((await store.sessions().load(later.id))?.row).not.toHaveProperty('forkedFrom');
      taken(await store.sessions().write(command(later.head, { session: { forkedFrom } })));
      expect((await store.sessions().loadBySid(later.head.sid))?.row.forkedFrom).toBe(forkedFrom);
      const listed = await store.sessions().list({ owner: later.owner, status: 'all', offset: 0, limit: 9 });
      expect(listed.map((row) => row.forkedFrom)).toEqual([forkedFrom]);
    });
  });
};
