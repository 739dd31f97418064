/** Sessions and turns as they are answered over the wire. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionResource, TurnReceipt, TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { SessionRow } from '../ports/session-store.ts';
import type { FrozenConfig } from './frozen-config.ts';
import { isChild } from './is-child.ts';

const ownerTypes = { user: 'user', app: 'application', minitool: 'minitool' } as const;

const owner = (text: string): SessionResource['owner'] => {
  const [type = '', ...rest] = text.split(':');
  return { type: ownerTypes[type as keyof typeof ownerTypes] ?? 'user', id: rest.join(':') };
};

const placement = (text: string): SessionResource['placement'] => {
  const [type = '', ...rest] = text.split(':');
  return { type: type === 'container' ? 'container' : 'space', id: rest.join(':') };
};

export const sessionResource = (row: SessionRow, config: FrozenConfig): SessionResource => {
  const { target } = config;
  return {
    id: row.id,
    status: row.status as SessionResource['status'],
    archived: row.archivedAt !== null,
    target: {
      ...{ type: target.type, id: target.id, version: target.version, name: target.name },
      ...(target.revisionId === undefined ? {} : { revisionId: target.revisionId }),
      // No model is called in a workflow's own session.
      ...(target.type === 'workflow' ? {} : { model: target.definition.model }),
    },
    title: row.title,
    metadata: JSON.parse(row.metadata) as JsonObject as SessionResource['metadata'],
    owner: owner(row.owner),
    placement: placement(row.placement),
    timeoutSeconds: config.timeoutSeconds,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    archivedAt: row.archivedAt,
    ...(isChild(row) ? { rootId: row.root, path: row.path } : {}),
    ...(row.forkedFrom === undefined ? {} : { forked_from: JSON.parse(row.forkedFrom) as NonNullable<SessionResource['forked_from']> }),
    ...(config.imported ? { imported: true as const } : {}),
    ...(config.minitool ? { activity: config.minitool.activity } : {}),
  };
};

const turnUrls = (sessionId: string, turnId: string) => {
  const base = `/api/v1/agent-sessions/${sessionId}/turns/${turnId}`;
  return { statusUrl: base, snapshotUrl: `${base}/snapshot`, eventsUrl: `${base}/events/stream` };
};

/** What 202 says of a turn: durably stored, not started. */
export const turnReceipt = (sessionId: string, turnId: string, createdAt: number, queuePosition: number | null): TurnReceipt => ({
  id: turnId,
  sessionId,
  status: 'queued',
  createdAt,
  queuePosition,
  ...turnUrls(sessionId, turnId),
  errorCode: null,
});

export const turnResource = (sessionId: string, body: TurnBody): TurnResource => ({
  id: body.turn_id,
  sessionId,
  status: body.status,
  preview: body.preview,
  result: (body.result ?? null) as TurnResource['result'],
  outputText: body.output_text ?? null,
  errorCode: body.error_code ?? null,
  errorMessage: body.error_message ?? null,
  retryable: body.retryable ?? null,
  unverifiedCalls: [...(body.unverified_calls ?? [])],
  metadata: (body.metadata ?? null) as TurnResource['metadata'],
  verdict: body.verdict ? { ...body.verdict, reasons: [...body.verdict.reasons] } : null,
  createdAt: body.created_at,
  startedAt: body.started_at ?? null,
  endedAt: body.ended_at ?? null,
  runs: body.runs,
  queuePosition: body.status === 'queued' ? (body.queue_position ?? 0) : null,
  usage: body.usage as TurnResource['usage'],
});
