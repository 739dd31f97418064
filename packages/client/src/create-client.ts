/**
 * The client: typed calls and streams of the Session API, for browsers and Node 20 or newer.
 *
 * Calls throw `TurnkeeperError` (core/protocol/errors) when the server refuses, told apart by `code`, and
 * `UnreachableError` when no answer came.
 */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { type AccountCalls, createAccountCalls } from './calls/account.ts';
import { type AgentCalls, createAgentCalls, listModels, type ModelInfo } from './calls/agents.ts';
import { createSessionCalls, type SessionCalls } from './calls/sessions.ts';
import { createTurnCalls, type TurnCalls } from './calls/turns.ts';
import type { FeedOptions } from './stream/session-feed.ts';
import { createSessionWatches, type SessionWatch } from './stream/session-watches.ts';
import { type StreamTurnOptions, streamTurn } from './stream/stream-turn.ts';
import { type WaitOptions, type WaitResult, waitForTurn } from './stream/wait-for-turn.ts';
import { createTransport, type TransportOptions } from './transport/transport.ts';

export type ClientOptions = TransportOptions & FeedOptions & { /** See session-watches.ts. */ readonly lingerMs?: number };

export type Client = {
  readonly baseUrl: string;
  readonly account: AccountCalls;
  readonly agents: AgentCalls;
  readonly sessions: SessionCalls;
  readonly turns: TurnCalls;
  /** Models of the providers that are configured. */
  readonly models: () => Promise<readonly ModelInfo[]>;
  /** Waits for a turn's outcome, also over restarts of the server. */
  readonly waitForTurn: (sessionId: string, turnId: string, options?: WaitOptions) => Promise<WaitResult>;
  /** The session's view, kept up to date over one connection that all watchers share. */
  readonly watchSession: (sessionId: string) => SessionWatch;
  /** The events of a turn up to its outcome. */
  readonly streamTurn: (sessionId: string, turnId: string, options?: StreamTurnOptions) => AsyncGenerator<Envelope, void, undefined>;
  /** Closes all streams. Nothing on the server is cancelled. */
  readonly close: () => void;
};

export const createClient = (options: ClientOptions): Client => {
  const transport = createTransport(options);
  const watches = createSessionWatches(transport, options);
  return {
    baseUrl: options.baseUrl,
    account: createAccountCalls(transport),
    agents: createAgentCalls(transport),
    sessions: createSessionCalls(transport),
    turns: createTurnCalls(transport),
    models: () => listModels(transport),
    waitForTurn: (sessionId, turnId, wait) => waitForTurn(transport, sessionId, turnId, wait),
    watchSession: watches.watch,
    streamTurn: (sessionId, turnId, stream) => streamTurn(transport, sessionId, turnId, stream),
    close: watches.closeAll,
  };
};
