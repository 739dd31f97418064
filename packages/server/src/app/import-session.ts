/**
 * Use case: bring back a session from an archive (an export with its first line), into a service that does not have it.
 *
 * IM1 What comes back is what the log says: state and resources are folded from it as they are anywhere else, and the snapshot
 *     is the one that was there. What is private (the context, the target's definition, files' bytes) is in no export.
 * IM2 So it is a record: it can be read, named, archived, deleted, exported; nothing new is done in it (`not_supported`).
 * IM3 The log must be whole, all its turns settled and its children ended: nothing is owed in a record. Else nothing is written.
 */
import { seqOfCursor } from '@turnkeeper/core/protocol/cursors';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { importedHeader, importedLine, turnNumber } from '@turnkeeper/core/protocol/wire/archives';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import { isDelta, type LoggedEvent } from '@turnkeeper/core/session/events';
import { evolve } from '@turnkeeper/core/session/evolve';
import { writtenEvent, writtenState } from '@turnkeeper/core/session/formats';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { dueAt } from '@turnkeeper/core/session/pending-work';
import { emptyState, unfinishedTurns } from '@turnkeeper/core/session/state';
import type { ArchivedSession } from '../ports/session-archive.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { faultAt, requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { configRef, type FrozenConfig } from './frozen-config.ts';
import { ResourceCache } from './resource-cache.ts';
import { sessionResource } from './session-resource.ts';

type Line = { readonly seq: number; readonly turn: number; readonly event: LoggedEvent; readonly data: string };
type Header = { readonly session: SessionResource; readonly sid: number; readonly horizon: number; readonly seq: number };

const wrongLine = (n: number, what: string): TurnkeeperError => faultAt(`/${n}`, `line ${n + 1}: ${what}`);

/** An event wraps what a request may say a few times. */
const mostDepth = 200;
/** Sessions and events that come later are numbered on from here, in numbers that are exact. */
const mostNumber = 2 ** 50;
const mostIdCharacters = 1_000;

/** What can be written out and read again as it is, whoever does it. */
const isPlain = (value: unknown, depth: number): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.entries(value).every(([name, member]) => name !== '__proto__' && isPlain(member, depth - 1));
};

const parsed = (text: string, n: number): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrongLine(n, 'no JSON');
  }
  if (!isPlain(value, mostDepth)) throw wrongLine(n, 'it holds what cannot be kept: a number out of range, a member __proto__, or too many levels');
  return value;
};

/** The number of a session, as its cursors say it. */
const sidOf = (cursor: string): number => Number.parseInt(/^s([0-9a-z]{1,11})-/.exec(cursor)?.[1] ?? '', 36);

const headerOf = (text: string): Header => {
  const value = parsed(text, 0);
  const line = importedHeader.safeParse(value);
  if (!line.success || wireFaults(value).length > 0) throw wrongLine(0, 'the first line of an archive is wanted (export with format=archive)');
  const { cursor, data } = line.data;
  const sid = sidOf(cursor);
  const [horizon, seq] = [cursor, data.as_of].map((text) => (sid > 0 && sid <= mostNumber ? seqOfCursor({ kind: 'session', sid }, text) : undefined));
  if (horizon === undefined || seq === undefined || seq > mostNumber) throw wrongLine(0, 'its cursors are none');
  return { session: data.session, sid, horizon, seq };
};

/** Reads a line of the log; `turns` keeps the numbers of turns by their ids. */
const lineOf = (text: string, n: number, { session, sid }: Header, turns: Map<string, number>): Line => {
  const line = importedLine.safeParse(parsed(text, n));
  if (!line.success) throw wrongLine(n, 'no event');
  const { type, created_at: at, cursor, data, session_id } = line.data;
  const seq = seqOfCursor({ kind: 'session', sid }, cursor);
  if (seq === undefined || session_id !== session.id) throw wrongLine(n, 'an event of another session');
  const event = { type, at, data } as unknown as LoggedEvent;
  const { turn_id: turnId } = data;
  if (type === 'turn.accepted') {
    const number = turnNumber.safeParse(data['n']);
    if (turnId === undefined || !number.success) throw wrongLine(n, 'a turn without its number');
    turns.set(turnId, number.data);
  }
  // Envelopes are made without parsing: the turn stands first.
  const first = turnId === undefined ? data : { turn_id: turnId, ...data };
  return { seq, turn: turnId === undefined ? 0 : (turns.get(turnId) ?? 0), event, data: JSON.stringify(first) };
};

const readLines = async (lines: AsyncIterable<string>): Promise<{ readonly header: Header; readonly log: readonly Line[] }> => {
  let header: Header | undefined;
  const log: Line[] = [];
  const turns = new Map<string, number>();
  let n = 0;
  for await (const text of lines) {
    if (!header) header = headerOf(text);
    else log.push(lineOf(text, n, header, turns));
    n += 1;
  }
  if (!header) throw wrongLine(0, 'an archive is wanted');
  if (header.horizon > 0) throw wrongLine(0, 'the beginning of its log was forgotten before it was exported: it cannot be brought back');
  const unordered = log.findIndex(({ seq }, at) => seq <= (log[at - 1]?.seq ?? 0));
  if (unordered >= 0) throw wrongLine(unordered + 1, 'out of order');
  if (log.at(-1)?.seq !== header.seq) throw wrongLine(n, 'the end is missing');
  return { header, log };
};

const configOf = ({ target, timeoutSeconds }: SessionResource): FrozenConfig => ({
  target: {
    type: target.type,
    id: target.id,
    name: target.name ?? target.id,
    version: target.version ?? 1,
    ...(target.revisionId === undefined ? {} : { revisionId: target.revisionId }),
    definition: { system: '', model: target.model ?? '', maxIters: 1, tools: [], mcpServers: [], subagents: [], permissionMode: 'ask' } as never,
  },
  timeoutSeconds,
  imported: true,
});

const rowOf = ({ session, sid }: Header, ref: string): SessionRow => ({
  sid,
  id: session.id as SessionId,
  owner: `${session.owner.type === 'application' ? 'app' : session.owner.type}:${session.owner.id}`,
  root: session.id as SessionId,
  path: '',
  placement: `${session.placement.type}:${session.placement.id}`,
  configRef: ref,
  title: session.title,
  metadata: JSON.stringify(session.metadata),
  // Of one whose turns are all settled.
  status: 'idle',
  archivedAt: session.archivedAt,
  deletedAt: null,
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
});

/** Ids of what a turn made, and of calls, which providers name. */
const isId = (id: unknown): boolean => typeof id === 'string' && id !== '' && id.length <= mostIdCharacters && !id.includes('\0') && id.isWellFormed();

const archived = (app: App, header: Header, log: readonly Line[], config: FrozenConfig): ArchivedSession => {
  const { formats } = app.sessions;
  const events = log.map(({ event }) => event);
  const state = events.reduce(evolve, { ...emptyState, v: formats.next(emptyState, true) });
  if (unfinishedTurns(state) > 0) throw new TurnkeeperError('session_busy', 'It has turns that are not settled: export it when they are.');
  if (state.children || dueAt(state) !== null)
    throw new TurnkeeperError('session_busy', 'It has child sessions that have not ended, or a parent that was not told: export it when they have.');
  const { writes } = new ResourceCache().fold(
    events,
    log.map(({ data }) => data.length),
  );
  if (!writes.every(({ id }) => isId(id))) throw wrongLine(0, 'its events do not make a session');
  const at = (index: number): Line => log[index] as Line;
  const ref = configRef(config);
  return {
    row: rowOf(header, ref),
    config: { ref, body: JSON.stringify(config) },
    state: writtenState(formats.formats, state.v, state),
    format: state.v,
    seq: header.seq,
    stateSeq: log.findLast(({ event }) => !isDelta(event.type))?.seq ?? 0,
    events: log.map(({ seq, turn, event }) => ({ seq, turn, at: event.at, ...writtenEvent(formats.formats, state.v, event) })),
    resources: writes.map(({ kind, id, first, last, base, body }) => ({
      kind,
      id,
      n: at(first).seq,
      lastSeq: at(last).seq,
      baseSeq: at(base).seq,
      lastAt: at(last).event.at,
      body,
    })),
  };
};

/** For admins. Throws `validation_failed` naming the line, `session_busy`, `already_exists`. */
export const importSession = async (app: App, caller: Caller, lines: AsyncIterable<string>): Promise<SessionResource> => {
  const user = requireAdmin(caller, 'import sessions');
  const { header, log } = await readLines(lines);
  const config = configOf(header.session);
  const session = foldedOr(() => archived(app, header, log, config));
  const { id } = session.row;
  const audit = auditOf(app, user, { action: 'session.imported', subject: `session:${id}`, sessionId: id });
  if ((await app.archive.bringBack(session, audit)) === 'taken')
    throw new TurnkeeperError('already_exists', 'This service has a session of that id or number already: import into one that does not.', {
      session: id,
    });
  return sessionResource(session.row, config);
};

/** What does not fold was no log of ours. */
const foldedOr = <Of>(fold: () => Of): Of => {
  try {
    return fold();
  } catch (error) {
    if (error instanceof TurnkeeperError) throw error;
    throw wrongLine(0, 'its events do not make a session');
  }
};
