/**
 * Sample sessions, events and writes for the contract suite. Ids are unique, so that tests can share a store. Knows
 * nothing of the test runner, so that child processes of tests can use it too.
 */
import { randomUUID } from 'node:crypto';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { AuditRow } from '../../ports/catalog.ts';
import type { EventWrite, Head, NewSession, QuotaMove, SessionStore, Write, WriteResult } from '../../ports/session-store.ts';

export const unique = (prefix: string): string => `${prefix}${randomUUID().replaceAll('-', '')}`;

/** When samples happen (Unix ms); ids and order never depend on it. */
export const sampleTime = 1_800_000_000_000;

export const event = (type: string, data: unknown = {}, turn = 0, at = sampleTime): EventWrite => ({ turn, type, at, data: JSON.stringify(data) });

export const itemDelta = (itemId: string, text: string, turn = 1): EventWrite =>
  event(
    'item.delta',
    { turn_id: 'turn_1', run_id: 'run_1_1', item_id: itemId, model_call_id: 'call_1_1', position: 0, content: [{ type: 'text', text }] },
    turn,
  );

export const toolDelta = (callId: string, text: string, turn = 1): EventWrite =>
  event('tool.delta', { turn_id: 'turn_1', run_id: 'run_1_1', execution_id: 'turn_1', tool_call_id: callId, output: [{ type: 'text', text }] }, turn);

export type SampleSession = {
  readonly id?: string;
  readonly owner?: string;
  readonly row?: Partial<NewSession['row']>;
  readonly write?: Partial<NewSession['write']>;
  readonly due?: number | null;
  readonly config?: NewSession['config'];
};

export const newSession = (sample: SampleSession = {}): NewSession => {
  const id = (sample.id ?? unique('ses_')) as SessionId;
  return {
    row: {
      id,
      owner: sample.owner ?? unique('user:'),
      root: id,
      path: '',
      placement: 'space:default',
      configRef: sample.config?.ref ?? 'config-1',
      title: 'A session',
      metadata: '{}',
      status: 'idle',
      archivedAt: null,
      deletedAt: null,
      createdAt: sampleTime,
      updatedAt: sampleTime,
      ...sample.row,
    },
    config: sample.config ?? { ref: sample.row?.configRef ?? 'config-1', body: '{"model":"demo"}' },
    write: { events: [event('session.status_created')], state: { body: '{"v":1}', due: sample.due ?? null }, ...sample.write },
  };
};

/** The head of a write that was taken; fails the test otherwise. */
export const taken = (result: WriteResult): Head => {
  if (!result.ok) throw new Error(`the write was refused: ${JSON.stringify(result)}`);
  return result.head;
};

export const createdSession = async (
  store: SessionStore,
  sample: SampleSession = {},
): Promise<{ head: Head; id: SessionId; owner: string; session: NewSession }> => {
  const session = newSession(sample);
  const head = taken(await store.create(session));
  return { head, id: session.row.id, owner: session.row.owner, session };
};

/** A move of an owner's counters: what is not given stays. */
export const quotaMove = (owner: string, over: Partial<QuotaMove>): QuotaMove => ({ owner, unfinished: 0, running: 0, tokens: 0, ...over });

export const auditRow = (over: Partial<AuditRow> = {}): AuditRow => ({
  id: unique('aud_'),
  at: sampleTime,
  actor: 'user:ann',
  actorName: 'Ann "A" Ö',
  credentialId: null,
  address: null,
  action: 'action.answered',
  subject: 'action:x',
  sessionId: null,
  details: {},
  ...over,
});

/** A command on the state as of `head`: it carries a state unless told otherwise. */
export const command = (head: Head, over: Partial<Write> = {}): Write => ({
  sid: head.sid,
  guard: { kind: 'command', stateSeq: head.stateSeq },
  events: [event('session.status_idle')],
  state: { body: '{"v":1}', due: null },
  ...over,
});

/** Run facts of the holder as of `head`: deltas, so without a state, unless told otherwise. */
export const runWrite = (head: Head, over: Partial<Write> = {}): Write => ({
  sid: head.sid,
  guard: { kind: 'run', fence: head.fence, wn: head.wn },
  events: [itemDelta('item_1_1', 'hello')],
  ...over,
});

export const headOf = async (store: SessionStore, sid: number): Promise<Head> => {
  const loaded = await store.loadBySid(sid);
  if (!loaded) throw new Error(`session ${sid} is not there`);
  return loaded.head;
};

/** The whole log of a session. */
export const logOf = (store: SessionStore, sid: number) => store.events({ sid, after: 0, limit: 1_000_000 });

export const waitMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
