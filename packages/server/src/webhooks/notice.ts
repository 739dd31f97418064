/** What a receiver is told: that something happened and where to read it, never what it says. */
import { cursorOf, eventIdOf } from '@turnkeeper/core/protocol/cursors';
import { envelopeOf, type LogRow } from '@turnkeeper/core/protocol/envelope';
import type { WebhookNotice } from '@turnkeeper/core/protocol/wire/webhooks';
import type { SealedSecret, WebhookLane, WebhookRow } from '../ports/webhooks.ts';

/** `base`: where the API is reached, without a slash at its end. */
export const noticeOf = ({ webhook, sessionId, sid }: Pick<WebhookLane, 'webhook' | 'sessionId' | 'sid'>, row: LogRow, base: string): WebhookNotice => {
  const { subject } = webhook;
  const stream = subject.kind === 'turn' ? ({ kind: 'turn', sid, turn: subject.turn } as const) : ({ kind: 'session', sid } as const);
  const id = eventIdOf(sid, row.seq);
  const { turn_id } = envelopeOf(sessionId, stream, row);
  return {
    id,
    type: row.type,
    session_id: sessionId,
    ...(turn_id === undefined ? {} : { turn_id }),
    cursor: cursorOf(stream, row.seq),
    created_at: row.at,
    event_url: `${base}/api/v1/agent-sessions/${sessionId}/events/${id}`,
  };
};

/** The secrets that sign at `now`, the newest first (SG1). `open`: by the subscription's id. */
export const secretsInForce = (
  webhook: Pick<WebhookRow, 'id' | 'secrets'>,
  now: number,
  open: (webhookId: string, sealed: string) => string,
): readonly string[] => webhook.secrets.filter(({ until }: SealedSecret) => until === null || until > now).map(({ sealed }) => open(webhook.id, sealed));
