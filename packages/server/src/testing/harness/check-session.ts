/**
 * All that must hold of a session at any moment: its log, that state and resources are folds of it, that the snapshot is
 * what a reader of the log would see, and that the state keeps its invariants.
 */

import { cursorOf } from '@turnkeeper/core/protocol/cursors';
import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import { isSessionId } from '@turnkeeper/core/session/ids';
import { brokenInvariant } from '@turnkeeper/core/session/invariants';
import type { SessionState } from '@turnkeeper/core/session/state';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import type { App } from '../../app/app.ts';
import type { Caller } from '../../app/caller.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { rebuildCheck } from '../store-contract/rebuild-check.ts';
import { type Logged, logFaults, wholeLog } from './log-checker.ts';

const compared = [
  'items',
  'turns',
  'runs',
  'tools',
  'required_actions',
  'action_commands',
  'inputs',
  'artifacts',
  'subagents',
  'steps',
  'usage',
] as const satisfies readonly (keyof SessionView)[];

/** What differs between the snapshot and the fold of the log; the log must not move meanwhile. */
export const snapshotFaults = async (app: App, caller: Caller, sessionId: string, store: SessionStore, sid: number): Promise<readonly string[]> => {
  const snapshot = await readSnapshot(app, caller, sessionId, 100_000);
  const stream = { kind: 'session', sid } as const;
  const rows = await store.events({ sid, after: 0, limit: 1_000_000 });
  const fold = rows.reduce(
    (view, row) => applyEvent(view, envelopeOf(sessionId, stream, row)),
    emptyView({ id: sessionId, status: 'idle', archived: false }, cursorOf(stream, 0)),
  );
  const bodies = (value: unknown): unknown => (Array.isArray(value) ? value.map((entry) => (entry as { data: unknown }).data) : value);
  const faults = compared.flatMap((member) => {
    const [is, should] = [canonicalJson(bodies(snapshot[member])), canonicalJson(bodies(fold[member]))];
    return is === should ? [] : [`snapshot.${member}: ${is}, the log gives ${should}`];
  });
  if (snapshot.as_of !== fold.as_of) faults.push(`snapshot as_of ${snapshot.as_of}, the log ends at ${fold.as_of}`);
  if (snapshot.session.status !== fold.session.status) faults.push(`snapshot status ${snapshot.session.status}, the log gives ${fold.session.status}`);
  return faults;
};

export type Checked = { readonly log: readonly Logged[]; readonly faults: readonly string[] };

/** Reads and checks a session in the store. */
export const checkSession = async (store: SessionStore, sessionId: string, as?: { readonly app: App; readonly caller: Caller }): Promise<Checked> => {
  const loaded = isSessionId(sessionId) ? await store.load(sessionId) : undefined;
  if (!loaded) return { log: [], faults: [`there is no session ${sessionId}`] };
  const { sid } = loaded.head;
  const log = await wholeLog(store, sid);
  const broken = brokenInvariant(JSON.parse(loaded.state) as SessionState);
  return {
    log,
    faults: [
      ...logFaults(log),
      ...(await rebuildCheck(store, sid)),
      ...(broken === undefined ? [] : [`state: ${broken}`]),
      ...(as ? await snapshotFaults(as.app, as.caller, sessionId, store, sid) : []),
    ],
  };
};

/** Runs of tools that the log does not know of: each must stand behind its durable dispatch (S15). */
export const undispatched = (log: readonly Logged[], runs: readonly { readonly turnId: string; readonly callId: string }[]): readonly string[] => {
  const left = log.flatMap(({ event }) => (event.type === 'tool.dispatched' ? [`${event.data.turn_id} ${event.data.tool_call_id}`] : []));
  return runs.flatMap(({ turnId, callId }) => {
    const at = left.indexOf(`${turnId} ${callId}`);
    if (at !== -1) left.splice(at, 1);
    return at === -1 ? [`${turnId} ${callId}: ran without a dispatch`] : [];
  });
};
