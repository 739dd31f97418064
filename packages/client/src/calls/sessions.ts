/** Sessions: what they are, and what happened in them. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { RequiredActions } from '@turnkeeper/core/protocol/wire/actions';
import type { CreatedSession, CreateSessionRequest, SessionCapabilities, SessionResource, UsageResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { Resource, SessionView } from '@turnkeeper/core/view/session-view';
import { listsOf } from '@turnkeeper/core/view/view-maps';
import type { Bytes, Transport } from '../transport/transport.ts';
import { type Cancellable, type Page, type PageQuery, part, type Retried, sessionPath, sessionsPath } from './paths.ts';

export type SessionQuery = PageQuery & {
  readonly status?: 'active' | 'archived' | 'all';
  /** `me`: one's own; `all`: every one that the caller may see; else `user:<id>`, `app:<id>` or `minitool:<id>`. */
  readonly owner?: string;
  readonly space?: string;
  readonly container?: string;
  /** In titles, metadata, and at the beginning of ids. */
  readonly q?: string;
  /** What they do. */
  readonly activity?: SessionResource['status'];
  /** The id of what they were made for. */
  readonly target?: string;
  /** These members are in the metadata, with these values. */
  readonly metadata?: { readonly [key: string]: string | number | boolean | null };
  /**
   * In what users and agents said. One answer looks through a limited amount: go on with `next_offset` until it is null, also after
   * a page without any. `searched_until` says how far it came.
   */
  readonly text?: string;
  /** They used as much or more, with all that they delegated. */
  readonly min_cost?: number;
  /** Unix milliseconds: not before `_from`, and before `_before`. */
  readonly created_from?: number;
  readonly created_before?: number;
  readonly updated_from?: number;
  readonly updated_before?: number;
  /** Newest first: by creation, or by their last change. */
  readonly order?: 'created' | 'updated';
};
export type SessionPage = Page<SessionResource> & { readonly searched_until?: number };
export type EventPage = { readonly data: readonly Envelope[]; readonly next_cursor: string; readonly has_more: boolean };
/** A page of one kind of resource, closed ones too, in the order of first appearance. */
export type ResourcesPage<Data> = { readonly data: readonly Resource<Data>[]; readonly next_cursor: string | null; readonly has_more: boolean };
/** One kind of resource, in the order of first appearance. `next_cursor` is good for 15 minutes. */
export type ResourcePage = { readonly data: readonly Envelope[]; readonly next_cursor: string | null; readonly has_more: boolean; readonly as_of: string };
/** With children: up to where each session was read. */
export type UsageAnswer = { readonly data: UsageResource; readonly as_of: string; readonly session_watermarks?: { readonly [sessionId: string]: string } };
export type EventQuery = { readonly after?: string; readonly limit?: number };
/** Lists whatever the session is of; where the service answers with maps, they are made of these. `has_more`: older resources exist than it shows. */
export type SessionSnapshot = SessionView & {
  readonly has_more?: { readonly [list: string]: boolean };
  /** Of those lists: where `resources` goes on with the older ones. */
  readonly page_cursors?: { readonly [list: string]: string };
};

/**
 * Creating with `initialMessage` starts its first turn in the same step and needs a key, which is also the turn's;
 * without one the key is welcome, and what makes the call safe to repeat.
 */
type Create = {
  (
    request: CreateSessionRequest & { readonly initialMessage: NonNullable<CreateSessionRequest['initialMessage']> },
    options: { readonly idempotencyKey: string; readonly signal?: AbortSignal },
  ): Promise<CreatedSession & { readonly turnId: string }>;
  (
    request: CreateSessionRequest & { readonly initialMessage?: undefined },
    options?: { readonly idempotencyKey?: string; readonly signal?: AbortSignal },
  ): Promise<CreatedSession>;
};

export type SessionCalls = {
  readonly create: Create;
  readonly get: (sessionId: string, options?: Cancellable) => Promise<SessionResource>;
  readonly list: (query?: SessionQuery, options?: Retried) => Promise<SessionPage>;
  readonly patch: (sessionId: string, change: { readonly title?: string; readonly metadata?: SessionResource['metadata'] }) => Promise<SessionResource>;
  readonly delete: (sessionId: string) => Promise<void>;
  /** Every public event, one a line: the answer's `body` is a stream. With `archive` it can be imported elsewhere. */
  readonly exportEvents: (sessionId: string, options?: Cancellable & { readonly archive?: boolean }) => Promise<Response>;
  /** Brings back an export that was made with `archive`, as a record. For admins. */
  readonly importArchive: (bytes: Bytes, options?: Cancellable) => Promise<SessionResource>;
  readonly archive: (sessionId: string) => Promise<SessionResource>;
  readonly restore: (sessionId: string) => Promise<SessionResource>;
  readonly capabilities: (sessionId: string) => Promise<SessionCapabilities>;
  readonly snapshot: (sessionId: string, options?: Cancellable & { readonly limit?: number }) => Promise<SessionSnapshot>;
  readonly events: (sessionId: string, query?: EventQuery, options?: Cancellable) => Promise<EventPage>;
  readonly event: (sessionId: string, eventId: string) => Promise<Envelope>;
  /** `items`, `turns`, `runs`, `tools` … older than the snapshot shows: `after` is one of its `page_cursors`, or `next_cursor`. */
  readonly resources: (sessionId: string, list: string, query?: EventQuery, options?: Cancellable) => Promise<ResourcePage>;
  readonly usage: (sessionId: string, options?: { readonly includeChildren?: boolean }) => Promise<UsageAnswer>;
  readonly requiredActions: (sessionId: string) => Promise<RequiredActions>;
  /** Answered and expired ones, too. */
  readonly allActions: (sessionId: string, query?: EventQuery) => Promise<ResourcesPage<ActionBody>>;
};

/** Each member of the metadata that is asked for has a name of its own in the address. */
const listQuery = ({ metadata = {}, ...query }: SessionQuery) => ({
  ...query,
  ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, String(value)])),
});

/** A long log takes its time. */
const importTimeoutMs = 300_000;

export const createSessionCalls = ({ request, download }: Transport): SessionCalls => ({
  create: ((body: CreateSessionRequest, options: { readonly idempotencyKey?: string; readonly signal?: AbortSignal } = {}) =>
    request<CreatedSession>('POST', sessionsPath, { body, ...options })) as Create,
  get: (id, options) => request('GET', sessionPath(id), options),
  list: (query, options) => request('GET', sessionsPath, { ...options, ...(query ? { query: listQuery(query) } : {}) }),
  patch: (id, body) => request('PATCH', sessionPath(id), { body }),
  delete: (id) => request('DELETE', sessionPath(id)),
  exportEvents: (id, { archive, signal } = {}) => download(`${sessionPath(id)}/export${archive ? '?format=archive' : ''}`, signal ? { signal } : {}),
  importArchive: (bytes, options) =>
    request('POST', `${sessionsPath}/import`, { ...options, bytes, headers: { 'content-type': 'application/x-ndjson' }, timeoutMs: importTimeoutMs }),
  archive: (id) => request('POST', `${sessionPath(id)}/archive`, { body: {} }),
  restore: (id) => request('POST', `${sessionPath(id)}/restore`, { body: {} }),
  capabilities: (id) => request('GET', `${sessionPath(id)}/capabilities`),
  snapshot: async (id, { limit, signal } = {}) =>
    listsOf(
      await request<SessionSnapshot>('GET', `${sessionPath(id)}/snapshot`, {
        ...(limit === undefined ? {} : { query: { limit } }),
        ...(signal ? { signal } : {}),
      }),
    ),
  events: (id, query, options) => request('GET', `${sessionPath(id)}/events`, { ...options, ...(query ? { query } : {}) }),
  event: (id, eventId) => request('GET', `${sessionPath(id)}/events/${part(eventId)}`),
  resources: (id, list, query, options) => request('GET', `${sessionPath(id)}/resources/${part(list)}`, { ...options, ...(query ? { query } : {}) }),
  usage: (id, { includeChildren } = {}) => request('GET', `${sessionPath(id)}/usage`, includeChildren ? { query: { include_children: true } } : {}),
  requiredActions: (id) => request('GET', `${sessionPath(id)}/required-actions`),
  allActions: (id, query = {}) => request('GET', `${sessionPath(id)}/resources/required_actions`, { query }),
});
