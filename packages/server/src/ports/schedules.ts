/**
 * Port: which turns are created by time, and what became of each slot.
 *
 * A schedule owes one slot at a time, `nextAt`. A slot is submitted under a key made of the schedule and the slot, so that
 * whoever submits it a second time finds the first turn; a claim only spares nodes the same work.
 *
 * Contract
 * SD1 `claim` gives a slot to one node until its lease is over. `settle` moves the schedule on from the slot that it names,
 *     and from no other: what was changed meanwhile stays as it was changed.
 * SD2 A slot's run is noted once, in the transaction that moves the schedule on, also where nothing is moved.
 * SD3 What is deleted, switched off, or of a deleted session is never due.
 * SD4 A session's schedules are counted in the write that adds one, and such writes take turns: many at once are no more.
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { AuditRow } from './catalog.ts';

export type ScheduleInput = {
  readonly message?: string | undefined;
  readonly input?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export type ScheduleRow = {
  readonly id: string;
  readonly sid: number;
  readonly sessionId: SessionId;
  readonly input: ScheduleInput;
  /** One of `cron` and `at` is there. */
  readonly cron: string | null;
  readonly timezone: string;
  readonly at: number | null;
  readonly onMissed: 'skip' | 'run_once';
  readonly enabled: boolean;
  readonly nextAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** On whose behalf it submits: `user:<id>`, `app:<id>`. */
  readonly createdBy: string;
};

export type ScheduleRunRow = {
  readonly id: string;
  readonly scheduleId: string;
  readonly sid: number;
  readonly slot: number;
  /** Of slots that were left out together: the last of them. */
  readonly slotUntil: number | null;
  /** `call`: somebody asked for it now. */
  readonly askedBy: 'schedule' | 'call';
  readonly outcome: 'submitted' | 'duplicate' | 'rejected' | 'skipped';
  /** Why it was rejected. */
  readonly code: string | null;
  readonly turnId: string | null;
  readonly at: number;
};

/** The call that made it: the same one again is answered with what it made. */
export type ScheduleKey = { readonly scope: string; readonly key: string; readonly hash: string };
type Page = { readonly offset: number; readonly limit: number };

export interface ScheduleStore {
  /** False when its key was used, or when its session has `most` already (SD4). Forgets what of the session was deleted before `forgetBefore`. */
  create(row: ScheduleRow, key: ScheduleKey, forgetBefore: number, audit: AuditRow, most?: number): Promise<boolean>;
  /** Also when it was deleted since. */
  byKey(scope: string, key: string): Promise<{ readonly row: ScheduleRow; readonly hash: string } | undefined>;
  schedule(id: string): Promise<ScheduleRow | undefined>;
  /** In the order of creation. */
  list(sid: number, page: Page): Promise<readonly ScheduleRow[]>;
  /** Compare-and-set on the version before. A claim of the slot before is over. */
  update(row: ScheduleRow, from: number, audit: AuditRow): Promise<boolean>;
  /** Its history goes with it; it is kept for the sake of its key. */
  remove(id: string, at: number, audit: AuditRow): Promise<boolean>;
  /** The newest first. */
  runs(scheduleId: string, page: Page): Promise<readonly ScheduleRunRow[]>;
  addRun(run: ScheduleRunRow): Promise<void>;

  /** Whose slot comes by `until`, the earliest first, but those that another node holds at `now`. */
  due(now: number, until: number, limit: number): Promise<readonly ScheduleRow[]>;
  /** False when another holds it, or it owes another slot by now. */
  claim(id: string, slot: number, now: number, until: number): Promise<boolean>;
  /** The slot is dealt with; of the history the newest `keep` stay. */
  settle(id: string, slot: number, next: number | null, runs: readonly ScheduleRunRow[], keep: number): Promise<void>;
  /** All leases end: those of a process that was the only one. */
  releaseAll(): Promise<void>;
}
