/** Rows of heads, sessions and receipts as the port's types. */

import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ResourceKind } from '@turnkeeper/core/view/resources';
import type { Head, Loaded, Receipt, ResourceRow, SessionRow } from '../../ports/session-store.ts';

export type SqliteRow = Readonly<Record<string, unknown>>;

const text = (row: SqliteRow, column: string): string => row[column] as string;
const number = (row: SqliteRow, column: string): number => row[column] as number;
const numberOrNull = (row: SqliteRow, column: string): number | null => row[column] as number | null;

/** The last moment of a `Date`. Numbers beyond 2^53 cannot be read: a later time, once stored, must not lock up its session. */
export const latest = 8_640_000_000_000_000;

export const headColumns = `heads.sid, heads.seq, heads.state_seq, heads.horizon, heads.fence, heads.node, heads.wn, min(heads.due, ${latest}) AS due`;
export const headOf = (row: SqliteRow): Head => ({
  sid: number(row, 'sid'),
  seq: number(row, 'seq'),
  stateSeq: number(row, 'state_seq'),
  horizon: number(row, 'horizon'),
  fence: number(row, 'fence'),
  node: row['node'] as string | null,
  wn: number(row, 'wn'),
  due: numberOrNull(row, 'due'),
});

export const sessionColumns =
  'sessions.sid, sessions.id, sessions.owner, sessions.root, sessions.path, sessions.placement, sessions.config_ref, sessions.title, sessions.metadata, sessions.status, sessions.archived_at, sessions.deleted_at, sessions.created_at, sessions.updated_at, (SELECT body FROM payloads WHERE payloads.sid = sessions.sid AND payloads.n = 0) AS forked_from';
export const sessionOf = (row: SqliteRow): SessionRow => ({
  sid: number(row, 'sid'),
  id: text(row, 'id') as SessionId,
  owner: text(row, 'owner'),
  root: text(row, 'root') as SessionId,
  path: text(row, 'path'),
  placement: text(row, 'placement'),
  configRef: text(row, 'config_ref'),
  title: text(row, 'title'),
  metadata: text(row, 'metadata'),
  status: text(row, 'status'),
  archivedAt: numberOrNull(row, 'archived_at'),
  deletedAt: numberOrNull(row, 'deleted_at'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
  ...(row['forked_from'] == null ? {} : { forkedFrom: text(row, 'forked_from') }),
});

/** One statement, so that row, head and state are of one moment (W9). */
export const selectLoaded = `SELECT ${headColumns}, ${sessionColumns}, states.body AS state FROM sessions
  JOIN heads ON heads.sid = sessions.sid JOIN states ON states.sid = sessions.sid`;
export const loadedOf = (row: SqliteRow): Loaded => ({ row: sessionOf(row), head: headOf(row), state: text(row, 'state') });

export const receiptOf = (row: SqliteRow): Receipt => ({
  scope: text(row, 'scope'),
  key: text(row, 'key'),
  hash: text(row, 'hash'),
  answer: text(row, 'answer'),
  at: number(row, 'at'),
});

export const logRowOf = (row: SqliteRow): LogRow => ({
  sid: number(row, 'sid'),
  seq: number(row, 'seq'),
  turn: number(row, 'turn'),
  type: text(row, 'type'),
  at: number(row, 'at'),
  data: text(row, 'data'),
});

export const resourceOf = (row: SqliteRow): ResourceRow => ({
  kind: text(row, 'kind') as ResourceKind,
  id: text(row, 'id'),
  n: number(row, 'n'),
  lastSeq: number(row, 'last_seq'),
  baseSeq: number(row, 'base_seq'),
  lastAt: number(row, 'last_at'),
  body: text(row, 'body'),
});
