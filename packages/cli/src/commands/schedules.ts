/** `turnkeeper schedules` and `turnkeeper client-token`: turns that are created by time, and a token for a browser. */
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { ClientScope } from '@turnkeeper/core/protocol/wire/client-tokens';
import type { ScheduleResource } from '@turnkeeper/core/protocol/wire/schedules';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickOne } from '../pick-one.ts';
import { programName } from '../program-name.ts';
import { confirmed } from '../prompt.ts';
import { resolveSession } from '../session-ref.ts';
import { jsonIn } from './json-option.ts';
import { metadataIn } from './new-session.ts';

export type SessionOption = { readonly session?: string };
export type TimingOptions = { readonly cron?: string; readonly timezone?: string; readonly at?: string };

const instant = (at: number | null): string => (at === null ? '' : new Date(at).toISOString());
const timingText = ({ cron, timezone, at }: ScheduleResource): string => (cron === null ? `once at ${instant(at)}` : `${cron} (${timezone})`);
const nextText = ({ enabled, next_at }: ScheduleResource): string => (enabled ? instant(next_at) || 'over' : 'off');
const saidText = ({ message, input }: ScheduleResource): string => oneLine(message ?? JSON.stringify(input), 50);

const found = async (
  { client }: CommandContext,
  { session }: SessionOption,
  ref: string,
): Promise<{ readonly sessionId: string; readonly schedule: ScheduleResource }> => {
  const { id: sessionId } = await resolveSession(client, session);
  const all = await everyItem((page) => client.schedules.list(sessionId, page));
  const schedule = pickOne(all, ref, { what: 'schedule', id: ({ id }) => id, name: ({ message }) => message ?? '', list: 'turnkeeper schedules ls' });
  return { sessionId, schedule };
};

export const listSchedules = async (context: CommandContext, { session }: SessionOption): Promise<ExitCode> => {
  const { id } = await resolveSession(context.client, session);
  const items = await everyItem((page) => context.client.schedules.list(id, page));
  printList(context, items, {
    none: `No schedules. Make one with: ${programName} schedules add --cron "0 9 * * *" "Good morning."`,
    row: (schedule) => [schedule.id, nextText(schedule), timingText(schedule), saidText(schedule)],
  });
  return exitCodes.completed;
};

const print = (context: CommandContext, schedule: ScheduleResource): ExitCode => {
  if (context.json) context.printJson(schedule);
  else context.print(`${schedule.id}  next: ${nextText(schedule)}`);
  return exitCodes.completed;
};

/** RFC 3339, or anything else that says an instant with its offset. */
const atOf = (at: string): string => {
  if (!/(Z|[+-]\d{2}:\d{2})$/i.test(at) || Number.isNaN(Date.parse(at))) throw new UsageError('--at: an instant such as 2027-01-31T09:00:00+01:00 is wanted.');
  return at;
};

type AddOptions = SessionOption & TimingOptions & { readonly skipMissed?: boolean; readonly off?: boolean };

export const addSchedule = async (
  context: CommandContext,
  message: string,
  { session, cron, timezone, at, skipMissed, off }: AddOptions,
): Promise<ExitCode> => {
  if ((cron === undefined) === (at === undefined)) throw new UsageError('Either --cron or --at.');
  const { id } = await resolveSession(context.client, session);
  const timing = { ...(cron === undefined ? {} : { cron }), ...(timezone === undefined ? {} : { timezone }), ...(at === undefined ? {} : { at: atOf(at) }) };
  const more = { onMissed: skipMissed ? 'skip' : 'run_once', enabled: !off } as const;
  return print(context, await context.client.schedules.create(id, { message, ...timing, ...more }, { idempotencyKey: freshKey('schedule') }));
};

type UpdateOptions = SessionOption &
  TimingOptions & {
    readonly message?: string;
    /** JSON, or `@file`. */
    readonly input?: string;
    readonly missed?: 'skip' | 'run_once';
    /** `key=value`: what is not named stays. */
    readonly metadata?: readonly string[];
    readonly unset?: readonly string[];
  };

/** What is not named stays; `--cron` ends an instant, and the other way round. */
export const updateSchedule = async (context: CommandContext, ref: string, options: UpdateOptions): Promise<ExitCode> => {
  const { cron, timezone, at, message, input, missed, metadata = [], unset = [] } = options;
  if (cron !== undefined && at !== undefined) throw new UsageError('Either --cron or --at.');
  if (message !== undefined && input !== undefined) throw new UsageError('Give --message or --input, not both.');
  const set = metadataIn(metadata);
  const notes = metadata.length > 0 || unset.length > 0;
  const changes = {
    ...(cron === undefined ? {} : { cron }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(at === undefined ? {} : { at: atOf(at) }),
    ...(message === undefined ? {} : { message }),
    ...(input === undefined ? {} : { input: await jsonIn(context.io, input) }),
    ...(missed === undefined ? {} : { onMissed: missed }),
  };
  if (Object.keys(changes).length === 0 && !notes)
    throw new UsageError('Say what changes: --cron, --timezone, --at, --message, --input, --missed or --metadata.');
  const { sessionId, schedule } = await found(context, options, ref);
  const kept = Object.fromEntries(Object.entries(schedule.metadata).filter(([key]) => !unset.includes(key)));
  const noted = notes ? { metadata: { ...kept, ...set } } : {};
  const changed = await context.client.schedules.patch(sessionId, schedule.id, { version: schedule.version, ...changes, ...noted });
  return print(context, changed);
};

/** `on`, `off`. */
export const switchSchedule = async (context: CommandContext, ref: string, options: SessionOption, enabled: boolean): Promise<ExitCode> => {
  const { sessionId, schedule } = await found(context, options, ref);
  return print(context, await context.client.schedules.patch(sessionId, schedule.id, { version: schedule.version, enabled }));
};

export const listRuns = async (context: CommandContext, ref: string, options: SessionOption): Promise<ExitCode> => {
  const { sessionId, schedule } = await found(context, options, ref);
  const { items } = await context.client.schedules.runs(sessionId, schedule.id, { limit: 50 });
  printList(context, items, {
    none: 'Nothing was due yet.',
    row: ({ slot, slot_until, outcome, code, turn_id, asked_by }) => [
      slot_until === null ? instant(slot) : `${instant(slot)} to ${instant(slot_until)}`,
      asked_by,
      outcome,
      code ?? turn_id ?? '',
    ],
  });
  return exitCodes.completed;
};

export const runSchedule = async (context: CommandContext, ref: string, options: SessionOption): Promise<ExitCode> => {
  const { sessionId, schedule } = await found(context, options, ref);
  const run = await context.client.schedules.run(sessionId, schedule.id, { idempotencyKey: freshKey('run') });
  if (context.json) context.printJson(run);
  else context.print(run.turn_id ?? '');
  return exitCodes.completed;
};

export const removeSchedule = async (context: CommandContext, ref: string, options: SessionOption & { readonly yes?: boolean }): Promise<ExitCode> => {
  const { sessionId, schedule } = await found(context, options, ref);
  if (!(await confirmed(context.io, `Delete the schedule ${timingText(schedule)}?`, options.yes))) {
    context.note('Not deleted.');
    return exitCodes.failed;
  }
  await context.client.schedules.delete(sessionId, schedule.id);
  if (context.json) context.printJson({ deleted: schedule.id });
  else context.print(`deleted ${schedule.id}`);
  return exitCodes.completed;
};

type TokenOptions = { readonly scope?: readonly string[]; readonly expires?: number };

/** Printed alone, so that a script can take it. */
export const makeClientToken = async (context: CommandContext, ref: string | undefined, { scope, expires }: TokenOptions): Promise<ExitCode> => {
  const { id } = await resolveSession(context.client, ref);
  const wanted = {
    ...(scope === undefined ? {} : { scopes: scope as readonly ClientScope[] }),
    ...(expires === undefined ? {} : { expiresInSeconds: Math.round(expires) }),
  };
  const made = await context.client.clientTokens.create(id, wanted);
  if (context.json) context.printJson(made);
  else {
    context.print(made.token);
    context.note(`For ${made.session_id} alone (${made.scopes.join(', ')}), until ${instant(made.expires_at)}. It is shown once.`);
  }
  return exitCodes.completed;
};
