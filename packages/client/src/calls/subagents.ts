/** Child sessions: those that a session delegated to, read below it. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { RequiredActions } from '@turnkeeper/core/protocol/wire/actions';
import type { SessionCapabilities, SessionResource, TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { SubagentBody } from '@turnkeeper/core/view/subagent';
import type { TurnView } from '@turnkeeper/core/view/turn-view';
import { listsOf } from '@turnkeeper/core/view/view-maps';
import type { Transport } from '../transport/transport.ts';
import { type Cancellable, childTurnPath, type Page, type PageQuery, part, childPath as path, sessionPath } from './paths.ts';
import type { EventPage, EventQuery, ResourcePage, ResourcesPage, SessionSnapshot, UsageAnswer } from './sessions.ts';

/** `childId`: of any session below `sessionId`, however deep. */
export type SubagentCalls = {
  /** The session's own children, in the order in which they were made. */
  readonly list: (sessionId: string, query?: EventQuery, options?: Cancellable) => Promise<ResourcesPage<SubagentBody>>;
  readonly get: (sessionId: string, childId: string, options?: Cancellable) => Promise<SessionResource>;
  readonly snapshot: (sessionId: string, childId: string, options?: Cancellable & { readonly limit?: number }) => Promise<SessionSnapshot>;
  readonly events: (sessionId: string, childId: string, query?: EventQuery, options?: Cancellable) => Promise<EventPage>;
  readonly event: (sessionId: string, childId: string, eventId: string) => Promise<Envelope>;
  readonly resources: (sessionId: string, childId: string, list: string, query?: EventQuery, options?: Cancellable) => Promise<ResourcePage>;
  readonly turns: (sessionId: string, childId: string, query?: PageQuery) => Promise<Page<TurnResource>>;
  /** One of them; `turns.get` and its like take the child's own id, too. */
  readonly turn: (sessionId: string, childId: string, turnId: string, options?: Cancellable) => Promise<TurnResource>;
  readonly turnSnapshot: (sessionId: string, childId: string, turnId: string, options?: Cancellable) => Promise<TurnView>;
  readonly turnEvents: (sessionId: string, childId: string, turnId: string, query?: EventQuery, options?: Cancellable) => Promise<EventPage>;
  /** What the child session can do. */
  readonly capabilities: (sessionId: string, childId: string) => Promise<SessionCapabilities>;
  readonly usage: (sessionId: string, childId: string, options?: { readonly includeChildren?: boolean }) => Promise<UsageAnswer>;
  readonly requiredActions: (sessionId: string, childId: string) => Promise<RequiredActions>;
};

export const createSubagentCalls = ({ request }: Transport): SubagentCalls => ({
  list: (id, query, options) => request('GET', `${sessionPath(id)}/subagents`, { ...options, ...(query ? { query } : {}) }),
  get: (id, child, options) => request('GET', path(id, child), options),
  snapshot: async (id, child, { limit, signal } = {}) =>
    listsOf(
      await request<SessionSnapshot>('GET', `${path(id, child)}/snapshot`, {
        ...(limit === undefined ? {} : { query: { limit } }),
        ...(signal ? { signal } : {}),
      }),
    ),
  events: (id, child, query, options) => request('GET', `${path(id, child)}/events`, { ...options, ...(query ? { query } : {}) }),
  event: (id, child, eventId) => request('GET', `${path(id, child)}/events/${part(eventId)}`),
  resources: (id, child, list, query, options) => request('GET', `${path(id, child)}/resources/${part(list)}`, { ...options, ...(query ? { query } : {}) }),
  turns: (id, child, query) => request('GET', `${path(id, child)}/turns`, query ? { query } : {}),
  turn: (id, child, turnId, options) => request('GET', childTurnPath(id, child, turnId), options),
  turnSnapshot: (id, child, turnId, options) => request('GET', `${childTurnPath(id, child, turnId)}/snapshot`, options),
  turnEvents: (id, child, turnId, query, options) => request('GET', `${childTurnPath(id, child, turnId)}/events`, { ...options, ...(query ? { query } : {}) }),
  capabilities: (id, child) => request('GET', `${path(id, child)}/capabilities`),
  usage: (id, child, { includeChildren } = {}) => request('GET', `${path(id, child)}/usage`, includeChildren ? { query: { include_children: true } } : {}),
  requiredActions: (id, child) => request('GET', `${path(id, child)}/required-actions`),
});
