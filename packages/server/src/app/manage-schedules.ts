/**
 * Use cases: schedules of a session.
 *
 * SC1 Whoever may submit to the session makes and changes its schedules, but no client's token: what it makes would outlive it.
 *     Whoever may read the session reads them.
 * SC2 What could never be submitted is refused when it is scheduled, as a submission is.
 * SC3 A slot that is owed stays owed while what is said changes; another timing owes its own slots, from now on.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { CreateScheduleRequest, PatchScheduleRequest, ScheduleResource, ScheduleRunResource } from '@turnkeeper/core/protocol/wire/schedules';
import type { SubmitRequest } from '@turnkeeper/core/protocol/wire/sessions';
import type { ScheduleInput, ScheduleRow } from '../ports/schedules.ts';
import { faultAt, type Items, type PageQuery, pageOf } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { type Caller, ownerOf } from './caller.ts';
import { refuseClient } from './client-reach.ts';
import { findSession } from './find-session.ts';
import { type Keyed, type KeyedCall, keyedCall, requiredKey } from './idempotency.ts';
import { inputRefusal, targetOf } from './input-refusal.ts';
import type { Session } from './lane.ts';
import { thrown } from './run-job.ts';
import { scheduleResource, scheduleRunResource } from './schedule-resource.ts';
import { cronFault, slotAfter, type Timing, timezoneFault } from './schedule-slots.ts';
import { schemaRefusal } from './session-schemas.ts';
import { acceptedInput } from './turn-input.ts';

/** So long the key of a schedule that was deleted is known. */
const keyMs = 7 * 86_400_000;

const noSuchSchedule = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such schedule.');

/** The session, for who may change its schedules (SC1). */
const sessionToSchedule = async (app: App, caller: Caller, sessionId: string): Promise<Session> => {
  const { session } = await findSession(app, caller, sessionId, 'invoke');
  refuseClient(caller, 'makes no schedules');
  return session;
};

const scheduleIn = async (app: App, { head }: Session, id: string): Promise<ScheduleRow> => {
  const row = await app.schedules.schedule(id);
  if (row?.sid !== head.sid) throw noSuchSchedule();
  return row;
};

export const scheduleToChange = async (app: App, caller: Caller, sessionId: string, id: string): Promise<ScheduleRow> =>
  scheduleIn(app, await sessionToSchedule(app, caller, sessionId), id);

const scheduleToRead = async (app: App, caller: Caller, sessionId: string, id: string): Promise<ScheduleRow> =>
  scheduleIn(app, (await findSession(app, caller, sessionId, 'read')).session, id);

/** Throws `validation_failed` for what never comes, or came already. */
const refuseUnfitTiming = ({ cron, timezone, at }: Timing, now: number): void => {
  const unknownZone = timezoneFault(timezone);
  if (unknownZone !== undefined) throw faultAt('/timezone', unknownZone);
  const fault = cron === null ? undefined : cronFault(cron, timezone, now);
  if (fault !== undefined) throw faultAt('/cron', fault);
  if (at !== null && at <= now) throw faultAt('/at', 'an instant in the future is wanted');
};

/** Throws as a submission of it would (SC2). */
const refuseUnfitInput = async (app: App, session: Session, said: ScheduleInput): Promise<void> => {
  const body = said as SubmitRequest;
  const input = acceptedInput(body, session.config.target.type);
  const refused = (await schemaRefusal(app, session.config, body)) ?? (await inputRefusal(app, targetOf(session), input.messages));
  if (refused) throw thrown(refused);
};

const saidOf = ({ message, input, metadata }: ScheduleInput): ScheduleInput => ({
  ...(message === undefined ? {} : { message }),
  ...(input === undefined ? {} : { input }),
  ...(metadata === undefined ? {} : { metadata }),
});

const auditEntry = (app: App, caller: Caller, action: string, { id, sessionId }: Pick<ScheduleRow, 'id' | 'sessionId'>) =>
  auditOf(app, caller, { action, subject: `schedule:${id}`, sessionId });

/** The original answer again, or undefined when the key is new. */
const earlier = async ({ schedules }: App, call: KeyedCall): Promise<Keyed<ScheduleResource> | undefined> => {
  const found = await schedules.byKey(call.scope, call.key);
  if (!found) return undefined;
  if (found.hash !== call.hash)
    throw new TurnkeeperError('idempotency_conflict', 'This Idempotency-Key was used with other content. Use a new key for a new request.');
  return { answer: scheduleResource(found.row), replayed: true };
};

/** Throws `validation_failed`, `payload_too_large`, `schedule_limit`, `session_archived`. */
export const createSchedule = async (
  app: App,
  caller: Caller,
  sessionId: string,
  body: CreateScheduleRequest,
  key: string | undefined,
): Promise<Keyed<ScheduleResource>> => {
  const session = await sessionToSchedule(app, caller, sessionId);
  const call = keyedCall(ownerOf(caller), 'schedules', session.row.id, requiredKey(key), body);
  const before = await earlier(app, call);
  if (before) return before;
  if (session.row.archivedAt !== null) throw new TurnkeeperError('session_archived', 'The session is archived. Restore it to schedule turns.');
  const now = app.clock.now();
  const timing: Timing = { cron: body.cron ?? null, timezone: body.timezone ?? 'UTC', at: body.at === undefined ? null : Date.parse(body.at) };
  refuseUnfitTiming(timing, now);
  await refuseUnfitInput(app, session, body);
  const { sid } = session.head;
  const row: ScheduleRow = {
    id: app.ids.next('sched'),
    sid,
    sessionId: session.row.id,
    input: saidOf(body),
    ...timing,
    onMissed: body.onMissed,
    enabled: body.enabled,
    nextAt: body.enabled ? slotAfter(timing, now) : null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: ownerOf(caller),
  };
  if (!(await app.schedules.create(row, call, now - keyMs, auditEntry(app, caller, 'schedule.created', row), limits.schedules))) {
    const first = await earlier(app, call);
    if (first) return first;
    throw new TurnkeeperError('schedule_limit', `There are ${limits.schedules} schedules here already. Delete one first.`, { limit: limits.schedules });
  }
  app.scheduled();
  return { answer: scheduleResource(row), replayed: false };
};

export const listSchedules = async (app: App, caller: Caller, sessionId: string, page: PageQuery): Promise<Items<ScheduleResource>> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  return pageOf(await app.schedules.list(session.head.sid, { offset: page.offset, limit: page.limit + 1 }), page, scheduleResource);
};

export const readSchedule = async (app: App, caller: Caller, sessionId: string, id: string): Promise<ScheduleResource> =>
  scheduleResource(await scheduleToRead(app, caller, sessionId, id));

/** What became of its slots, the newest first, as far as it is kept. */
export const listScheduleRuns = async (app: App, caller: Caller, sessionId: string, id: string, page: PageQuery): Promise<Items<ScheduleRunResource>> => {
  const { id: scheduleId } = await scheduleToRead(app, caller, sessionId, id);
  return pageOf(await app.schedules.runs(scheduleId, { offset: page.offset, limit: page.limit + 1 }), page, scheduleRunResource);
};

const changedTiming = (row: ScheduleRow, { cron, timezone, at }: PatchScheduleRequest): Timing => ({
  cron: cron ?? (at === undefined ? row.cron : null),
  timezone: timezone ?? row.timezone,
  at: at === undefined ? (cron === undefined ? row.at : null) : Date.parse(at),
});

const changedInput = (row: ScheduleRow, { message, input, metadata }: PatchScheduleRequest): ScheduleInput => {
  const said = message === undefined && input === undefined ? row.input : { message, input };
  return saidOf({ ...said, metadata: metadata ?? row.input.metadata });
};

/** Throws `version_conflict`, and what `createSchedule` throws. */
export const changeSchedule = async (app: App, caller: Caller, sessionId: string, id: string, body: PatchScheduleRequest): Promise<ScheduleResource> => {
  const session = await sessionToSchedule(app, caller, sessionId);
  const before = await scheduleIn(app, session, id);
  const conflict = () => new TurnkeeperError('version_conflict', 'The schedule was changed since. Read it again.', { version: before.version });
  if (before.version !== body.version) throw conflict();
  const now = app.clock.now();
  const timing = changedTiming(before, body);
  const enabled = body.enabled ?? before.enabled;
  const isMoved = body.cron !== undefined || body.timezone !== undefined || body.at !== undefined || enabled !== before.enabled;
  if (body.cron !== undefined || body.timezone !== undefined || body.at !== undefined) refuseUnfitTiming(timing, now);
  const input = changedInput(before, body);
  if (body.message !== undefined || body.input !== undefined) await refuseUnfitInput(app, session, input);
  const row: ScheduleRow = {
    ...before,
    ...timing,
    input,
    enabled,
    onMissed: body.onMissed ?? before.onMissed,
    // SC3
    nextAt: isMoved ? (enabled ? slotAfter(timing, now) : null) : before.nextAt,
    version: before.version + 1,
    updatedAt: now,
  };
  if (!(await app.schedules.update(row, before.version, auditEntry(app, caller, 'schedule.changed', row)))) throw conflict();
  app.scheduled();
  return scheduleResource(row);
};

export const deleteSchedule = async (app: App, caller: Caller, sessionId: string, id: string): Promise<void> => {
  const row = await scheduleToChange(app, caller, sessionId, id);
  if (!(await app.schedules.remove(row.id, app.clock.now(), auditEntry(app, caller, 'schedule.deleted', row)))) throw noSuchSchedule();
};
