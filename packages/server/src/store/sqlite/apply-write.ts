/**
 * One write inside the writer's transaction: all checks first, by reads, then all rows.
 *
 * W2 W3 W4 W5 W6 are kept here. A refused write has written nothing, so that its neighbours in the batch need no
 * savepoint around it (W7).
 */
import { formatOfState } from '@turnkeeper/core/session/formats';
import { firstFormat } from '@turnkeeper/core/session/state';
import type { Head, Receipt, Write, WriteResult } from '../../ports/session-store.ts';
import { actionIndex } from '../shared/action-index.ts';
import { storedCheckpointId } from '../shared/checkpoint-pointer.ts';
import { lineagePayload } from '../shared/lineage.ts';
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

const quotaRefusal = (on: WriteStatements, move: Rows['quota']): Refused | undefined => {
  if (!move || (move.unfinishedLimit === undefined && move.runningLimit === undefined)) return undefined;
  const row = on.quota.get(move.owner);
  const full = (quota: 'unfinished' | 'running', limit = Number.POSITIVE_INFINITY): Refused | undefined => {
    const count = Number(row?.[quota] ?? 0);
    return move[quota] > 0 && count + move[quota] > limit ? { ok: false, reason: 'quota', quota, count } : undefined;
  };
  return full('unfinished', move.unfinishedLimit) ?? full('running', move.runningLimit);
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
  if (row.forkedFrom !== undefined) on.putPayload.run(sid, lineagePayload, row.forkedFrom);
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
  if (write.state) {
    on.putState.run(sid, write.state.body);
    const v = formatOfState(write.state.body);
    if (v > firstFormat) on.raiseFormat.run(v, sid, v);
  }
  // Index i of the write's events is seq `head.seq + 1 + i`.
  const seqAt = (index: number): number => head.seq + 1 + index;
  for (const { kind, id, first, last, base, body } of write.resources ?? []) {
    const lastAt = write.events[last * eventWidth + 2];
    if (lastAt === undefined) throw new Error(`resource ${id} rests on event ${last}, which the write does not have`);
    on.putResource.run(sid, kind, seqAt(first), id, seqAt(last), seqAt(base), lastAt, body);
    if (kind === 'required_action') listAction(on, sid, id, body);
  }
  for (const { at, body } of write.context ?? []) on.insertContext.run(sid, seqAt(at), body);
  for (const { n, body } of write.payloads ?? []) on.putPayload.run(sid, n, body);
  for (const entry of write.checkpoints ?? []) {
    const id = storedCheckpointId(entry, write.events.length / eventWidth);
    on.insertCheckpoint.run(sid, next.seq, id, entry.turn, entry.reason, entry.at);
  }
  if (write.quota) on.moveQuota.run(write.quota.owner, write.quota.unfinished, write.quota.running, write.quota.tokens);
  if (deleted) {
    on.freeReceipts.run(sid);
    on.closeActions.run(sid);
  }
  for (const { scope, key, hash, answer, at } of write.receipts ?? []) on.insertReceipt.run(sid, scope, key, hash, answer, at);
  if (write.session) putSession(on, sid, write.session);
  for (const entry of write.audit ?? []) putAudit(on, entry);
  return next;
};

/** Puts an action on the list of open ones, or takes it off. */
const listAction = (on: WriteStatements, sid: number, id: string, body: string): void => {
  const { open, kind, approvers } = actionIndex(body);
  if (!open) {
    on.closeAction.run(sid, sid, id);
    return;
  }
  on.openAction.run(kind, approvers ? 1 : 0, sid, id);
  for (const userId of approvers ?? []) on.nameApprover.run(userId, sid, sid, id);
};

const putAudit = (on: WriteStatements, entry: NonNullable<Rows['audit']>[number]): void => {
  const { id, at, actor, actorName, credentialId, address, action, subject, sessionId, details } = entry;
  on.insertAudit.run(id, at, actor, actorName, credentialId, address, action, subject, sessionId, JSON.stringify(details));
};

const putEvents = (on: WriteStatements, sid: number, after: number, events: FlatEvents): void => {
  for (let at = 0, seq = after + 1; at < events.length; at += eventWidth, seq += 1) {
    on.insertEvent.run(sid, seq, events[at] as number, events[at + 1] as string, events[at + 2] as number, events[at + 3] as string);
  }
};

const putSession = (on: WriteStatements, sid: number, change: NonNullable<Rows['session']>): void => {
  if (change.forkedFrom !== undefined) on.putPayload.run(sid, lineagePayload, change.forkedFrom);
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
