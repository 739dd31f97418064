/**
 * Port: what is kept of mini-tools. With the sessions, in either store.
 *
 * Contract
 * MS1 Writes are durable when their promise resolves; an administrative one and its audit entry are there both or neither.
 * MS2 An id names one installation at most. What a mini-tool keeps (values, events, cursors, deliveries) goes with it when it is
 *     removed; its sessions stay.
 * MS3 Events of a mini-tool's sessions are numbered by mini-tool, from 1, without a gap and in the order of each session's log. An
 *     event is there once, whoever asks for it to be added again: `after` of a session is its place in the log that was read.
 * MS4 A cursor of a consumer moves forward only.
 * MS5 A delivery is there once for each (mini-tool, hook, key). Those of one `orderKey` are handed out one at a time, the oldest first.
 * MS6 A slot of a schedule is claimed by one node.
 * MS7 A change of what was looked at before, by nobody's wish, is made only where that is still as it was.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { AuditRow } from './catalog.ts';

export type MinitoolStatus = 'enabled' | 'disabled' | 'broken';

/** One installation. `manifest` as it was read at the installation; `folder` is where its files are. */
export type MinitoolRow = {
  readonly id: string;
  readonly version: string;
  /** What it was installed from, in words: `npm:<name>@<version>`, `folder:<path>`, `file:<name>`. */
  readonly source: string;
  readonly folder: string;
  readonly manifest: JsonObject;
  readonly status: MinitoolStatus;
  /** Why it is broken or was disabled by itself. */
  readonly reason: string | null;
  /** By key, as people set them. */
  readonly settings: JsonObject;
  /** The permissions that a person has consented to, as they stood in the manifest. */
  readonly consent: JsonObject | null;
  /** Users who may use it; the one who enabled it at first. */
  readonly users: readonly string[];
  /** The agent that a container's sessions run on, by container; the installation's default where none is named. */
  readonly containerAgents: Readonly<Record<string, string>>;
  readonly installedAt: number;
  readonly updatedAt: number;
};
export type MinitoolChanges = Partial<
  Pick<MinitoolRow, 'version' | 'source' | 'folder' | 'manifest' | 'status' | 'reason' | 'settings' | 'consent' | 'users' | 'containerAgents'>
>;
export type MinitoolExpected = Partial<Pick<MinitoolRow, 'status' | 'version' | 'folder'>>;

/** An event of a session of a mini-tool, in the shape of `ctx.sessions` (JSON in `body`). */
export type MinitoolEventRow = {
  readonly sequence: number;
  readonly sessionId: SessionId;
  readonly type: string;
  readonly body: string;
  readonly at: number;
};
export type NewMinitoolEvent = Omit<MinitoolEventRow, 'sequence'>;

/** How far the log of a session of a mini-tool was read. */
export type FollowedSession = { readonly sid: number; readonly sessionId: SessionId; readonly minitoolId: string; readonly after: number };

/** `next`: where the next look begins; undefined when there is nothing further. */
export type Behind = { readonly sessions: readonly FollowedSession[]; readonly next: number | undefined };

export type ConsumerCursor = { readonly name: string; readonly sessionId: SessionId; readonly after: number };

/** Something that came in over a mini-tool's webhook. `body` is as it came, base64. */
export type IngressRow = {
  readonly id: string;
  readonly minitoolId: string;
  readonly hook: string;
  readonly key: string;
  readonly orderKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly receivedAt: number;
  readonly attempts: number;
  readonly notBefore: number;
};

/** What a message brought. */
export type IngressContent = Pick<IngressRow, 'headers' | 'body'>;
/** A message, without what it brought. */
export type WaitingIngress = Omit<IngressRow, keyof IngressContent>;
/** Of what waits for one hook. `bytes`: of headers and bodies, as they are kept. */
export type IngressLimits = { readonly messages: number; readonly bytes: number };

/** A session's marks for people: since when there is something new, and when somebody looked. */
export type MarkRow = { readonly sessionId: SessionId; readonly minitoolId: string; readonly container: string; readonly unreadSince: number };

export interface MinitoolStore {
  install(row: MinitoolRow, audit: AuditRow): Promise<'installed' | 'already_exists'>;
  /** `only`: nothing is written, and the answer is false, where the row is not like this any more (MS7). */
  change(id: string, changes: MinitoolChanges, at: number, audit?: AuditRow, only?: MinitoolExpected): Promise<boolean>;
  remove(id: string, audit: AuditRow): Promise<boolean>;
  minitool(id: string): Promise<MinitoolRow | undefined>;
  /** In the order of their ids. */
  minitools(): Promise<readonly MinitoolRow[]>;

  value(minitoolId: string, key: string): Promise<string | undefined>;
  /** `full`: all values together would be more than `most` bytes. */
  setValue(minitoolId: string, key: string, value: string, most: number): Promise<'set' | 'full'>;
  deleteValue(minitoolId: string, key: string): Promise<void>;
  clearValues(minitoolId: string): Promise<void>;
  keys(minitoolId: string): Promise<readonly string[]>;

  /** Ciphertext; null deletes. With an entry of the audit log where a person sets it. */
  secret(minitoolId: string, key: string): Promise<string | undefined>;
  setSecret(minitoolId: string, key: string, ciphertext: string | null, at: number, audit?: AuditRow): Promise<void>;

  /** Of the next `most` sessions of a mini-tool, by their numbers: those whose log goes further than was read. */
  behind(minitoolId: string, look: { readonly after: number; readonly most: number }): Promise<Behind>;
  /** Where the reading of a session's log stands; from its beginning where it was never read. */
  followed(sid: number): Promise<FollowedSession | undefined>;
  /** Adds the events that a piece of a session's log came to; nothing where `from` is not where it stood (MS3). */
  addEvents(session: FollowedSession, to: number, events: readonly NewMinitoolEvent[]): Promise<readonly MinitoolEventRow[] | undefined>;
  /** After a sequence, of one session or of all. */
  events(minitoolId: string, query: { readonly sessionId?: SessionId; readonly after: number; readonly limit: number }): Promise<readonly MinitoolEventRow[]>;
  /** The oldest sequence that is still there; undefined where none is. */
  oldestEvent(minitoolId: string): Promise<number | undefined>;
  newestEvent(minitoolId: string): Promise<number>;
  /** Keeps the newest `most` of each mini-tool, and none from before `before`. Gives how many went. */
  pruneEvents(most: number, before: number): Promise<number>;

  cursors(minitoolId: string, consumer: string): Promise<readonly ConsumerCursor[]>;
  moveCursor(minitoolId: string, cursor: ConsumerCursor): Promise<void>;
  /** Places of a consumer up to this one go; those kept under no session's name stay. */
  dropCursors(minitoolId: string, consumer: string, upto: number): Promise<void>;

  /** `taken`: it was received before. `full`: as many or as much wait already. */
  receive(row: IngressRow, most: IngressLimits): Promise<'received' | 'taken' | 'full'>;
  /** The oldest of each `orderKey` whose time has come. */
  waiting(minitoolId: string, hook: string, now: number, limit: number): Promise<readonly WaitingIngress[]>;
  /** What one that waits brought; undefined where it waits no more. */
  ingressContent(id: string): Promise<IngressContent | undefined>;
  delivered(id: string): Promise<void>;
  postpone(id: string, attempts: number, notBefore: number): Promise<void>;

  /** Takes a slot of a schedule; false where somebody has. */
  claimSlot(minitoolId: string, schedule: string, slot: number): Promise<boolean>;
  lastSlot(minitoolId: string, schedule: string): Promise<number | undefined>;

  mark(row: MarkRow): Promise<void>;
  unmark(sessionId: SessionId): Promise<void>;
  /** Those of sessions that are archived or deleted are left out, here and in what is counted. */
  marks(minitoolId: string): Promise<readonly MarkRow[]>;
  /** Which of these sessions have one, by their numbers. */
  marked(sids: readonly number[]): Promise<ReadonlySet<number>>;
  /** How many there are, by mini-tool; one that has none is not named. */
  markCounts(): Promise<ReadonlyMap<string, number>>;

  /** Which node hosts mini-tools: taken, or kept, by `node` until `until`; false while another has it (database time). */
  host(node: string, now: number, until: number): Promise<boolean>;
  /** Which node hosts them until when (database time), or did so last; undefined where none ever did. */
  hostedBy(): Promise<{ readonly node: string; readonly until: number } | undefined>;
}
