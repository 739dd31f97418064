/**
 * One write inside the writer's transaction: all checks first, by reads, then all rows.
 *
 * W2 W3 W4 W5 W6 are kept here. A refused write has written nothing, so that its neighbours in the batch need no
 * savepoint around it (W7).
 */
import type { Head, Receipt, Write, WriteResult } from '../../ports/session-store.ts';
import { eventWidth, type FlatCreate, type FlatEvents, type FlatWrite } from './operations.ts';
import { headOf, receiptOf, type SqliteRow } from './session-rows.ts';
import type { WriteStatements } from './write-statements.ts';

type Refused = Extract<WriteResult, { ok: false }>;
type Rows = Omit<FlatWrite, 'guard' | 'sid'>;

const refused = (reason: 'gone' | 'conflict' | 'fenced'): Refused => ({ ok: false, reason });

const usedReceipt = (on: WriteStatements, receipts: Rows['receipts']): Receipt | undefined => {
  for (const { scope, key } of receipts ?? []) {
    const row = on.receipt.get(scope, key);
    if (row) return receiptOf(row);
  }
  return undefined;
};

const guardRefusal = (head: Head, guard: Write['guard']): Refused | undefined => {
  switch (guard.kind) {
    case 'command':
      return guard.stateSeq === head.stateSeq ? undefined : refused('conflict');
    case 'run':
      if (guard.fence !== head.fence || guard.wn !== head.wn) return refused('fenced');
      return guard.stateSeq === undefined || guard.stateSeq === head.stateSeq ? undefined : refused('conflict');
  }
};

const quotaRefusal = (on: WriteStatements, quota: Rows['quota']): Refused | undefined => {
  if (quota?.limit === undefined || quota.delta <= 0) return undefined;
  const count = Number(on.quota.get(quota.owner)?.['count'] ?? 0);
  return count + quota.delta > quota.limit ? { ok: false, reason: 'quota', count } : undefined;
};

export const applyWrite = (on: WriteStatements, write: FlatWrite): WriteResult => {
  const row = on.head.get(write.sid);
  if (!row || row['gone'] === 1) return refused('gone');
  const head = headOf(row);
  const receipt = usedReceipt(on, write.receipts);
  if (receipt) return { ok: false, reason: 'receipt', receipt };
  const refusal = guardRefusal(head, write.guard) ?? quotaRefusal(on, write.quota);
  if (refusal) return refusal;
  return { ok: true, head: putRows(on, head, write, write.guard.kind === 'run') };
};

export const applyCreate = (on: WriteStatements, { row, config, write }: FlatCreate): WriteResult => {
  const receipt = usedReceipt(on, write.receipts);
  if (receipt) return { ok: false, reason: 'receipt', receipt };
  if (on.sidOf.get(row.id)) return refused('conflict');
  const refusal = quotaRefusal(on, write.quota);
  if (refusal) return refusal;
  const { lastInsertRowid } = on.insertSession.run(
    row.id,
    row.owner,
    row.root,
    row.path,
    row.placement,
    row.configRef,
    row.title,
    row.metadata,
    row.status,
    row.archivedAt,
    row.deletedAt,
    row.createdAt,
    row.updatedAt,
  );
  const sid = Number(lastInsertRowid);
  on.insertHead.run(sid, row.owner);
  on.insertConfig.run(config.ref, config.body);
  if (!write.state) on.putState.run(sid, '{}');
  const head: Head = { sid, seq: 0, stateSeq: 0, horizon: 0, fence: 0, node: null, wn: 0, due: null };
  return { ok: true, head: putRows(on, head, write, false) };
};

/** The head after the write. */
const moved = (head: Head, write: Rows, byHolder: boolean): Head => {
  const seq = head.seq + write.events.length / eventWidth;
  const deleted = write.session?.deletedAt != null;
  const next: Head = {
    ...head,
    seq,
    stateSeq: write.state && seq > head.seq ? seq : head.stateSeq,
    due: deleted ? null : write.state ? write.state.due : head.due,
    wn: byHolder ? head.wn + 1 : head.wn,
  };
  switch (write.hold?.kind) {
    case 'claim':
      return { ...next, fence: head.fence + 1, wn: 0, node: write.hold.node };
    case 'release':
      return { ...next, node: null };
    case undefined:
      return next;
  }
};

const putRows = (on: WriteStatements, head: Head, write: Rows, byHolder: boolean): Head => {
  const { sid } = head;
  const next = moved(head, write, byHolder);
  const deleted = write.session?.deletedAt != null;
  on.moveHead.run(next.seq, next.stateSeq, next.fence, next.wn, sid);
  if (next.due !== head.due || next.node !== head.node || deleted) on.placeHead.run(next.due, next.node, deleted ? 1 : 0, sid);
  putEvents(on, sid, head.seq, write.events);
  if (write.state) on.putState.run(sid, write.state.body);
  // Index i of the write's events is seq `head.seq + 1 + i`.
  const seqAt = (index: number): number => head.seq + 1 + index;
  for (const { kind, id, first, last, base, body } of write.resources ?? []) {
    const lastAt = write.events[last * eventWidth + 2];
    if (lastAt === undefined) throw new Error(`resource ${id} rests on event ${last}, which the write does not have`);
    on.putResource.run(sid, kind, seqAt(first), id, seqAt(last), seqAt(base), lastAt, body);
  }
  for (const { at, body } of write.context ?? []) on.insertContext.run(sid, seqAt(at), body);
  for (const { n, body } of write.payloads ?? []) on.putPayload.run(sid, n, body);
  if (write.checkpoint) on.insertCheckpoint.run(sid, next.seq, write.checkpoint.id, write.checkpoint.turn, write.checkpoint.reason, write.checkpoint.at);
  if (write.quota) on.moveQuota.run(write.quota.owner, write.quota.delta);
  if (deleted) on.freeReceipts.run(sid);
  for (const { scope, key, hash, answer, at } of write.receipts ?? []) on.insertReceipt.run(sid, scope, key, hash, answer, at);
  if (write.session) putSession(on, sid, write.session);
  return next;
};

const putEvents = (on: WriteStatements, sid: number, after: number, events: FlatEvents): void => {
  for (let at = 0, seq = after + 1; at < events.length; at += eventWidth, seq += 1) {
    on.insertEvent.run(sid, seq, events[at] as number, events[at + 1] as string, events[at + 2] as number, events[at + 3] as string);
  }
};

const putSession = (on: WriteStatements, sid: number, change: NonNullable<Rows['session']>): void => {
  const row = on.session.get(sid) as SqliteRow;
  const value = <Type>(changed: Type | undefined, column: string): Type => (changed === undefined ? (row[column] as Type) : changed);
  on.updateSession.run(
    value(change.title, 'title'),
    value(change.metadata, 'metadata'),
    value(change.status, 'status'),
    value(change.archivedAt, 'archived_at'),
    value(change.deletedAt, 'deleted_at'),
    value(change.updatedAt, 'updated_at'),
    sid,
  );
};
