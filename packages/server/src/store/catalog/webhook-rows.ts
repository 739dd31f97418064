/** Rows of the webhooks' tables, as the port has them. */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { DeliveryRow, LaneCall, SealedSecret, WebhookLane, WebhookRow, WebhookSubject } from '../../ports/webhooks.ts';
import type { SqlRow, SqlValue } from './catalog-database.ts';
import { json, number, numberOrNull, text, textOrNull } from './columns.ts';

const subjectOf = (row: SqlRow): WebhookSubject => {
  const session = { sid: number(row, 'subject_sid'), sessionId: text(row, 'session_id') as SessionId };
  switch (text(row, 'kind')) {
    case 'application':
      return { kind: 'application', applicationId: text(row, 'application_id') };
    case 'turn':
      return { kind: 'turn', ...session, turn: number(row, 'turn'), turnId: text(row, 'turn_id') as TurnId };
    default:
      return { kind: 'session', ...session };
  }
};

export const webhookOf = (row: SqlRow): WebhookRow => ({
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  subject: subjectOf(row),
  url: text(row, 'url'),
  eventTypes: json<readonly string[]>(row, 'event_types'),
  secrets: json<readonly SealedSecret[]>(row, 'secrets'),
  status: text(row, 'status') as WebhookRow['status'],
  failures: number(row, 'failures'),
  failingSid: numberOrNull(row, 'failing_sid'),
  nextAt: numberOrNull(row, 'next_at'),
  note: textOrNull(row, 'note'),
  createdAt: number(row, 'created_at'),
  createdBy: text(row, 'created_by'),
});

/** In the order of `webhookColumns`. */
export const webhookValues = (row: WebhookRow): readonly SqlValue[] => {
  const { subject } = row;
  return [
    row.id,
    row.owner,
    subject.kind,
    subject.kind === 'application' ? 0 : subject.sid,
    subject.kind === 'application' ? null : subject.sessionId,
    subject.kind === 'turn' ? subject.turn : 0,
    subject.kind === 'turn' ? subject.turnId : null,
    subject.kind === 'application' ? subject.applicationId : null,
    row.url,
    JSON.stringify(row.eventTypes),
    JSON.stringify(row.secrets),
    row.status,
    row.failures,
    row.failingSid,
    row.nextAt,
    row.note,
    row.createdAt,
    row.createdBy,
  ];
};
export const webhookColumns = `id, owner, kind, subject_sid, session_id, turn, turn_id, application_id, url, event_types, secrets, status, failures, failing_sid,
  next_at, note, created_at, created_by`;

/** Of a session by this alias: it is there, and so is its root (WH5). */
export const isThere = (session: string): string =>
  `${session}.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM sessions r WHERE r.id = ${session}.root AND r.deleted_at IS NOT NULL)`;

export const laneOf = (row: SqlRow): WebhookLane => ({
  webhook: webhookOf(row),
  sid: number(row, 'lane_sid'),
  sessionId: text(row, 'lane_session') as SessionId,
  seq: number(row, 'lane_seq'),
  leaseUntil: number(row, 'lane_lease'),
  headSeq: number(row, 'head_seq'),
  horizon: number(row, 'horizon'),
});

export const callOf = (row: SqlRow): LaneCall => ({
  webhookId: text(row, 'webhook_id'),
  sid: number(row, 'sid'),
  owner: text(row, 'owner'),
  url: text(row, 'url'),
});

/** All but what was sent, which may be long. */
export const deliveryColumns = `id, webhook_id, sid, seq, session_id, turn_id, event_id, event_type, status, attempts, response_status, error, first_at, last_at`;

export const deliveryOf = (row: SqlRow): DeliveryRow => ({
  id: text(row, 'id'),
  webhookId: text(row, 'webhook_id'),
  sid: number(row, 'sid'),
  seq: number(row, 'seq'),
  sessionId: text(row, 'session_id'),
  turnId: textOrNull(row, 'turn_id'),
  eventId: text(row, 'event_id'),
  eventType: text(row, 'event_type'),
  status: text(row, 'status') as DeliveryRow['status'],
  attempts: number(row, 'attempts'),
  responseStatus: numberOrNull(row, 'response_status'),
  error: textOrNull(row, 'error'),
  firstAt: number(row, 'first_at'),
  lastAt: number(row, 'last_at'),
});
