/** Turns: submitting, reading, answering, stopping, going on. */
import type { AnswersReceipt, AnswersRequest, CommandReceipt, CommandResource, RequiredActions } from '@turnkeeper/core/protocol/wire/actions';
import type { SubmitRequest, TurnReceipt, TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { TurnView } from '@turnkeeper/core/view/turn-view';
import type { Transport } from '../transport/transport.ts';
import { type Cancellable, type Keyed, type Page, type PageQuery, turnPath, turnsPath } from './paths.ts';
import type { EventPage, EventQuery, UsageAnswer } from './sessions.ts';

export type TurnCalls = {
  /** The turn is stored when this resolves; it runs when those before it have ended. `onBusy`: what it becomes on a busy session. */
  readonly submit: (sessionId: string, input: SubmitRequest, options: Keyed) => Promise<TurnReceipt>;
  readonly list: (sessionId: string, query?: PageQuery) => Promise<Page<TurnResource>>;
  readonly get: (sessionId: string, turnId: string, options?: Cancellable) => Promise<TurnResource>;
  readonly snapshot: (sessionId: string, turnId: string, options?: Cancellable) => Promise<TurnView>;
  /** What happened in it, by cursors of its own. */
  readonly events: (sessionId: string, turnId: string, query?: EventQuery, options?: Cancellable) => Promise<EventPage>;
  readonly capabilities: (sessionId: string, turnId: string) => Promise<{ readonly available_commands: readonly string[] }>;
  readonly actions: (sessionId: string, turnId: string) => Promise<RequiredActions>;
  /** Answers one open action, or several together, those of children too: then `parts` has the receipt of each session. */
  readonly answer: (sessionId: string, turnId: string, answers: AnswersRequest, options: Keyed) => Promise<AnswersReceipt>;
  /** Asks the turn to stop. Only its outcome says that it has. */
  readonly cancel: (sessionId: string, turnId: string, options: Keyed) => Promise<CommandReceipt>;
  readonly resume: (sessionId: string, turnId: string, options: Keyed) => Promise<CommandReceipt>;
  /** Of a workflow: nothing new of it begins until it is resumed. */
  readonly pause: (sessionId: string, turnId: string, options: Keyed) => Promise<CommandReceipt>;
  /** What the turn was asked, submitted as a new turn. */
  readonly rerun: (sessionId: string, turnId: string, options: Keyed) => Promise<TurnReceipt>;
  readonly usage: (sessionId: string, turnId: string) => Promise<UsageAnswer>;
  readonly command: (sessionId: string, turnId: string, commandId: string) => Promise<{ readonly command: CommandResource }>;
};

export const createTurnCalls = ({ request }: Transport): TurnCalls => ({
  submit: (sessionId, body, options) => request('POST', turnsPath(sessionId), { body, ...options }),
  list: (sessionId, query) => request('GET', turnsPath(sessionId), query ? { query } : {}),
  get: (sessionId, turnId, options) => request('GET', turnPath(sessionId, turnId), options),
  snapshot: (sessionId, turnId, options) => request('GET', `${turnPath(sessionId, turnId)}/snapshot`, options),
  events: (sessionId, turnId, query, options) => request('GET', `${turnPath(sessionId, turnId)}/events`, { ...options, ...(query ? { query } : {}) }),
  capabilities: (sessionId, turnId) => request('GET', `${turnPath(sessionId, turnId)}/capabilities`),
  actions: (sessionId, turnId) => request('GET', `${turnPath(sessionId, turnId)}/actions`),
  answer: (sessionId, turnId, body, options) => request('POST', `${turnPath(sessionId, turnId)}/actions`, { body, ...options }),
  cancel: (sessionId, turnId, options) => request('POST', `${turnPath(sessionId, turnId)}/cancel`, { body: {}, ...options }),
  resume: (sessionId, turnId, options) => request('POST', `${turnPath(sessionId, turnId)}/resume`, { body: {}, ...options }),
  pause: (sessionId, turnId, options) => request('POST', `${turnPath(sessionId, turnId)}/pause`, { body: {}, ...options }),
  rerun: (sessionId, turnId, options) => request('POST', `${turnPath(sessionId, turnId)}/rerun`, { body: {}, ...options }),
  usage: (sessionId, turnId) => request('GET', `${turnPath(sessionId, turnId)}/usage`),
  command: (sessionId, turnId, commandId) => request('GET', `${turnPath(sessionId, turnId)}/commands/${encodeURIComponent(commandId)}`),
});
