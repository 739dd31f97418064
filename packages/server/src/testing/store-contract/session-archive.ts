import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import type { ArchivedSession } from '../../ports/session-archive.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, command, createdSession, headOf, logOf, newSession, sampleTime, taken, unique } from './samples.ts';
import { sampleWebhook } from './webhooks.ts';

const archived = (sid: number, over: Partial<ArchivedSession['row']> = {}): ArchivedSession => ({
  row: { ...newSession({ id: unique('ses_') }).row, configRef: 'config-of-old', title: 'Ein Märchen', ...over, sid },
  config: { ref: 'config-of-old', body: '{"imported":true}' },
  state: '{"v":1}',
  format: 1,
  seq: 1_205,
  stateSeq: 1_204,
  events: Array.from({ length: 1_200 }, (_, n) => ({ seq: n + 6, turn: 0, type: 'session.status_idle', at: sampleTime + n, data: `{"n":${n}}` })),
  resources: [{ kind: 'turn', id: 'turn_1', n: 6, lastSeq: 9, baseSeq: 9, lastAt: sampleTime, body: '{"turn_id":"turn_1"}' }],
});

/** The port of archives: SA1 to SA4. */
export const describeSessionArchive = (open: OpenStore): void => {
  describe('session archive', () => {
    const store = useStore(open, 'each');
    const bringBack = (session: ArchivedSession, audit = auditRow()) => store.archive().bringBack(session, audit);

    it('SA1: a session comes back under its number, with its log, gaps and all', async () => {
      const session = archived(77);
      const audit = auditRow({ subject: 'session:imported' });
      expect(await bringBack(session, audit)).toBe('done');
      expect(await store.catalog().audit({ limit: 5, subject: audit.subject })).toEqual([audit]);
      const loaded = await store.sessions().load(session.row.id);
      expect(loaded?.row).toMatchObject({ ...session.row });
      expect(loaded?.head).toMatchObject({ sid: 77, seq: 1_205, stateSeq: 1_204, horizon: 0, node: null, due: null });
      const log = await logOf(store.sessions(), 77);
      expect(log.map(({ seq }) => seq)).toEqual(session.events.map(({ seq }) => seq));
      expect(log.at(-1)).toEqual({ sid: 77, ...session.events.at(-1) });
      expect(await store.sessions().resource(77, 'turn_1')).toMatchObject({ n: 6, lastSeq: 9, body: '{"turn_id":"turn_1"}' });
      expect(await store.sessions().config('config-of-old')).toBe('{"imported":true}');
      const found = await store.sessions().list({ status: 'all', q: 'MÄRCHEN', offset: 0, limit: 5 });
      expect(found.map(({ id }) => id)).toEqual([session.row.id]);
    });

    it('SA1: an id or a number that is in use is left as it is', async () => {
      const { head, id } = await createdSession(store.sessions());
      const audit = auditRow({ subject: 'session:refused' });
      expect(await bringBack(archived(head.sid), audit)).toBe('taken');
      expect(await bringBack(archived(head.sid + 50, { id: id as SessionId }), audit)).toBe('taken');
      expect(await store.catalog().audit({ limit: 5, subject: audit.subject })).toEqual([]);
      expect(await store.sessions().loadBySid(head.sid + 50)).toBeUndefined();
      expect(await logOf(store.sessions(), head.sid)).toHaveLength(1);
    });

    it('SA4: sessions that are made later get other numbers, and it goes on as any', async () => {
      const session = archived(40);
      await bringBack(session);
      await bringBack(archived(12));
      const { head } = await createdSession(store.sessions());
      expect(head.sid).toBeGreaterThan(40);
      expect(taken(await store.sessions().write(command(await headOf(store.sessions(), 40)))).seq).toBe(1_206);
    });

    it('SA3: webhooks of its application hear of what comes after it, not of its log', async () => {
      const subject = { kind: 'application', applicationId: 'app_old' } as const;
      const [row, others] = [sampleWebhook({ subject, owner: 'app:app_old' }), sampleWebhook({ subject: { ...subject, applicationId: 'app_new' } })];
      for (const one of [row, others]) await store.webhooks().create(one, { scope: 's', key: one.id, hash: 'h' }, auditRow());
      await bringBack(archived(40, { owner: 'app:app_old' }));
      expect(await store.webhooks().lane({ webhookId: row.id, sid: 40 })).toMatchObject({ seq: 1_205, headSeq: 1_205 });
      expect((await store.webhooks().owed(undefined, 10)).lanes).toEqual([]);
      expect((await store.webhooks().owed({ webhookId: row.id, sid: 0 }, 10)).lanes).toEqual([]);
      taken(await store.sessions().write(command(await headOf(store.sessions(), 40))));
      expect((await store.webhooks().owed({ webhookId: row.id, sid: 0 }, 10)).lanes).toMatchObject([{ webhookId: row.id, sid: 40 }]);
    });
  });
};
