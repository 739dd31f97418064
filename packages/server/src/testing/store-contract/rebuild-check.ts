/**
 * The rebuild check: state and resources are folds of the log ("the log is the truth").
 *
 * One read gives state and resources as of a moment; the log up to that moment is folded with core's reducers and
 * compared. Works while writers run. Of a log whose beginning was pruned (horizon > 0) only the numbering is checked.
 */

import { type LogRow, loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import { isDelta, type LoggedEvent } from '@turnkeeper/core/session/events';
import { evolve } from '@turnkeeper/core/session/evolve';
import { emptyState } from '@turnkeeper/core/session/state';
import { applyToResource, type Body, type ResourceKind, resourceKinds, touched } from '@turnkeeper/core/view/resources';
import type { ResourcePage, ResourceRow, SessionStore } from '../../ports/session-store.ts';

const everything = 1_000_000;

type Rebuilt = { readonly kind: ResourceKind; readonly id: string; readonly n: number; lastStep: number; lastAt: Map<number, number>; body: Body | undefined };

const parsed = (row: LogRow): LoggedEvent => loggedEvent(row.type, row.at, JSON.parse(row.data));

const rebuild = (log: readonly LogRow[]): Map<string, Rebuilt> => {
  const all = new Map<string, Rebuilt>();
  for (const row of log) {
    const event = parsed(row);
    for (const { kind, id } of touched(event)) {
      const known = all.get(`${kind} ${id}`);
      const body = applyToResource(kind, known?.body, event);
      if (!known && body === undefined) continue;
      const resource = known ?? { kind, id, n: row.seq, lastStep: row.seq, lastAt: new Map(), body };
      resource.body = body;
      resource.lastAt.set(row.seq, row.at);
      if (!isDelta(row.type)) resource.lastStep = row.seq;
      all.set(`${kind} ${id}`, resource);
    }
  }
  return all;
};

const shown = (row: ResourceRow, deltas: readonly LogRow[]): Body | undefined => {
  const own = deltas.filter((delta) => delta.seq > row.baseSeq && touched(parsed(delta)).some((ref) => ref.kind === row.kind && ref.id === row.id));
  return own.reduce<Body | undefined>((body, delta) => applyToResource(row.kind, body, parsed(delta)), JSON.parse(row.body) as Body);
};

const resourceFaults = (page: ResourcePage, log: readonly LogRow[]): string[] => {
  const wanted = rebuild(log);
  const faults: string[] = [];
  for (const row of page.resources.flat()) {
    const name = `${row.kind} ${row.id}`;
    const want = wanted.get(name);
    wanted.delete(name);
    if (!want) {
      faults.push(`${name}: stored, but no event made it`);
      continue;
    }
    if (row.n !== want.n) faults.push(`${name}: place ${row.n}, its first event is ${want.n}`);
    if (row.lastSeq < want.lastStep || want.lastAt.get(row.lastSeq) !== row.lastAt)
      faults.push(`${name}: last ${row.lastSeq} at ${row.lastAt}, its last step is ${want.lastStep}`);
    if (row.baseSeq < row.lastSeq || row.baseSeq > page.asOf) faults.push(`${name}: base ${row.baseSeq} lies outside ${row.lastSeq} to ${page.asOf}`);
    const [is, should] = [canonicalJson(shown(row, page.deltas)), canonicalJson(want.body)];
    if (is !== should) faults.push(`${name}: stored ${is}, rebuilt ${should}`);
  }
  return [...faults, ...[...wanted.keys()].map((name) => `${name}: not stored`)];
};

const logFaults = (page: ResourcePage, log: readonly LogRow[]): string[] => {
  const { horizon, seq, stateSeq } = page.head;
  const faults = page.asOf === seq ? [] : [`asOf ${page.asOf} is not the head's seq ${seq}`];
  if (log.some((row, index) => row.seq !== horizon + 1 + index) || log.length !== seq - horizon)
    faults.push(`the log from ${horizon} to ${seq} has gaps: ${log.length} rows`);
  const lastStep = log.findLast((row) => !isDelta(row.type))?.seq ?? horizon;
  if (stateSeq < lastStep || stateSeq > seq) faults.push(`stateSeq ${stateSeq}, the last step is ${lastStep}`);
  return faults;
};

/** Names what is stored of a session and differs from the fold of its log; empty when all agrees. */
export const rebuildCheck = async (store: SessionStore, sid: number): Promise<readonly string[]> => {
  const page = await store.resources(
    sid,
    resourceKinds.map((kind) => ({ kind, limit: everything })),
  );
  if (!page) return [`session ${sid} is not there`];
  const log = await store.events({ sid, after: page.head.horizon, upto: page.asOf, limit: everything });
  const faults = logFaults(page, log);
  if (page.head.horizon > 0) return faults;
  const state = log.map(parsed).reduce(evolve, emptyState);
  const [is, should] = [canonicalJson(JSON.parse(page.state)), canonicalJson(state)];
  if (is !== should) faults.push(`state: stored ${is}, rebuilt ${should}`);
  return [...faults, ...resourceFaults(page, log)];
};
