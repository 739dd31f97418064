/**
 * The kit's `ctx.sessions`: what the service answers, without the service.
 *
 * Looked at in its order: permission, ownership, arguments, the key, archived, quota. What is rejected is not remembered.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import type { SessionBridgeEvent } from '../context/session-events.ts';
import type { MinitoolSessionDescriptor, SessionSendReceipt } from '../context/sessions.ts';
import { invalidArgument, MinitoolError } from '../failure.ts';
import type { Manifest } from '../manifest/schema.ts';
import type { SessionMethod } from '../protocol.ts';
import * as taken from './arguments.ts';
import type { KitClock } from './clock.ts';
import type { EventLog } from './event-log.ts';
import { type Accepted, descriptorOf, type KitMessage, notFound, openWaits, type SessionState, type TurnState, unfinished } from './state.ts';
import type { Turns } from './turns.ts';

const { take } = taken;

/** Unfinished turns of one session, and of all of a mini-tool. */
export const sessionLimit = 20;
export const minitoolLimit = 200;

export type KitCall = { readonly sessionId: string; readonly spaceId: string | undefined };

export type SessionParts = {
  readonly manifest: Manifest;
  readonly clock: KitClock;
  readonly log: EventLog;
  readonly turns: Turns;
  readonly outboxPath: string;
  readonly spaces: readonly string[];
  readonly warn: (message: string) => void;
  readonly nextId: (kind: 'ses' | 'turn') => string;
  readonly callOf: (token: string | undefined) => KitCall | undefined;
};

type Kept = { readonly sessionId: string; readonly content: string };

export class KitSessions {
  readonly #parts: SessionParts;
  readonly #sessions = new Map<string, SessionState>();
  readonly #created = new Map<string, Kept>();
  readonly #external = new Map<string, { readonly sessionId: string; readonly placement: string }>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  all(): readonly SessionState[] {
    return [...this.#sessions.values()];
  }

  own(sessionId: string): SessionState {
    const session = this.#sessions.get(sessionId);
    if (!session) throw notFound('session');
    return session;
  }

  remove(session: SessionState): void {
    session.deleted = true;
    this.#sessions.delete(session.id);
    this.#parts.turns.drop(session);
  }

  async call(method: SessionMethod, args: readonly unknown[], callToken: string | undefined): Promise<unknown> {
    const { permissions } = this.#parts.manifest;
    if (!permissions.sessions) throw denied('permissions.sessions');
    switch (method) {
      case 'create':
        return this.#create(args[0], callToken);
      case 'get': {
        const session = this.#sessions.get(take(taken.id, args[0], 'sessionId'));
        return session && this.#described(session);
      }
      case 'list':
        return this.#list(args[0]);
      case 'send':
        return this.#send(args);
      case 'waitForTurn':
        return this.#waitForTurn(args);
      case 'listEvents':
        return this.#listEvents(args[0]);
      case 'listWaits':
        return openWaits(this.#ownBy(args[0]));
      case 'waitForWait':
        return this.#waitForWait(args);
      case 'respondToWait':
        if (!permissions.sessionInteractions) throw denied('permissions.sessionInteractions');
        return this.#respond(args);
      case 'cancelTurn': {
        const session = this.#ownBy(args[0]);
        return this.#parts.turns.cancel(session, turnOf(session, take(taken.id, args[1], 'turnId')));
      }
      case 'setPermissionMode':
        this.#ownBy(args[0]).mode = take(taken.mode, args[1], 'mode');
        return null;
    }
  }

  #ownBy(sessionId: unknown): SessionState {
    return this.own(take(taken.id, sessionId, 'sessionId'));
  }

  #described(session: SessionState): MinitoolSessionDescriptor {
    return descriptorOf(this.#parts.manifest.id, session);
  }

  #placementOf({ containerId, space }: taken.TakenOptions): MinitoolSessionDescriptor['placement'] {
    const { manifest, spaces } = this.#parts;
    if (space) {
      if (!spaces.includes(space.spaceId)) throw notFound('space');
      return { type: 'space', spaceId: space.spaceId };
    }
    const declared = manifest.contributes.sessionContainers.map(({ id }) => id);
    if (containerId === undefined || !declared.includes(containerId))
      throw invalidArgument(
        `options.containerId: "${containerId}" is not in contributes.sessionContainers: ${declared.join(', ') || 'the manifest declares none'}`,
      );
    return { type: 'minitool', minitoolId: manifest.id, containerId };
  }

  async #create(given: unknown, callToken: string | undefined): Promise<unknown> {
    const options = take(taken.createOptions, given, 'options');
    const { initialMessage, externalKey } = options;
    const { callOf, warn } = this.#parts;
    if (options.profileId !== undefined) warn('ctx.sessions.create: profileId is ignored');
    const caller = options.context === 'caller' ? callOf(callToken) : undefined;
    if (options.context === 'caller' && !caller)
      throw new MinitoolError('caller_context_unavailable', "context: 'caller' is there only while a tool of this mini-tool runs");
    const placement = this.#placementOf(options);
    const message = initialMessage && (await this.#read(initialMessage));
    const place = canonicalJson(placement);
    const known = externalKey === undefined ? undefined : this.#external.get(externalKey);
    if (known && known.placement !== place)
      throw new MinitoolError('idempotency_conflict', 'The external key names a session that stands elsewhere', { sessionId: known.sessionId });
    const before = initialMessage && this.#created.get(`${place} ${initialMessage.idempotencyKey}`);
    const there = this.#sessions.get(known?.sessionId ?? before?.sessionId ?? '');
    if (!there && message && this.#unfinished() >= minitoolLimit) throw queueFull('minitool', this.#unfinished(), minitoolLimit);
    const session = there ?? this.#make(options, placement, caller);
    if (externalKey !== undefined) this.#external.set(externalKey, { sessionId: session.id, placement: place });
    const sent = initialMessage && message ? this.#accept(session, initialMessage.idempotencyKey, message) : undefined;
    if (sent?.state === 'rejected') throw queueFull(sent.scope, sent.pendingCount, sent.limit);
    if (initialMessage && message && !there)
      this.#created.set(`${place} ${initialMessage.idempotencyKey}`, { sessionId: session.id, content: contentOf(message) });
    return {
      ...this.#described(session),
      ...(sent ? { turnId: sent.turnId } : {}),
      ...(externalKey === undefined ? {} : { created: !there }),
      ...(sent?.contentDiffers ? { contentDiffers: true } : {}),
    };
  }

  #make({ activity, permissionMode, title }: taken.TakenOptions, placement: MinitoolSessionDescriptor['placement'], caller: KitCall | undefined): SessionState {
    const { nextId, clock } = this.#parts;
    const session: SessionState = {
      id: nextId('ses'),
      placement,
      activity,
      title,
      contextSpaceId: placement.type === 'minitool' ? caller?.spaceId : undefined,
      createdAt: clock.iso(),
      mode: permissionMode ?? (activity === 'background' ? 'acceptCalls' : 'ask'),
      updatedAt: clock.iso(),
      archived: false,
      deleted: false,
      turns: [],
      waits: new Map(),
      receipts: new Map(),
      watchers: new Set(),
    };
    this.#sessions.set(session.id, session);
    return session;
  }

  #list(given: unknown): readonly MinitoolSessionDescriptor[] {
    const { containerId, includeArchived } = take(taken.listOptions, given, 'options');
    return this.all()
      .filter(
        ({ placement, archived }) =>
          (includeArchived || !archived) && (containerId === undefined || (placement.type === 'minitool' && placement.containerId === containerId)),
      )
      .toReversed()
      .map((session) => this.#described(session));
  }

  async #send(args: readonly unknown[]): Promise<SessionSendReceipt> {
    const session = this.#ownBy(args[0]);
    const message = take(taken.message, args[1], 'message');
    take(taken.sendOptions, args[2], 'options');
    return this.#accept(session, message.idempotencyKey, await this.#read(message));
  }

  /** The bytes, as the service would take them out of the outbox. */
  async #read({ text, attachments, metadata }: taken.TakenMessage): Promise<KitMessage> {
    const read = attachments.map(async ({ file, name, mimeType, kind }) => ({
      name,
      mimeType,
      ...(kind === undefined ? {} : { kind }),
      bytes: await readFile(join(this.#parts.outboxPath, file)),
    }));
    return { text, metadata, attachments: await Promise.all(read) };
  }

  #unfinished(): number {
    return this.all().reduce((sum, session) => sum + unfinished(session), 0);
  }

  #accept(session: SessionState, key: string, message: KitMessage): SessionSendReceipt {
    const content = contentOf(message);
    const before = session.receipts.get(key);
    if (before) return this.#repeated(before, content, key);
    if (session.archived) throw new MinitoolError('session_archived', 'The session is archived');
    const ahead = unfinished(session);
    if (ahead >= sessionLimit) return rejected(session.id, 'session', ahead, sessionLimit);
    const all = this.#unfinished();
    if (all >= minitoolLimit) return rejected(session.id, 'minitool', all, minitoolLimit);
    const turn: TurnState = {
      id: this.#parts.nextId('turn'),
      number: session.turns.length + 1,
      message,
      said: [],
      abort: new AbortController(),
      status: 'queued',
      settled: Promise.withResolvers(),
    };
    session.turns.push(turn);
    session.updatedAt = this.#parts.clock.iso();
    const receipt: Accepted = {
      sessionId: session.id,
      turnId: turn.id,
      clientMessageId: key,
      state: 'accepted',
      queued: ahead > 0,
      pendingCount: ahead + 1,
      queuePosition: ahead,
    };
    session.receipts.set(key, { receipt, content });
    this.#parts.turns.pump(session);
    return receipt;
  }

  #repeated(before: { readonly receipt: Accepted; readonly content: string }, content: string, key: string): Accepted {
    const receipt: Accepted = { ...before.receipt, state: 'duplicate' };
    if (before.content === content) return receipt;
    this.#parts.warn(`A message with the key ${JSON.stringify(key)} was sent before with other content: it was not sent again.`);
    return { ...receipt, contentDiffers: true };
  }

  async #waitForTurn(args: readonly unknown[]): Promise<unknown> {
    const session = this.#ownBy(args[0]);
    const turn = turnOf(session, take(taken.id, args[1], 'turnId'));
    const ms = take(taken.waitMs, args[2], 'options');
    const timeout = Promise.withResolvers<unknown>();
    const stop = this.#parts.clock.after(ms, () => timeout.resolve({ state: 'timeout', sessionId: session.id, turnId: turn.id }));
    try {
      return await Promise.race([turn.settled.promise, timeout.promise]);
    } finally {
      stop();
    }
  }

  #listEvents(given: unknown): { readonly events: readonly SessionBridgeEvent[]; readonly nextCursor?: number } {
    const { sessionId, after, limit } = take(taken.eventQuery, given, 'query');
    this.own(sessionId);
    this.#parts.log.checkCursor(after);
    const events = this.#parts.log.after(sessionId, after).slice(0, limit);
    const last = events.at(-1)?.sequence;
    return { events, ...(last === undefined ? {} : { nextCursor: last }) };
  }

  async #waitForWait(args: readonly unknown[]): Promise<unknown> {
    const session = this.#ownBy(args[0]);
    const ms = take(taken.waitMs, args[1], 'options');
    if (openWaits(session).length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      session.watchers.add(resolve);
      const stop = this.#parts.clock.after(ms, resolve);
      await promise;
      session.watchers.delete(resolve);
      stop();
    }
    return openWaits(session)[0];
  }

  #respond(args: readonly unknown[]): unknown {
    const session = this.#ownBy(args[0]);
    const requestId = take(taken.id, args[1], 'requestId');
    const response = take(taken.waitResponse, args[2], 'response');
    const state = session.waits.get(requestId);
    if (!state) return { state: 'not_found', requestId };
    if (state.resolvedBy) return { state: 'stale', requestId, resolvedBy: state.resolvedBy };
    const { wait } = state;
    if (wait.kind !== response.kind) throw invalidArgument(`response.kind: "${wait.kind}", as the wait says`, { member: 'response.kind' });
    if (wait.kind === 'permission' && wait.destructive && response.kind === 'permission' && response.allow)
      return { state: 'forbidden', requestId, reason: 'What this call does cannot be undone: only a person may allow it.' };
    this.#parts.turns.resolve(session, requestId, response, 'minitool');
    return { state: 'accepted', requestId };
  }
}

const denied = (field: string): MinitoolError => new MinitoolError('permission_denied', `The manifest lacks ${field}`, { field });

const queueFull = (scope: string, pendingCount: number, limit: number): MinitoolError =>
  new MinitoolError('queue_full', `There are ${pendingCount} unfinished turns; the limit is ${limit}`, { scope, pendingCount, limit, retryAfterMs: 1_000 });

const rejected = (sessionId: string, scope: 'session' | 'minitool', pendingCount: number, limit: number): SessionSendReceipt => ({
  ...{ sessionId, state: 'rejected', queued: false, code: 'queue_full' },
  ...{ scope, pendingCount, limit, retryAfterMs: 1_000 },
});

const turnOf = (session: SessionState, turnId: string): TurnState => {
  const turn = session.turns.find(({ id }) => id === turnId);
  if (!turn) throw notFound('turn');
  return turn;
};

/** By what a repeated message is told from an edited one. */
const contentOf = ({ text, attachments }: KitMessage): string =>
  canonicalJson({ text, attachments: attachments.map(({ name, mimeType, bytes }) => ({ name, mimeType, bytes: Buffer.from(bytes).toString('base64') })) });
