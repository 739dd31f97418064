/**
 * A batch of writes as the arguments of `turnkeeper_write_2` (migrations/0004), in its order.
 */
import type { NewSession, Write } from '../../ports/session-store.ts';
import { actionIndex } from '../shared/action-index.ts';
import { storedCheckpointId } from '../shared/checkpoint-pointer.ts';
import { lineagePayload } from '../shared/lineage.ts';
import { int4Array, int8Array, textArray } from './binary-array.ts';
import { foldedTitle, storableText } from './storable-text.ts';

/** What a lane is asked to commit. */
export type Job = { readonly kind: 'write'; readonly write: Write } | { readonly kind: 'create'; readonly session: NewSession };

type Body = Omit<Write, 'sid' | 'guard' | 'session'>;

const bodyOf = (job: Job): Body => (job.kind === 'write' ? job.write : job.session.write);

/** Absent numbers travel as -1 (see the function's header). */
const absent = -1;
const unlimited = Number.MAX_SAFE_INTEGER;

const kindOf = (job: Job): number => (job.kind === 'create' ? 2 : job.write.guard.kind === 'run' ? 1 : 0);
const holdOf = (body: Body): number => (body.hold === undefined ? 0 : body.hold.kind === 'claim' ? 1 : 2);

const guardColumns = (jobs: readonly Job[]): Buffer[] => {
  const guards = jobs.map((job) => (job.kind === 'write' ? job.write.guard : undefined));
  return [
    int8Array(jobs.map((job) => (job.kind === 'write' ? job.write.sid : null))),
    int4Array(jobs.map(kindOf)),
    int8Array(guards.map((guard) => guard?.stateSeq ?? absent)),
    int8Array(guards.map((guard) => (guard?.kind === 'run' ? guard.fence : absent))),
    int8Array(guards.map((guard) => (guard?.kind === 'run' ? guard.wn : absent))),
  ];
};

const headColumns = (bodies: readonly Body[]): Buffer[] => [
  int4Array(bodies.map((body) => body.events.length)),
  int4Array(bodies.map((body) => (body.state ? 1 : 0))),
  int8Array(bodies.map((body) => body.state?.due ?? absent)),
  int4Array(bodies.map(holdOf)),
  textArray(bodies.map((body) => (body.hold?.kind === 'claim' ? storableText(body.hold.node) : null))),
  ...quotaColumns(bodies),
];

/** Empty when no write of the batch moves a quota: most batches are deltas. */
const quotaColumns = (bodies: readonly Body[]): Buffer[] => {
  const quotas = bodies.some((body) => body.quota) ? bodies.map((body) => body.quota) : [];
  return [
    textArray(quotas.map((quota) => (quota ? storableText(quota.owner) : null))),
    int8Array(quotas.map((quota) => quota?.unfinished ?? 0)),
    int8Array(quotas.map((quota) => quota?.running ?? 0)),
    int8Array(quotas.map((quota) => quota?.tokens ?? 0)),
    int8Array(quotas.map((quota) => Math.min(quota?.unfinishedLimit ?? unlimited, unlimited))),
    int8Array(quotas.map((quota) => Math.min(quota?.runningLimit ?? unlimited, unlimited))),
  ];
};

/** Rows of all writes, each with its write's place in the batch (from 1). */
const placed = <Of, Row>(of: readonly Of[], rowsOf: (each: Of) => readonly Row[] | undefined): { w: number[]; rows: Row[] } => {
  const w: number[] = [];
  const rows: Row[] = [];
  of.forEach((each, index) => {
    for (const row of rowsOf(each) ?? []) {
      w.push(index + 1);
      rows.push(row);
    }
  });
  return { w, rows };
};

const stateColumns = (bodies: readonly Body[]): Buffer[] => {
  const { w, rows } = placed(bodies, (body) => body.state && [body.state]);
  return [int4Array(w), textArray(rows.map((row) => row.body))];
};

const eventColumns = (bodies: readonly Body[]): Buffer[] => {
  const { w, rows } = placed(bodies, (body) => body.events.map((event, index) => ({ event, k: index + 1 })));
  return [
    int4Array(w),
    int4Array(rows.map(({ k }) => k)),
    int8Array(rows.map(({ event }) => event.turn)),
    textArray(rows.map(({ event }) => event.type)),
    int8Array(rows.map(({ event }) => event.at)),
    textArray(rows.map(({ event }) => event.data)),
  ];
};

const resourceColumns = (bodies: readonly Body[]): Buffer[] => {
  const { w, rows } = placed(bodies, (body) => body.resources?.map((resource) => ({ resource, lastAt: body.events[resource.last]?.at ?? 0 })));
  return [
    int4Array(w),
    textArray(rows.map(({ resource }) => resource.kind)),
    textArray(rows.map(({ resource }) => storableText(resource.id))),
    int4Array(rows.map(({ resource }) => resource.first + 1)),
    int4Array(rows.map(({ resource }) => resource.last + 1)),
    int4Array(rows.map(({ resource }) => resource.base + 1)),
    int8Array(rows.map(({ lastAt }) => lastAt)),
    textArray(rows.map(({ resource }) => resource.body)),
  ];
};

const contextColumns = (bodies: readonly Body[]): Buffer[] => {
  const { w, rows } = placed(bodies, (body) => body.context);
  return [int4Array(w), int4Array(rows.map((row) => row.at + 1)), textArray(rows.map((row) => row.body))];
};

const storable = (_key: string, value: unknown): unknown => (typeof value === 'string' ? storableText(value) : value);

/** JSON rows, or null when there are none: the function then leaves that table alone. */
const json = (rows: readonly object[]): string | null => (rows.length === 0 ? null : JSON.stringify(rows, storable));

const newRow = (job: Job, index: number): object[] => {
  if (job.kind !== 'create') return [];
  const { row, config } = job.session;
  return [
    {
      w: index + 1,
      id: row.id,
      owner: row.owner,
      root: row.root,
      path: row.path,
      placement: row.placement,
      config_ref: config.ref,
      config: config.body,
      title: row.title,
      title_folded: foldedTitle(row.title),
      metadata: row.metadata,
      metadata_folded: foldedMetadata(row.metadata),
      status: row.status,
      archived_at: row.archivedAt,
      deleted_at: row.deletedAt,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    },
  ];
};

const patchRow = (job: Job, index: number): object[] => {
  if (job.kind !== 'write' || !job.write.session) return [];
  const { title, metadata } = job.write.session;
  const folded = {
    ...(title === undefined ? {} : { titleFolded: foldedTitle(title) }),
    ...(metadata === undefined ? {} : { metadataFolded: foldedMetadata(metadata) }),
  };
  return [{ w: index + 1, patch: { ...job.write.session, ...folded } }];
};

/** Null when it is in lower case as it is: most metadata is empty. */
export const foldedMetadata = (metadata: string): string | null => {
  const folded = metadata.toLowerCase();
  return folded === metadata ? null : folded;
};

const actionRows = (body: Body): object[] | undefined =>
  body.resources
    ?.filter(({ kind }) => kind === 'required_action')
    .map((action) => {
      const { open, kind, approvers } = actionIndex(action.body);
      return { id: action.id, is_open: open, kind, approvers: approvers ?? null };
    });

const auditRows = (body: Body): object[] | undefined =>
  body.audit?.map(({ actorName, credentialId, sessionId, details, ...entry }) => ({
    ...entry,
    actor_name: actorName,
    credential_id: credentialId,
    session_id: sessionId,
    details: JSON.stringify(details),
  }));

const payloadRows = (job: Job): object[] => {
  const lineage = job.kind === 'write' ? job.write.session?.forkedFrom : job.session.row.forkedFrom;
  return [...(bodyOf(job).payloads ?? []), ...(lineage === undefined ? [] : [{ n: lineagePayload, body: lineage }])];
};

const checkpointRows = (body: Body): object[] | undefined =>
  body.checkpoints?.map((entry) => ({ id: storedCheckpointId(entry, body.events.length), turn: entry.turn, reason: entry.reason, at: entry.at }));

const numbered = <Of, Row extends object>(of: readonly Of[], rowsOf: (each: Of) => readonly Row[] | undefined): object[] => {
  const { w, rows } = placed(of, rowsOf);
  return rows.map((row, index) => ({ w: w[index], ...row }));
};

export const encodeBatch = (jobs: readonly Job[], wait: boolean): (Buffer | string | boolean | null)[] => {
  const bodies = jobs.map(bodyOf);
  return [
    wait,
    ...guardColumns(jobs),
    ...headColumns(bodies),
    ...stateColumns(bodies),
    ...eventColumns(bodies),
    ...resourceColumns(bodies),
    ...contextColumns(bodies),
    json(jobs.flatMap(newRow)),
    json(jobs.flatMap(patchRow)),
    json(numbered(bodies, (body) => body.receipts)),
    json(numbered(jobs, payloadRows)),
    json(numbered(bodies, checkpointRows)),
    json(numbered(bodies, actionRows)),
    json(numbered(bodies, auditRows)),
  ];
};
