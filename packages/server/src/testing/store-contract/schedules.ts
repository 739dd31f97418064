import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import type { ScheduleKey, ScheduleRow, ScheduleRunRow, ScheduleStore } from '../../ports/schedules.ts';
import type { OpenStore } from './opened-store.ts';
import { useStore } from './opened-store.ts';
import { auditRow, command, createdSession, sampleTime, unique } from './samples.ts';

const key = (): ScheduleKey => ({ scope: 'user:ann|schedules|x', key: unique('k'), hash: 'h' });
const slot = sampleTime + 60_000;

export const sampleSchedule = (over: Partial<ScheduleRow> & Pick<ScheduleRow, 'sid'>): ScheduleRow => ({
  id: unique('sched_'),
  sessionId: 'ses_x' as SessionId,
  input: { message: 'Good morning?', metadata: { kind: 'daily' } },
  cron: '* * * * *',
  timezone: 'Europe/Berlin',
  at: null,
  onMissed: 'run_once',
  enabled: true,
  nextAt: slot,
  version: 1,
  createdAt: sampleTime,
  updatedAt: sampleTime,
  createdBy: 'user:ann',
  ...over,
});

const runOf = (row: ScheduleRow, over: Partial<ScheduleRunRow> = {}): ScheduleRunRow => ({
  id: `${row.id}.${slot}`,
  scheduleId: row.id,
  sid: row.sid,
  slot,
  slotUntil: null,
  askedBy: 'schedule',
  outcome: 'submitted',
  code: null,
  turnId: 'turn_1',
  at: slot,
  ...over,
});

/** The port of schedules: SD1 to SD3. */
export const describeSchedules = (open: OpenStore): void => {
  describe('schedules', () => {
    const store = useStore(open, 'each');
    const schedules = (): ScheduleStore => store.now().schedules;
    const page = { offset: 0, limit: 10 };
    const made = async (over: Partial<ScheduleRow> = {}) => {
      const { head } = await createdSession(store.sessions());
      const row = sampleSchedule({ sid: head.sid, ...over });
      expect(await schedules().create(row, key(), 0, auditRow())).toBe(true);
      return { row, head };
    };
    const due = async (now: number, until = now) => (await schedules().due(now, until, 10)).map(({ id }) => id);

    it('SD4: many at once are no more than there may be, and those that were deleted do not count', async () => {
      const { head, id } = await createdSession(store.sessions());
      const add = async () => {
        const row = sampleSchedule({ sid: head.sid, sessionId: id });
        return (await schedules().create(row, key(), 0, auditRow(), 3)) ? [row] : [];
      };
      const [first, ...others] = (await Promise.all(Array.from({ length: 12 }, add))).flat();
      expect(others).toHaveLength(2);
      expect(await schedules().list(head.sid, page)).toHaveLength(3);
      expect(await schedules().remove(first?.id ?? '', sampleTime, auditRow())).toBe(true);
      expect([await add(), await add()].map(({ length }) => length)).toEqual([1, 0]);
    });

    it('one is kept as it was given, and made once for its key', async () => {
      const { head } = await createdSession(store.sessions());
      const rows = [
        sampleSchedule({ sid: head.sid }),
        sampleSchedule({ sid: head.sid, cron: null, at: slot, input: { input: [{ a: 'ü' }] }, onMissed: 'skip', createdAt: sampleTime + 1 }),
        sampleSchedule({ sid: head.sid, enabled: false, nextAt: null, createdAt: sampleTime + 2 }),
      ];
      for (const row of rows) expect(await schedules().create(row, key(), 0, auditRow())).toBe(true);
      for (const row of rows) expect(await schedules().schedule(row.id)).toEqual(row);
      expect(await schedules().list(head.sid, page)).toEqual(rows);
      expect(await schedules().list(head.sid, { offset: 1, limit: 1 })).toEqual([rows[1]]);
      const same = key();
      const both = [sampleSchedule({ sid: head.sid }), sampleSchedule({ sid: head.sid })] as const;
      expect((await Promise.all(both.map((row) => schedules().create(row, same, 0, auditRow())))).toSorted()).toEqual([false, true]);
      expect((await schedules().byKey(same.scope, same.key))?.hash).toBe('h');
    });

    it('SD1: one at a time has a slot, and whoever is late moves nothing', async () => {
      const { row } = await made();
      expect(await due(slot - 1)).toEqual([]);
      expect(await due(slot - 1, slot)).toEqual([row.id]);
      const claims = await Promise.all([1, 2, 3].map(() => schedules().claim(row.id, slot, slot, slot + 30_000)));
      expect(claims.toSorted()).toEqual([false, false, true]);
      expect(await due(slot + 29_999)).toEqual([]);
      expect(await due(slot + 30_000)).toEqual([row.id]);
      expect(await schedules().claim(row.id, slot - 60_000, slot + 30_000, slot + 60_000)).toBe(false);
      expect(await schedules().claim(row.id, slot, slot + 30_000, slot + 60_000)).toBe(true);
      await schedules().settle(row.id, slot, slot + 60_000, [runOf(row)], 10);
      // The one that had claimed it first comes back.
      await schedules().settle(row.id, slot, slot + 90_000, [runOf(row, { outcome: 'duplicate' })], 10);
      expect(await schedules().schedule(row.id)).toMatchObject({ nextAt: slot + 60_000 });
      expect(await schedules().runs(row.id, page)).toEqual([runOf(row)]);
      expect(await due(slot + 60_000)).toEqual([row.id]);
    });

    it('SD1, SD2: what was changed meanwhile stays, and the run is noted all the same', async () => {
      const { row } = await made();
      await schedules().claim(row.id, slot, slot, slot + 30_000);
      const changed = { ...row, nextAt: slot + 600_000, cron: '*/10 * * * *', version: 2, updatedAt: slot };
      expect(await schedules().update(changed, 1, auditRow())).toBe(true);
      expect(await schedules().update({ ...changed, version: 2 }, 1, auditRow())).toBe(false);
      await schedules().settle(row.id, slot, slot + 60_000, [runOf(row)], 10);
      expect(await schedules().schedule(row.id)).toEqual(changed);
      expect(await schedules().runs(row.id, page)).toEqual([runOf(row)]);
    });

    it('SD2: of the history the newest stay', async () => {
      const { row } = await made();
      const runs = [1, 2, 3, 4].map((n) => runOf(row, { id: `${row.id}.${n}`, at: slot + n, slot: slot + n }));
      for (const run of runs.slice(0, 3)) await schedules().addRun(run);
      await schedules().addRun(runs[0] as ScheduleRunRow);
      await schedules().settle(row.id, slot, null, runs.slice(3), 2);
      expect((await schedules().runs(row.id, page)).map(({ at }) => at - slot)).toEqual([4, 3]);
      expect(await schedules().schedule(row.id)).toMatchObject({ nextAt: null });
    });

    it('SD3: what is deleted, off, or of a deleted session is never due', async () => {
      const gone = await made();
      const off = await made({ enabled: false, nextAt: null });
      const orphan = await made();
      await schedules().addRun(runOf(gone.row));
      expect(await schedules().remove(gone.row.id, slot, auditRow())).toBe(true);
      expect(await schedules().remove(gone.row.id, slot, auditRow())).toBe(false);
      await schedules().settle(gone.row.id, slot, slot, [runOf(gone.row)], 10);
      await store.sessions().write(command(orphan.head, { session: { deletedAt: sampleTime } }));
      expect(await due(slot)).toEqual([]);
      expect(await schedules().schedule(gone.row.id)).toBeUndefined();
      expect(await schedules().runs(gone.row.id, page)).toEqual([]);
      expect(await schedules().list(off.head.sid, page)).toHaveLength(1);
    });

    it('keys of what was deleted long before are forgotten', async () => {
      const { head } = await createdSession(store.sessions());
      const [first, second] = [sampleSchedule({ sid: head.sid }), sampleSchedule({ sid: head.sid })];
      const used = key();
      await schedules().create(first, used, 0, auditRow());
      await schedules().remove(first.id, slot, auditRow());
      expect(await schedules().byKey(used.scope, used.key)).toMatchObject({ row: { id: first.id } });
      await schedules().create(second, key(), slot + 1, auditRow());
      expect(await schedules().byKey(used.scope, used.key)).toBeUndefined();
    });

    it('leases of the only process end at once', async () => {
      const { row } = await made();
      await schedules().claim(row.id, slot, slot, slot + 30_000);
      await schedules().releaseAll();
      expect(await schedules().claim(row.id, slot, slot, slot + 30_000)).toBe(true);
    });
  });

  describe('clients’ tokens', () => {
    const store = useStore(open, 'each');
    it('are found by their hash while their session is there, and forgotten a day after they ended', async () => {
      const { head, id } = await createdSession(store.sessions());
      const token = (over: object = {}) => ({
        id: unique('ctok_'),
        hash: unique('h'),
        issuerHash: 'issuer',
        sid: head.sid,
        sessionId: id as SessionId,
        scopes: ['read', 'invoke'] as const,
        createdAt: sampleTime,
        expiresAt: sampleTime + 60_000,
        ...over,
      });
      const [first, later] = [token(), token({ createdAt: sampleTime + 2 * 86_400_000, expiresAt: sampleTime + 3 * 86_400_000 })];
      await store.catalog().addClientToken(first, auditRow());
      expect(await store.catalog().clientTokenByHash(first.hash)).toEqual(first);
      expect(await store.catalog().clientTokenByHash('none')).toBeUndefined();
      await store.catalog().addClientToken(later, auditRow());
      expect(await store.catalog().clientTokenByHash(first.hash)).toBeUndefined();
      await store.sessions().write(command(head, { session: { deletedAt: sampleTime } }));
      expect(await store.catalog().clientTokenByHash(later.hash)).toBeUndefined();
    });
  });
};
