/** Sessions: what they are, and what happened in them. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { RequiredActions } from '@turnkeeper/core/protocol/wire/actions';
import type { CreatedSession, CreateSessionRequest, SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { Transport } from '../transport/transport.ts';
import { type Cancellable, type Page, type PageQuery, sessionPath, sessionsPath } from './paths.ts';

export type SessionQuery = PageQuery & {
  readonly status?: 'active' | 'archived' | 'all';
  readonly space?: string;
  readonly container?: string;
  readonly q?: string;
};
export type EventPage = { readonly data: readonly Envelope[]; readonly next_cursor: string; readonly has_more: boolean };
export type EventQuery = { readonly after?: string; readonly limit?: number };
/** By list: older resources exist than the snapshot shows. */
export type SessionSnapshot = SessionView & { readonly has_more?: { readonly [list: string]: boolean } };

/**
 * Creating with `initialMessage` starts its first turn in the same step and needs a key, which is also the turn's;
 * without one the key is welcome, and what makes the call safe to repeat.
 */
type Create = {
  (
    request: CreateSessionRequest & { readonly initialMessage: NonNullable<CreateSessionRequest['initialMessage']> },
    options: { readonly idempotencyKey: string; readonly signal?: AbortSignal },
  ): Promise<CreatedSession>;
  (
    request: CreateSessionRequest & { readonly initialMessage?: undefined },
    options?: { readonly idempotencyKey?: string; readonly signal?: AbortSignal },
  ): Promise<CreatedSession>;
};

export type SessionCalls = {
  readonly create: Create;
  readonly get: (sessionId: string, options?: Cancellable) => Promise<SessionResource>;
  readonly list: (query?: SessionQuery, options?: Cancellable) => Promise<Page<SessionResource>>;
  readonly patch: (sessionId: string, change: { readonly title?: string; readonly metadata?: SessionResource['metadata'] }) => Promise<SessionResource>;
  readonly delete: (sessionId: string) => Promise<void>;
  readonly archive: (sessionId: string) => Promise<SessionResource>;
  readonly restore: (sessionId: string) => Promise<SessionResource>;
  readonly capabilities: (sessionId: string) => Promise<{ readonly capabilities: { readonly [name: string]: boolean } }>;
  readonly snapshot: (sessionId: string, options?: Cancellable & { readonly limit?: number }) => Promise<SessionSnapshot>;
  readonly events: (sessionId: string, query?: EventQuery, options?: Cancellable) => Promise<EventPage>;
  readonly requiredActions: (sessionId: string) => Promise<RequiredActions>;
};

export const createSessionCalls = ({ request }: Transport): SessionCalls => ({
  create: ((body: CreateSessionRequest, options: { readonly idempotencyKey?: string; readonly signal?: AbortSignal } = {}) =>
    request<CreatedSession>('POST', sessionsPath, { body, ...options })) as Create,
  get: (id, options) => request('GET', sessionPath(id), options),
  list: (query, options) => request('GET', sessionsPath, { ...options, ...(query ? { query } : {}) }),
  patch: (id, body) => request('PATCH', sessionPath(id), { body }),
  delete: (id) => request('DELETE', sessionPath(id)),
  archive: (id) => request('POST', `${sessionPath(id)}/archive`, { body: {} }),
  restore: (id) => request('POST', `${sessionPath(id)}/restore`, { body: {} }),
  capabilities: (id) => request('GET', `${sessionPath(id)}/capabilities`),
  snapshot: (id, { limit, signal } = {}) =>
    request('GET', `${sessionPath(id)}/snapshot`, { ...(limit === undefined ? {} : { query: { limit } }), ...(signal ? { signal } : {}) }),
  events: (id, query, options) => request('GET', `${sessionPath(id)}/events`, { ...options, ...(query ? { query } : {}) }),
  requiredActions: (id) => request('GET', `${sessionPath(id)}/required-actions`),
});
