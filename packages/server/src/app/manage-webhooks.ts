/**
 * Use cases: webhooks of a session, of one of its turns, of an application.
 *
 * HK1 Whoever controls the session sees and changes its webhooks, with a key the scope `webhooks:write`; to others, also to
 *     those who may read the session, they are not shown: an address may itself be a secret.
 * HK2 A secret is shown by the call that made it and by its repeats; after a rotation by nothing.
 * HK3 A rotation keeps the secret before it in force for a while: a receiver that has not changed over yet misses nothing, and
 *     a rotation whose answer was lost does no harm.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type {
  CreatedWebhook,
  CreateWebhookRequest,
  DeliveryDetails,
  DeliveryResource,
  RotatedWebhook,
  TestedWebhook,
  WebhookResource,
} from '@turnkeeper/core/protocol/wire/webhooks';
import type { DeliveryRow, SealedSecret, WebhookRow, WebhookScope, WebhookSubject } from '../ports/webhooks.ts';
import { scopeRefusal } from './access.ts';
import { type Administration, everyRow, faultAt, type Items, type PageQuery, pageOf, requireUser } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { type Caller, ownerOf } from './caller.ts';
import { findSession } from './find-session.ts';
import { type Keyed, type KeyedCall, keyedCall, requiredKey } from './idempotency.ts';
import { findManagedApplication } from './manage-applications.ts';
import { findTurn } from './read-turn.ts';
import { thrown } from './run-job.ts';

/** Whose webhooks are meant, by the ids of a path. */
export type WebhookAddress =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'turn'; readonly sessionId: string; readonly turnId: string }
  | { readonly kind: 'application'; readonly applicationId: string };

/** For so long a secret that was replaced signs too. */
const overlapMs = 24 * 3_600_000;
/** Secrets in force at once: rotations in quick succession. */
const mostSecrets = 5;

type Found = { readonly owner: string; readonly subject: WebhookSubject; readonly scope: WebhookScope };

/** Throws `not_found`, `forbidden`, `scope_missing`, `target_not_granted` (HK1). */
const findSubject = async (administration: Administration, caller: Caller, address: WebhookAddress): Promise<Found> => {
  const { app } = administration;
  if (address.kind === 'application') {
    const { applicationId } = address;
    const missing = caller.type === 'application' && caller.id === applicationId ? scopeRefusal(caller, 'webhooks:write') : undefined;
    if (missing) throw thrown(missing);
    if (caller.type === 'application' && caller.id !== applicationId) throw new TurnkeeperError('not_found', 'There is no such application.');
    if (caller.type === 'user') await findManagedApplication(administration, caller, applicationId);
    return { owner: `app:${applicationId}`, subject: { kind: 'application', applicationId }, scope: { kind: 'application', applicationId } };
  }
  const { session } = await findSession(app, caller, address.sessionId, 'webhooks');
  const { sid } = session.head;
  const { id: sessionId, owner } = session.row;
  if (address.kind === 'session') return { owner, subject: { kind: 'session', sid, sessionId }, scope: { kind: 'session', sid } };
  const { id: turnId, body } = await findTurn(app, session, address.turnId);
  return { owner, subject: { kind: 'turn', sid, sessionId, turn: body.n, turnId }, scope: { kind: 'turn', sid, turn: body.n } };
};

const belongs = ({ subject }: WebhookRow, scope: WebhookScope): boolean => {
  switch (scope.kind) {
    case 'session':
      return subject.kind !== 'application' && subject.sid === scope.sid;
    case 'turn':
      return subject.kind === 'turn' && subject.sid === scope.sid && subject.turn === scope.turn;
    case 'application':
      return subject.kind === 'application' && subject.applicationId === scope.applicationId;
  }
};

const noSuchWebhook = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such webhook.');

const findWebhook = async (administration: Administration, caller: Caller, address: WebhookAddress, id: string): Promise<WebhookRow> => {
  const { scope } = await findSubject(administration, caller, address);
  const row = await administration.app.webhooks.store.webhook(id);
  if (!row || !belongs(row, scope)) throw noSuchWebhook();
  return row;
};

const resourceOf = ({ id, url, eventTypes, status, subject, failures, note, nextAt, createdAt, secrets }: WebhookRow): WebhookResource => ({
  id,
  url,
  event_types: [...eventTypes],
  status,
  session_id: subject.kind === 'application' ? null : subject.sessionId,
  turn_id: subject.kind === 'turn' ? subject.turnId : null,
  application_id: subject.kind === 'application' ? subject.applicationId : null,
  failures,
  last_error: note,
  next_attempt_at: nextAt,
  created_at: createdAt,
  previous_secret_until: secrets.at(1)?.until ?? null,
});

const deliveryOf = (row: DeliveryRow): DeliveryResource => ({
  id: row.id,
  webhook_id: row.webhookId,
  event_id: row.eventId,
  event_type: row.eventType,
  session_id: row.sessionId,
  turn_id: row.turnId,
  status: row.status,
  attempts: row.attempts,
  response_status: row.responseStatus,
  error: row.error,
  first_attempt_at: row.firstAt,
  last_attempt_at: row.lastAt,
});

const auditEntry = (app: App, caller: Caller, action: string, { id, subject }: Pick<WebhookRow, 'id' | 'subject'>, details: { readonly host?: string } = {}) =>
  auditOf(app, caller, {
    action,
    subject: `webhook:${id}`,
    ...(subject.kind === 'application' ? {} : { sessionId: subject.sessionId }),
    details: { ...details, ...(subject.kind === 'application' ? { application: subject.applicationId } : {}) },
  });

/** The original answer again, or undefined when the key is new. */
const earlier = async ({ webhooks }: App, call: KeyedCall): Promise<Keyed<CreatedWebhook> | undefined> => {
  const found = await webhooks.store.byKey(call.scope, call.key);
  if (!found) return undefined;
  if (found.hash !== call.hash)
    throw new TurnkeeperError('idempotency_conflict', 'This Idempotency-Key was used with other content. Use a new key for a new request.');
  const [only, ...others] = found.row.secrets;
  const shown = only && others.length === 0 ? { signing_secret: webhooks.reveal(found.row.id, only.sealed) } : {};
  return { answer: { ...resourceOf(found.row), ...shown }, replayed: true };
};

/** Registers a receiver from this moment on. Throws `validation_failed` for an address that notices cannot go to, `webhook_limit`. */
export const createWebhook = async (
  administration: Administration,
  caller: Caller,
  address: WebhookAddress,
  body: CreateWebhookRequest,
  key: string | undefined,
): Promise<Keyed<CreatedWebhook>> => {
  const { app } = administration;
  const { owner, subject } = await findSubject(administration, caller, address);
  const of = subject.kind === 'application' ? subject.applicationId : subject.sessionId;
  const turn = subject.kind === 'turn' ? { turn: subject.turnId } : {};
  const call = keyedCall(ownerOf(caller), 'webhooks', of, requiredKey(key), { ...turn, body });
  const before = await earlier(app, call);
  if (before) return before;
  const fault = app.webhooks.fault(body.url);
  if (fault !== undefined) throw faultAt('/url', fault);
  const id = app.ids.next('whk');
  const { text, sealed } = app.webhooks.newSecret(id);
  const row: WebhookRow = {
    id,
    owner,
    subject,
    url: body.url,
    eventTypes: body.event_types,
    secrets: [{ sealed, until: null }],
    status: 'active',
    failures: 0,
    failingSid: null,
    nextAt: null,
    note: null,
    createdAt: app.clock.now(),
    createdBy: ownerOf(caller),
  };
  const audit = auditEntry(app, caller, 'webhook.created', row, { host: new URL(body.url).host });
  if (!(await app.webhooks.store.create(row, call, audit, limits.webhooks))) {
    const first = await earlier(app, call);
    if (first) return first;
    throw new TurnkeeperError('webhook_limit', `There are ${limits.webhooks} webhooks here already. Delete one first.`, { limit: limits.webhooks });
  }
  app.webhooks.registered(row);
  return { answer: { ...resourceOf(row), signing_secret: text }, replayed: false };
};

export const listWebhooks = async (
  administration: Administration,
  caller: Caller,
  address: WebhookAddress,
  page: PageQuery,
): Promise<Items<WebhookResource>> => {
  const { scope } = await findSubject(administration, caller, address);
  const rows = await administration.app.webhooks.store.list(scope, { offset: page.offset, limit: page.limit + 1 });
  return pageOf(rows, page, resourceOf);
};

/**
 * Every webhook that the caller may change, the newest first: all for admins; else those of one's own sessions and applications, and of
 * the sessions of applications that one operates (HK1).
 */
export const listAllWebhooks = async ({ app }: Administration, caller: Caller, page: PageQuery): Promise<Items<WebhookResource>> => {
  const user = requireUser(caller);
  if (user.admin) return pageOf(await app.webhooks.store.listOf(undefined, { offset: page.offset, limit: page.limit + 1 }), page, resourceOf);
  const applications = await everyRow((rows) => app.catalog.applications({ ...rows, userId: user.id }));
  const owned = new Set(applications.filter(({ ownerId }) => ownerId === user.id).map(({ id }) => id));
  const operated = [...user.applications].flatMap(([id, roles]) => (roles.includes('operator') ? [id] : []));
  const owners = [ownerOf(user), ...[...new Set([...owned, ...operated])].map((id) => `app:${id}`)];
  const rows = await everyRow((each) => app.webhooks.store.listOf(owners, each));
  const mine = rows.filter(({ owner, subject }) =>
    subject.kind === 'application' ? owned.has(subject.applicationId) : owner === ownerOf(user) || operated.includes(owner.slice('app:'.length)),
  );
  return pageOf(mine.slice(page.offset, page.offset + page.limit + 1), page, resourceOf);
};

export const readWebhook = async (administration: Administration, caller: Caller, address: WebhookAddress, id: string): Promise<WebhookResource> =>
  resourceOf(await findWebhook(administration, caller, address, id));

/** The newest deliveries first, as far as they are kept. */
export const listDeliveries = async (
  administration: Administration,
  caller: Caller,
  address: WebhookAddress,
  id: string,
  page: PageQuery,
): Promise<Items<DeliveryResource>> => {
  await findWebhook(administration, caller, address, id);
  const rows = await administration.app.webhooks.store.deliveries(id, { offset: page.offset, limit: page.limit + 1 });
  return pageOf(rows, page, deliveryOf);
};

/** One delivery, with what was sent for it. Throws `not_found`. */
export const readDelivery = async (
  administration: Administration,
  caller: Caller,
  address: WebhookAddress,
  { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
): Promise<DeliveryDetails> => {
  const { store } = administration.app.webhooks;
  await findWebhook(administration, caller, address, webhookId);
  const row = await store.delivery(webhookId, deliveryId);
  if (!row) throw new TurnkeeperError('not_found', 'There is no such delivery.');
  const sendings = (await store.sendings(webhookId, deliveryId)).map(({ at, ms, status, error, request, again = false }) => ({
    ...{ at, duration_ms: ms, response_status: status, error, again, request },
  }));
  return { ...deliveryOf(row), sendings };
};

/** Goes on from a pause or a wait at once, with the event that failed. */
export const retryWebhook = async (administration: Administration, caller: Caller, address: WebhookAddress, id: string): Promise<WebhookResource> => {
  const { app } = administration;
  const row = await findWebhook(administration, caller, address, id);
  if (!(await app.webhooks.store.resume(id, auditEntry(app, caller, 'webhook.resumed', row)))) throw noSuchWebhook();
  const now = await findWebhook(administration, caller, address, id);
  app.webhooks.registered(now);
  return resourceOf(now);
};

export const testWebhook = async (administration: Administration, caller: Caller, address: WebhookAddress, id: string): Promise<TestedWebhook> => {
  const row = await findWebhook(administration, caller, address, id);
  const { ok, status, error } = await administration.app.webhooks.test(row);
  return { delivered: ok, response_status: status, error };
};

/**
 * Sends the notice of a delivery once more, now and outside of any order. The receiver knows it by its id; what is owed to it
 * does not change. Throws `not_found`, also where the event is not kept any more.
 */
export const redeliverNotice = async (
  administration: Administration,
  caller: Caller,
  address: WebhookAddress,
  { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
): Promise<TestedWebhook> => {
  const { webhooks } = administration.app;
  const row = await findWebhook(administration, caller, address, webhookId);
  const delivery = await webhooks.store.delivery(webhookId, deliveryId);
  if (!delivery) throw new TurnkeeperError('not_found', 'There is no such delivery.');
  const answer = await webhooks.resend(row, delivery);
  if (!answer) throw new TurnkeeperError('not_found', 'The event of this delivery is not kept any more.');
  return { delivered: answer.ok, response_status: answer.status, error: answer.error };
};

/** A new secret; the ones before it sign too until their time is over (HK3). */
export const rotateWebhookSecret = async (administration: Administration, caller: Caller, address: WebhookAddress, id: string): Promise<RotatedWebhook> => {
  const { app } = administration;
  const row = await findWebhook(administration, caller, address, id);
  const now = app.clock.now();
  const { text, sealed } = app.webhooks.newSecret(id);
  const kept = row.secrets
    .map((secret): SealedSecret => ({ ...secret, until: secret.until ?? now + overlapMs }))
    .filter(({ until }) => until !== null && until > now);
  const secrets = [{ sealed, until: null }, ...kept].slice(0, mostSecrets);
  if (!(await app.webhooks.store.replaceSecrets(id, row.secrets, secrets, auditEntry(app, caller, 'webhook.secret_rotated', row))))
    throw new TurnkeeperError('version_conflict', 'The secret was replaced at the same moment. Read the webhook and try again.');
  return { ...resourceOf({ ...row, secrets }), signing_secret: text };
};

export const deleteWebhook = async (administration: Administration, caller: Caller, address: WebhookAddress, id: string): Promise<void> => {
  const { app } = administration;
  const row = await findWebhook(administration, caller, address, id);
  if (!(await app.webhooks.store.remove(id, app.clock.now(), auditEntry(app, caller, 'webhook.deleted', row)))) throw noSuchWebhook();
};
