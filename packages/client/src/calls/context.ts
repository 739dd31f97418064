/** The private context of sessions: its checkpoints, going on from one, and beginning another session with one. */
import type { CheckpointResource, CheckpointsPage, ForkRequest } from '@turnkeeper/core/protocol/wire/context';
import type { ModelCallDetail, ModelCallResource, ModelCallsPage } from '@turnkeeper/core/protocol/wire/model-calls';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { Transport } from '../transport/transport.ts';
import { type Cancellable, type Keyed, type PageQuery, part, sessionPath, turnPath } from './paths.ts';

export type { CheckpointResource, CheckpointsPage, ModelCallDetail, ModelCallResource, ModelCallsPage };

/** Into `target_session_id`, or into a new session; `checkpoint_id` or `at` (a turn) say which context, by default the newest. */
export type Fork = Partial<ForkRequest>;

export type ContextCalls = {
  /** Newest first. */
  readonly checkpoints: (sessionId: string, query?: { readonly after?: string; readonly limit?: number }, options?: Cancellable) => Promise<CheckpointsPage>;
  /** The session goes on from there; its history stays, and nothing outside is undone. */
  readonly restore: (sessionId: string, to: { readonly checkpoint_id: string; readonly reason?: string }, options: Keyed) => Promise<SessionResource>;
  /** The session that begins with the context. */
  readonly fork: (sessionId: string, fork: Fork, options: Keyed) => Promise<SessionResource>;
  /** Of a turn, in the order in which they were made. For people with the right to see what the model was shown. */
  readonly modelCalls: (sessionId: string, turnId: string, query?: PageQuery, options?: Cancellable) => Promise<ModelCallsPage>;
  /** What the model was shown and said at one call; `differs` names what cannot be told as it was then. */
  readonly modelCall: (sessionId: string, turnId: string, modelCallId: string, options?: Cancellable) => Promise<ModelCallDetail>;
};

export const createContextCalls = ({ request }: Transport): ContextCalls => ({
  checkpoints: (id, query, options) => request('GET', `${sessionPath(id)}/checkpoints`, { ...options, ...(query ? { query } : {}) }),
  restore: (id, body, options) => request('POST', `${sessionPath(id)}/checkpoints/restore`, { body, ...options }),
  fork: (id, body, options) => request('POST', `${sessionPath(id)}/fork`, { body, ...options }),
  modelCalls: (id, turnId, query, options) => request('GET', `${turnPath(id, turnId)}/model-calls`, { ...options, ...(query ? { query } : {}) }),
  modelCall: (id, turnId, callId, options) => request('GET', `${turnPath(id, turnId)}/model-calls/${part(callId)}`, options),
});
