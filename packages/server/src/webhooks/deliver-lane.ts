/**
 * One lane's way through its session's log: look, claim, send, note, go on.
 *
 * DL1 An event is sent only while the lane is this node's for longer than an attempt may take, and noted before the next one
 *     is sent: after a crash it may be sent again [WH1], never left out, never after a later one.
 * DL2 The subscription, its pause and its secrets, and whether the session is there, are read anew before each attempt.
 * DL3 A subscription that waits, is paused, or has an event of another session that fails sends nothing [WH3].
 * DL4 What was looked through and not wanted is not read again here: a lane goes on where it was last seen to, which is noted
 *     now and then only.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Attempt, LaneRef, WebhookLane, WebhookSender, WebhookStore } from '../ports/webhooks.ts';
import { noticeOf, secretsInForce } from './notice.ts';
import { retryDelayMs } from './retry-schedule.ts';
import { type Sent, sendNoted } from './send-noted.ts';
import { signedHeaders } from './signatures.ts';
import { WantedEvents } from './wanted-events.ts';

export type DeliveryServices = {
  readonly store: WebhookStore;
  readonly sessions: Pick<SessionStore, 'events'>;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'next'>;
  /** Opens a kept secret, by its subscription's id. */
  readonly open: (webhookId: string, sealed: string) => string;
  /** Where the API is reached, without a slash at its end. */
  readonly base: () => string;
  readonly node: () => string;
  readonly random: () => number;
  readonly telemetry: Pick<Telemetry, 'webhookAttempted' | 'webhookPaused'>;
};

/**
 * `seen`: nothing up to there is wanted, and that is not noted. `more`: it gave way to others. `wait`: until then (Unix ms) there is
 * nothing to do. `opened`: a failure is over.
 */
export type LaneRun =
  | { readonly kind: 'idle' | 'more' | 'opened' }
  | { readonly kind: 'seen'; readonly upto: number }
  | { readonly kind: 'wait'; readonly until: number };

const leaseMs = 30_000;
/** An attempt takes at most 10 s. */
const leastLeaseMs = 15_000;
const deliveriesAtOnce = 50;
/** So much that nobody wants is passed over without noting it: a walk does that. */
const unnotedRows = 1_000;

const idle: LaneRun = { kind: 'idle' };

/** Why nothing may be sent now, or undefined (DL3). */
const obstacle = ({ webhook, sid }: WebhookLane, now: number): LaneRun | undefined => {
  if (webhook.status === 'paused') return idle;
  if (webhook.failingSid !== null && webhook.failingSid !== sid) return idle;
  return webhook.nextAt !== null && webhook.nextAt > now ? { kind: 'wait', until: webhook.nextAt } : undefined;
};

export type LaneOrder = {
  /** No further attempt begins. */
  readonly stopping: AbortSignal;
  /** The attempt under way ends, and counts as none. */
  readonly abort: AbortSignal;
  /** Also notes what nobody wanted, so that it need not be looked at again. */
  readonly walk: boolean;
  /** Up to where it was seen before that nothing is wanted (DL4). */
  readonly seen: number;
};

export const deliverLane = async (services: DeliveryServices, ref: LaneRef, order: LaneOrder): Promise<LaneRun> => {
  const { store, clock } = services;
  const lane = await store.lane(ref);
  if (!lane || lane.leaseUntil > clock.now()) return idle;
  const blocked = obstacle(lane, clock.now());
  if (blocked) return blocked;
  const events = new WantedEvents(services.sessions, lane, Math.max(lane.seq, lane.horizon, order.seen));
  const first = await events.next();
  if (!first && !order.walk && events.position - lane.seq < unnotedRows) return { kind: 'seen', upto: events.position };
  if (events.position <= lane.seq && !first) return idle;
  const now = clock.now();
  const claim = await store.claim(ref, { node: services.node(), now, until: now + leaseMs });
  if (!claim) return idle;
  const held = { services, ref, order, fence: claim.fence };
  // Another went on meanwhile: what was read above is behind it.
  if (claim.seq !== lane.seq) return letGo(held, claim.seq, { kind: 'more' });
  const skipped = lane.horizon > lane.seq ? `Events that were older than the server keeps were left out.` : undefined;
  return deliverAll(held, { events, first, skipped, leaseUntil: now + leaseMs });
};

type Held = { readonly services: DeliveryServices; readonly ref: LaneRef; readonly order: LaneOrder; readonly fence: number };
type Reading = {
  readonly events: WantedEvents;
  readonly first: LogRow | undefined;
  readonly skipped: string | undefined;
  readonly leaseUntil: number;
};

const letGo = async ({ services, ref, fence }: Held, seq: number, run: LaneRun, note?: string): Promise<LaneRun> => {
  await services.store.release(ref, fence, seq, note);
  return run;
};

const deliverAll = async (held: Held, { events, first, skipped, ...reading }: Reading): Promise<LaneRun> => {
  const { services, ref, order } = held;
  let { leaseUntil } = reading;
  let opened = false;
  let row = first;
  for (let sent = 0; row; sent += 1) {
    // DL2: what was read before the claim is old.
    const fresh = await services.store.lane(ref);
    const now = services.clock.now();
    if (!fresh || order.stopping.aborted || order.abort.aborted || leaseUntil - now < leastLeaseMs) return letGo(held, events.position, idle, skipped);
    const blocked = obstacle(fresh, now);
    if (blocked) return letGo(held, events.position, blocked, skipped);
    if (sent >= deliveriesAtOnce) return letGo(held, events.position, { kind: 'more' }, skipped);
    const { answer, sending } = await attempt(services, fresh, row, order.abort);
    if (order.abort.aborted && !answer.ok) return letGo(held, events.position, idle, skipped);
    const record = attemptOf(services, fresh, row, { answer, sending });
    if (!answer.ok) return noteFailure(held, fresh, record);
    leaseUntil = services.clock.now() + leaseMs;
    if (!(await services.store.advance(ref, held.fence, leaseUntil, record))) return idle;
    opened ||= fresh.webhook.failures > 0;
    events.position = row.seq;
    row = await events.next();
  }
  return letGo(held, events.position, opened ? { kind: 'opened' } : idle, skipped);
};

const attempt = async (services: DeliveryServices, lane: WebhookLane, row: LogRow, abort: AbortSignal): Promise<Sent> => {
  const { clock, sender, telemetry } = services;
  const now = clock.now();
  const notice = noticeOf(lane, row, services.base());
  const body = JSON.stringify(notice);
  const secrets = secretsInForce(lane.webhook, now, services.open);
  const headers = signedHeaders({ id: notice.id, atSeconds: Math.floor(now / 1_000), body, secrets });
  const began = clock.elapsed();
  const sent = await sendNoted({ sender, clock }, { url: lane.webhook.url, headers, body }, abort);
  telemetry.webhookAttempted({ outcome: sent.answer.ok ? 'delivered' : 'failed', ms: clock.elapsed() - began });
  return sent;
};

const attemptOf = ({ clock, ids, base }: DeliveryServices, lane: WebhookLane, row: LogRow, { answer, sending }: Sent): Attempt => {
  const notice = noticeOf(lane, row, base());
  return {
    id: ids.next('whd'),
    webhookId: lane.webhook.id,
    sid: lane.sid,
    seq: row.seq,
    sessionId: lane.sessionId,
    turnId: notice.turn_id ?? null,
    eventId: notice.id,
    eventType: row.type,
    responseStatus: answer.status,
    error: answer.error,
    at: clock.now(),
    sending,
  };
};

const noteFailure = async ({ services, ref, fence }: Held, { webhook }: WebhookLane, record: Attempt): Promise<LaneRun> => {
  const delay = retryDelayMs(webhook.failures + 1, services.random());
  const nextAt = delay === undefined ? null : services.clock.now() + delay;
  const note = record.error ?? 'It was not taken.';
  const { failures } = webhook;
  const noted = await services.store.failed(ref, fence, { failures, nextAt, note, attempt: record });
  if (noted && nextAt === null) services.telemetry.webhookPaused();
  return nextAt === null ? idle : { kind: 'wait', until: nextAt };
};
