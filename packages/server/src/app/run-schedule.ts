/**
 * Use cases: what a schedule owes is submitted; and a schedule is run now, because somebody asks for it.
 *
 * SF1 A slot is one turn, whatever crashes and however many nodes see that it is due: it is submitted as anybody's turn is, under a
 *     key made of the schedule and the slot.
 * SF2 Whatever becomes of a slot is noted: a refusal by its code, slots that are left out as such. Where nothing is known (the store
 *     is away, the process ends) nothing is noted, and the slot stays owed.
 * SF3 A schedule submits on behalf of who made it, as far as that one may submit at that moment.
 */
import { type ErrorCode, TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { ScheduleRunResource } from '@turnkeeper/core/protocol/wire/schedules';
import type { SubmitRequest } from '@turnkeeper/core/protocol/wire/sessions';
import type { ScheduleRow, ScheduleRunRow } from '../ports/schedules.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { existingSession, subjectOf } from './find-session.ts';
import { type Keyed, keyedCall } from './idempotency.ts';
import { callerOf } from './look-up-caller.ts';
import { scheduleToChange } from './manage-schedules.ts';
import { scheduleRunResource } from './schedule-resource.ts';
import { owedSlots, slotAfter } from './schedule-slots.ts';
import { submitTurn } from './submit-turn.ts';

/** A node that claimed a slot and was not heard of any more has lost it then. */
const leaseMs = 30_000;
/** Runs of a schedule that are kept to be shown. */
const keptRuns = 1_000;

/** They say nothing of the submission: it is tried again. */
const passing: ReadonlySet<ErrorCode> = new Set(['storage_unavailable', 'shutting_down', 'internal_error', 'newer_release']);

const slotKey = ({ id }: ScheduleRow, slot: number): string => `schedule:${id}:${new Date(slot).toISOString()}`;

/** The turn says where it comes from. */
const bodyOf = ({ id, input }: ScheduleRow, slot: number): SubmitRequest =>
  ({ ...input, metadata: { ...input.metadata, schedule_id: id, schedule_slot: new Date(slot).toISOString() } }) as SubmitRequest;

/** Who made the schedule, as it stands now; undefined when it may do nothing any more (SF3). */
const makerOf = async (app: App, row: ScheduleRow): Promise<Caller | undefined> => {
  const [type, id = ''] = row.createdBy.split(/:(.*)/s);
  if (type === 'user') {
    const user = await app.catalog.user(id);
    return user?.status === 'active' ? callerOf(app.catalog, user, null) : undefined;
  }
  const application = await app.catalog.application(id);
  if (application?.status !== 'active') return undefined;
  // The keys that it was made with come and go; what was made is the application's.
  const { session } = await existingSession(app, row.sessionId);
  const { target } = subjectOf(session.row, session.config);
  return {
    type: 'application',
    id,
    name: application.name,
    credentialId: null,
    scopes: new Set(['invoke']),
    targets: target.type === 'agent' ? [{ type: 'agent', id: target.id }] : [],
  };
};

type Submitted = Pick<ScheduleRunRow, 'outcome' | 'code' | 'turnId'>;

const rejected = (code: ErrorCode): Submitted => ({ outcome: 'rejected', code, turnId: null });

/** The turn that was submitted for this slot already, whatever the schedule said then. */
const turnOf = async (app: App, row: ScheduleRow, slot: number): Promise<string | undefined> => {
  const { scope, key } = keyedCall(row.createdBy, 'submit', row.sessionId, slotKey(row, slot), null);
  const receipt = await app.sessions.store.receipt(scope, key);
  return receipt && (JSON.parse(receipt.answer) as { readonly id: string }).id;
};

const submitSlot = async (app: App, row: ScheduleRow, slot: number): Promise<Submitted> => {
  try {
    const caller = await makerOf(app, row);
    if (!caller) return rejected('forbidden');
    const { answer, replayed } = await submitTurn(app, caller, row.sessionId, bodyOf(row, slot), slotKey(row, slot));
    return { outcome: replayed ? 'duplicate' : 'submitted', code: null, turnId: answer.id };
  } catch (error) {
    if (!(error instanceof TurnkeeperError) || passing.has(error.code)) throw error;
    const turnId = error.code === 'idempotency_conflict' ? await turnOf(app, row, slot) : undefined;
    return turnId === undefined ? rejected(error.code) : { outcome: 'duplicate', code: null, turnId };
  }
};

/** A slot that was owed and is left out now may have been submitted by a process that ended before it could say so. */
const missedRuns = async (app: App, row: ScheduleRow, { from, until }: { readonly from: number; readonly until: number }) => {
  const run = { scheduleId: row.id, sid: row.sid, askedBy: 'schedule', code: null, at: app.clock.now() } as const;
  const skipped = (first: number | null): readonly ScheduleRunRow[] =>
    first === null || first > until
      ? []
      : [{ ...run, id: `${row.id}.${first}`, slot: first, slotUntil: until > first ? until : null, outcome: 'skipped', turnId: null }];
  const turnId = await turnOf(app, row, from);
  if (turnId === undefined) return skipped(from);
  return [{ ...run, id: `${row.id}.${from}`, slot: from, slotUntil: null, outcome: 'submitted', turnId } as const, ...skipped(slotAfter(row, from))];
};

/** Submits what the schedule owes, if no other node does. Throws where it has to be tried again. */
export const runOwedSlot = async (app: App, row: ScheduleRow): Promise<void> => {
  const now = app.clock.now();
  const { nextAt: slot } = row;
  if (slot === null || slot > now || !(await app.schedules.claim(row.id, slot, now, now + leaseMs))) return;
  const { run, missed, next } = owedSlots(row, slot, now);
  const runs: ScheduleRunRow[] = missed ? [...(await missedRuns(app, row, missed))] : [];
  if (run !== undefined) {
    const submitted = await submitSlot(app, row, run);
    const at = app.clock.now();
    runs.push({ id: `${row.id}.${run}`, scheduleId: row.id, sid: row.sid, slot: run, slotUntil: null, askedBy: 'schedule', ...submitted, at });
  }
  await app.schedules.settle(row.id, slot, next, runs, keptRuns);
};

/** Submits what the schedule says now, on behalf of who asks; its slots stay as they are. Throws as a submission does. */
export const runScheduleNow = async (app: App, caller: Caller, sessionId: string, id: string, key: string | undefined): Promise<Keyed<ScheduleRunResource>> => {
  const row = await scheduleToChange(app, caller, sessionId, id);
  const metadata = { ...row.input.metadata, schedule_id: row.id };
  const { answer, replayed } = await submitTurn(app, caller, sessionId, { ...row.input, metadata } as SubmitRequest, key);
  const at = answer.createdAt;
  const run: ScheduleRunRow = {
    id: `${row.id}.${answer.id}`,
    scheduleId: row.id,
    sid: row.sid,
    slot: at,
    slotUntil: null,
    askedBy: 'call',
    outcome: 'submitted',
    code: null,
    turnId: answer.id,
    at,
  };
  // By its id it is noted once, also where the first call ended between the two.
  await app.schedules.addRun(run);
  return { answer: scheduleRunResource(run), replayed };
};
