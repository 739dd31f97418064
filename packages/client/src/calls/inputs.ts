/** What is said to a turn that is under way, or for whichever turn comes; and the queue of a session. */
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { InjectReceipt, QueueResource, SteerReceipt } from '@turnkeeper/core/protocol/wire/inputs';
import type { SaidInput } from '@turnkeeper/core/protocol/wire/sessions';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { Transport } from '../transport/transport.ts';
import { type Cancellable, type Keyed, part, sessionPath, turnPath } from './paths.ts';
import type { EventQuery, ResourcesPage } from './sessions.ts';

export type InputCalls = {
  /** Changes an unfinished turn from its next step on. Stored when this resolves; `list` and the receipt say whether it was used. */
  readonly steer: (sessionId: string, turnId: string, input: SaidInput, options: Keyed) => Promise<SteerReceipt>;
  /** Background for the next step of whichever turn comes. */
  readonly inject: (sessionId: string, input: SaidInput, options: Keyed) => Promise<InjectReceipt>;
  /** Used and rejected ones too, in the order of acceptance. */
  readonly list: (sessionId: string, query?: EventQuery, options?: Cancellable) => Promise<ResourcesPage<InputBody>>;
};

export type QueueCalls = {
  readonly get: (sessionId: string, options?: Cancellable) => Promise<QueueResource>;
  /** `order` names every queued turn; with the `version` that was read, a queue that has changed since is refused. */
  readonly reorder: (sessionId: string, order: readonly string[], version?: string) => Promise<QueueResource>;
  /** Cancels a turn, but only while it waits. */
  readonly remove: (sessionId: string, turnId: string, options: Keyed) => Promise<CommandReceipt>;
};

export const createInputCalls = ({ request }: Transport): InputCalls => ({
  steer: (sessionId, turnId, body, options) => request('POST', `${turnPath(sessionId, turnId)}/steer`, { body, ...options }),
  inject: (sessionId, body, options) => request('POST', `${sessionPath(sessionId)}/inputs/inject`, { body, ...options }),
  list: (sessionId, query, options) => request('GET', `${sessionPath(sessionId)}/inputs`, { ...options, ...(query ? { query } : {}) }),
});

const queuePath = (sessionId: string): string => `${sessionPath(sessionId)}/queue`;

export const createQueueCalls = ({ request }: Transport): QueueCalls => ({
  get: (sessionId, options) => request('GET', queuePath(sessionId), options),
  reorder: (sessionId, order, version) => request('PUT', queuePath(sessionId), { body: { order, ...(version === undefined ? {} : { version }) } }),
  remove: (sessionId, turnId, options) => request('DELETE', `${queuePath(sessionId)}/${part(turnId)}`, options),
});
