/**
 * Port: who is told of events, and how far.
 *
 * A subscription is on a session, on one turn, or on all sessions of an application. Its way through one session's log is a
 * lane: a position that moves over events in their order, and a lease by which one node at a time delivers.
 *
 * Contract
 * WH1 A lane's position is durable and only its holder moves it: `advance`, `failed` and `release` carry the fence of the
 *     claim, and do nothing (false) once another has claimed the lane. So an event is delivered at least once, and never
 *     after a later one of the same session by a node that knows of both.
 * WH2 A subscription begins at the position that the logs have when it is registered; a session of an application that was
 *     made later is followed from its first event, one that was imported from its end [SA3].
 * WH3 Failures are a subscription's, not a lane's: while one event of it fails (`failingSid` names its session), nothing else
 *     of it is delivered. `failed` counts once for all who tried at the same time.
 * WH4 Secrets are kept as ciphertext.
 * WH5 What is deleted is not delivered to: `lane` finds neither a subscription nor a session that is gone.
 * WH6 Subscriptions are counted in the write that adds one, and those of one subject take turns: many at once are no more.
 */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { AuditRow } from './catalog.ts';

export type WebhookSubject =
  | { readonly kind: 'session'; readonly sid: number; readonly sessionId: SessionId }
  | { readonly kind: 'turn'; readonly sid: number; readonly sessionId: SessionId; readonly turn: number; readonly turnId: TurnId }
  | { readonly kind: 'application'; readonly applicationId: string };

/** `until`: signs besides a newer one until then (Unix ms); null = the present one. */
export type SealedSecret = { readonly sealed: string; readonly until: number | null };

export type WebhookRow = {
  readonly id: string;
  /** Whose sessions they are: `user:<id>`, `app:<id>`. Deliveries of one owner take turns with those of others. */
  readonly owner: string;
  readonly subject: WebhookSubject;
  readonly url: string;
  /** Empty = all. */
  readonly eventTypes: readonly string[];
  /** The newest first. */
  readonly secrets: readonly SealedSecret[];
  readonly status: 'active' | 'paused';
  /** In a row, of the event that is failing. */
  readonly failures: number;
  readonly failingSid: number | null;
  /** Not before then (Unix ms); null = at once. */
  readonly nextAt: number | null;
  /** What went wrong last, or what was left out; null = nothing. */
  readonly note: string | null;
  readonly createdAt: number;
  readonly createdBy: string;
};

/** The call that made it: the same one again is answered with what it made. */
export type WebhookKey = { readonly scope: string; readonly key: string; readonly hash: string };

export type LaneRef = { readonly webhookId: string; readonly sid: number };
/** A lane that may have something to deliver, and where to. */
export type LaneCall = LaneRef & Pick<WebhookRow, 'owner' | 'url'>;

/** A subscription's way through one session's log, as it stands. */
export type WebhookLane = {
  readonly webhook: WebhookRow;
  readonly sid: number;
  readonly sessionId: SessionId;
  /** Everything up to here is delivered, or was not wanted. */
  readonly seq: number;
  readonly leaseUntil: number;
  /** Of the session's log. */
  readonly headSeq: number;
  readonly horizon: number;
};

export type DeliveryRow = {
  readonly id: string;
  readonly webhookId: string;
  readonly sid: number;
  readonly seq: number;
  readonly sessionId: string;
  readonly turnId: string | null;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: 'delivered' | 'failing';
  readonly attempts: number;
  /** Of the last attempt. */
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly firstAt: number;
  readonly lastAt: number;
};
/** What was sent once, and what came of it. `again`: somebody asked for it, outside of the order. */
export type Sending = {
  readonly at: number;
  readonly ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly request: WebhookRequest;
  readonly again?: true;
};
/** One attempt to deliver one event. */
export type Attempt = Omit<DeliveryRow, 'attempts' | 'firstAt' | 'lastAt' | 'status'> & { readonly at: number; readonly sending: Sending };

/** Whose subscriptions are meant: a session's own (with those of its turns), one turn's, an application's. */
export type WebhookScope =
  | { readonly kind: 'session'; readonly sid: number }
  | { readonly kind: 'turn'; readonly sid: number; readonly turn: number }
  | { readonly kind: 'application'; readonly applicationId: string };

export interface WebhookStore {
  /** False when its key was used, or when its session, with all its turns, or its application has `most` already (WH6). */
  create(row: WebhookRow, key: WebhookKey, audit: AuditRow, most?: number): Promise<boolean>;
  /** Also when it was deleted since. */
  byKey(scope: string, key: string): Promise<{ readonly row: WebhookRow; readonly hash: string } | undefined>;
  webhook(id: string): Promise<WebhookRow | undefined>;
  /** In the order of creation. */
  list(scope: WebhookScope, page: { readonly offset: number; readonly limit: number }): Promise<readonly WebhookRow[]>;
  /** Of these owners, or of all, whatever they are on; the newest first. */
  listOf(owners: readonly string[] | undefined, page: { readonly offset: number; readonly limit: number }): Promise<readonly WebhookRow[]>;
  delivery(webhookId: string, id: string): Promise<DeliveryRow | undefined>;
  /** What was sent for it, the oldest first: the first 50 attempts, and what was asked for among them. */
  sendings(webhookId: string, id: string): Promise<readonly Sending[]>;
  /** It was sent again, because somebody asked for that: what is owed does not change. */
  sentAgain(webhookId: string, id: string, sending: Sending): Promise<void>;
  /** The newest first, by their last attempt. */
  deliveries(webhookId: string, page: { readonly offset: number; readonly limit: number }): Promise<readonly DeliveryRow[]>;
  /** Goes on at once, from a pause or a wait. False when it is not there. */
  resume(id: string, audit: AuditRow): Promise<boolean>;
  /** Compare-and-set on the secrets. */
  replaceSecrets(id: string, from: readonly SealedSecret[], to: readonly SealedSecret[], audit: AuditRow): Promise<boolean>;
  /** Kept without its secrets until the purge, for the sake of its key. */
  remove(id: string, at: number, audit: AuditRow): Promise<boolean>;

  /** Whether there are subscriptions at all, and whether one of them wants deltas. */
  interest(): Promise<{ readonly any: boolean; readonly deltas: boolean }>;
  /** Active lanes of these sessions. */
  lanesOf(sids: readonly number[]): Promise<readonly LaneCall[]>;
  /** Undefined when the subscription or the session is gone. */
  lane(ref: LaneRef): Promise<WebhookLane | undefined>;
  /** The lane's fence and position, or undefined when another holds it at `now`. */
  claim(
    ref: LaneRef,
    holder: { readonly node: string; readonly now: number; readonly until: number },
  ): Promise<{ readonly fence: number; readonly seq: number } | undefined>;
  /** The event at `attempt.seq` was taken: the lane is past it. A failure of the lane's is over. */
  advance(ref: LaneRef, fence: number, until: number, attempt: Attempt): Promise<boolean>;
  /** It was not: `failures` as the attempt found it; then the subscription waits until `nextAt`, or is paused (null). */
  failed(
    ref: LaneRef,
    fence: number,
    outcome: { readonly failures: number; readonly nextAt: number | null; readonly note: string; readonly attempt: Attempt },
  ): Promise<boolean>;
  /** Lets the lane go at a position (never back); with a note when what lies before it was left out. */
  release(ref: LaneRef, fence: number, seq: number, note?: string): Promise<boolean>;
  /** The failing session is gone: the others go on. */
  unblock(webhookId: string, failingSid: number): Promise<void>;
  /** All leases end: those of a process that was the only one. */
  releaseAll(): Promise<void>;

  /** Subscriptions whose wait is over. */
  due(now: number, limit: number): Promise<readonly WebhookRow[]>;
  /** Lanes whose holder let its lease run out. */
  orphans(now: number, limit: number): Promise<readonly LaneCall[]>;
  /**
   * A walk over all lanes of active subscriptions, in pages of bounded cost: those whose session has moved on. `next` is
   * where the next page begins; undefined = the walk is at its end.
   */
  owed(after: OwedPlace | undefined, limit: number): Promise<{ readonly lanes: readonly LaneCall[]; readonly next: OwedPlace | undefined }>;

  /** Of a subscription's deliveries the newest `keep` stay. */
  trim(webhookId: string, keep: number): Promise<void>;
  /** Subscriptions that were deleted before `before` go, with the keys that made them. */
  forget(before: number): Promise<void>;
}

/** Where a walk is: among the sessions of an application's subscription, behind `sid`; or behind the subscription (null). */
export type OwedPlace = { readonly webhookId: string; readonly sid: number | null };

/** One request of ours to a receiver. */
export type WebhookRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
/** How it ended: taken when `ok`. `error` is in words for people, and holds nothing of the answer. */
export type WebhookAnswer = { readonly ok: boolean; readonly status: number | null; readonly error: string | null };

export interface WebhookSender {
  /** Why notices cannot go there, or undefined. What its name leads to is looked at when it is connected to. */
  fault(url: string): string | undefined;
  /** Never throws; ends within 10 s. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

/** What use cases ask of the part that delivers. */
export interface Webhooks {
  readonly store: WebhookStore;
  /** As of the sender. */
  readonly fault: (url: string) => string | undefined;
  /** A fresh signing secret of this subscription: to be shown once, and to be kept. */
  readonly newSecret: (webhookId: string) => { readonly text: string; readonly sealed: string };
  /** A kept secret's text, for whoever repeats the call that made it. */
  readonly reveal: (webhookId: string, sealed: string) => string;
  /** A subscription was made, or goes on: what it is owed is looked for. */
  readonly registered: (webhook: WebhookRow) => void;
  /** Sends a notice of type `webhook.test` now, outside of any order. */
  readonly test: (webhook: WebhookRow) => Promise<WebhookAnswer>;
  /** Sends the notice of an event once more, outside of any order; undefined where the event is not kept any more. */
  readonly resend: (webhook: WebhookRow, delivery: DeliveryRow) => Promise<WebhookAnswer | undefined>;
}
