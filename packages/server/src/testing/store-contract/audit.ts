import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, command, createdSession, headOf, newSession, taken, unique } from './samples.ts';

/** Audit entries that come with a session's writes. */
export const describeAudit = (open: OpenStore): void => {
  describe('audit of sessions', () => {
    const store = useStore(open, 'all');
    const written = (sessionId: string) => store.catalog().audit({ sessionId, limit: 10 });

    it('W1 comes with the write that it tells of, and is read back whole, newest first', async () => {
      const { head, id } = await createdSession(store.sessions());
      const [a, b] = [
        auditRow({ id: `${unique('a')}1`, sessionId: id, address: '::1', credentialId: 'tok_1', details: { answers: [{ a: '"ü"' }] } }),
        auditRow({ sessionId: id, id: unique('b') }),
      ];
      taken(await store.sessions().write(command(head, { audit: [a, b] })));
      expect(await written(id)).toEqual([b, a]);
    });

    it('W6 a refused write leaves none', async () => {
      const { head, id } = await createdSession(store.sessions());
      taken(await store.sessions().write(command(head)));
      expect(await store.sessions().write(command(head, { audit: [auditRow({ sessionId: id })] }))).toEqual({ ok: false, reason: 'conflict' });
      expect(await written(id)).toEqual([]);
    });

    it('G10 answers are found by whose session it is, or where, the newest first; of a session that is gone none', async () => {
      const [mine, theirs, placed, gone] = [
        await createdSession(store.sessions(), { owner: 'user:g10' }),
        await createdSession(store.sessions()),
        await createdSession(store.sessions(), { row: { placement: 'space:g10', title: 'Placed' } }),
        await createdSession(store.sessions(), { owner: 'user:g10' }),
      ];
      const names = ['1', '2', '3', '4', '5', '6'].map((n) => `zz-g10-${n}`);
      const entries = [mine.id, theirs.id, placed.id, gone.id, mine.id, mine.id].map((sessionId, n) =>
        auditRow({ id: names[n] as string, sessionId, action: n === 4 ? 'budget.set' : 'action.answered' }),
      );
      for (const entry of entries) await store.catalog().addAudit(entry);
      taken(await store.sessions().write(command(gone.head, { session: { deletedAt: 5 } })));
      const visible = { owners: ['user:g10'], placements: ['space:g10'] };
      const ask = async (query: Partial<Parameters<ReturnType<typeof store.catalog>['answeredActions']>[0]>) => {
        const { answers: found, next } = await store.catalog().answeredActions({ visible, limit: 10, look: 1_000, ...query });
        return [found.map(({ entry }) => entry.id.slice(-1)), next];
      };
      expect(await ask({})).toEqual([['6', '3', '1'], null]);
      expect(await ask({ visible: { owners: [], placements: ['space:g10'] } })).toEqual([['3'], null]);
      expect(await ask({ visible: { owners: [], placements: [] } })).toEqual([[], null]);
      // By pages, and by how far it looks: what is older is asked for by the next look.
      expect(await ask({ limit: 1 })).toEqual([['6'], names[5]]);
      expect(await ask({ look: 2 })).toEqual([['6'], names[4]]);
      expect(await ask({ look: 2, before: names[4] as string })).toEqual([['3'], names[2]]);
      const { answers: all } = await store.catalog().answeredActions({ limit: 1, look: 1, before: names[3] as string });
      expect(all).toEqual([{ entry: entries[2], session: { owner: placed.owner, placement: 'space:g10', title: 'Placed' } }]);
    });

    it('comes with the creation of a session, and outlives the session', async () => {
      const session = newSession();
      const made = auditRow({ sessionId: session.row.id, id: unique('a') });
      const { sid } = taken(await store.sessions().create({ ...session, write: { ...session.write, audit: [made] } }));
      const gone = auditRow({ sessionId: session.row.id, id: unique('b') });
      taken(await store.sessions().write(command(await headOf(store.sessions(), sid), { session: { deletedAt: 5 }, audit: [gone] })));
      expect(await written(session.row.id)).toEqual([gone, made]);
    });
  });
};
