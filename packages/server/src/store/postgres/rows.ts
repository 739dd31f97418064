/** Rows as the statements return them, and what they are in the port's terms. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ResourceKind } from '@turnkeeper/core/view/resources';
import type { Head, Loaded, ResourceRow, SessionRow } from '../../ports/session-store.ts';

export type StoredHead = { sid: number; seq: number; state_seq: number; horizon: number; fence: number; node: string | null; wn: number; due: number | null };

export type StoredSession = {
  sid: number;
  id: string;
  owner: string;
  root: string;
  path: string;
  placement: string;
  config_ref: string;
  title: string;
  metadata: string;
  status: string;
  archived_at: number | null;
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
  forked_from: string | null;
};

export const sessionColumns =
  's.sid, s.id, s.owner, s.root, s.path, s.placement, s.config_ref, s.title, s.metadata, s.status, s.archived_at, s.deleted_at, s.created_at, s.updated_at, (select body from payloads where payloads.sid = s.sid and payloads.n = 0) as forked_from';
const headColumns = 'h.seq, h.state_seq, h.horizon, h.fence, h.node, h.wn, h.due';

const headOf = (row: StoredHead): Head => ({
  sid: row.sid,
  seq: row.seq,
  stateSeq: row.state_seq,
  horizon: row.horizon,
  fence: row.fence,
  node: row.node,
  wn: row.wn,
  due: row.due,
});

export const sessionOf = (row: StoredSession): SessionRow => ({
  sid: row.sid,
  id: row.id as SessionId,
  owner: row.owner,
  root: row.root as SessionId,
  path: row.path,
  placement: row.placement,
  configRef: row.config_ref,
  title: row.title,
  metadata: row.metadata,
  status: row.status,
  archivedAt: row.archived_at,
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.forked_from === null ? {} : { forkedFrom: row.forked_from }),
});

export type StoredLoaded = StoredSession & StoredHead & { state: string };

/** The session, its head and its state: one statement, so of one moment. */
export const loadText = `select ${sessionColumns}, ${headColumns}, coalesce(t.body, '') as state
  from sessions s join heads h using (sid) left join states t using (sid)`;

export const loadedOf = (row: StoredLoaded): Loaded => ({ row: sessionOf(row), head: headOf(row), state: row.state });

export type StoredResource = { kind: string; id: string; n: number; last_seq: number; base_seq: number; last_at: number; body: string };

export const resourceOf = (row: StoredResource): ResourceRow => ({
  kind: row.kind as ResourceKind,
  id: row.id,
  n: row.n,
  lastSeq: row.last_seq,
  baseSeq: row.base_seq,
  lastAt: row.last_at,
  body: row.body,
});
