/**
 * Port: what happens in this process, told to whoever counts, traces or logs it.
 *
 * Contract: telling costs nobody anything. Nothing here throws, waits or changes what it was given; who is told decides
 * what to keep of it, and keeps no content unless a person asked for that. What a commit did is told once, by the process
 * that was told of the commit: one whose answer was lost is not told at all.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { LoggedEvent, TokenUsage, ToolEnd } from '@turnkeeper/core/session/events';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { ModelRequest } from './model.ts';

/** What was committed of a session: the state before it, and the events in the order of the log. */
export type SessionNews = {
  readonly session: {
    readonly row: { readonly id: SessionId; readonly root: SessionId; readonly owner: string; readonly title: string };
    readonly config: {
      readonly target: { readonly id: string; readonly name: string; readonly definition: AgentDefinition };
      readonly minitool?: { readonly activity: 'interactive' | 'background' };
    };
  };
  readonly before: SessionState;
  readonly events: readonly LoggedEvent[];
};

/**
 * Of which turn, in its n-th run, and in which of its steps: a model call and the tools that it asks for. `tries`: how often the turn was
 * tried before, if it was; each try counts its steps anew (OC4).
 */
export type InRun = { readonly sessionId: SessionId; readonly turnId: TurnId; readonly run: number; readonly step: number; readonly tries?: number };

export type ModelCall = InRun & { readonly request: ModelRequest };
export type ModelCallEnd =
  | { readonly outcome: 'completed'; readonly usage?: TokenUsage | undefined; readonly said: () => string }
  | { readonly outcome: 'failed' | 'cancelled'; readonly errorCode: string };
export type ModelCallWatch = {
  /** The provider has begun to answer. */
  readonly began: () => void;
  readonly ended: (end: ModelCallEnd) => void;
};

export type ToolCall = InRun & { readonly callId: string; readonly name: string; readonly input: JsonObject; readonly definition: AgentDefinition };
export type ToolCallEnd = { readonly status: ToolEnd; readonly output: () => string };

/** A request that was answered. `route` is its template; a stream's time is its reader's affair. */
export type AnsweredRequest = {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly stream: boolean;
};

export interface Telemetry {
  readonly committed: (news: SessionNews) => void;
  readonly modelCallBegan: (call: ModelCall) => ModelCallWatch;
  /** The server begins to run a tool; the answer is told how that ended. */
  readonly toolCallBegan: (call: ToolCall) => (end: ToolCallEnd) => void;
  /** Runs of a node that is gone were taken over. */
  readonly runsRecovered: (count: number) => void;
  /** Under this name the node may hold sessions from now on. */
  readonly leaseTaken: (node: string) => void;
  /** It may not any more, and has dropped what it held so. */
  readonly leaseLost: (node: string, sessions: number) => void;
  /** The store has tried to commit so many writes together. */
  readonly batchEnded: (writes: number, ms: number) => void;
  /** The store could not be used; `operation` is one of its methods. */
  readonly storeFailed: (operation: string) => void;
  readonly requestAnswered: (request: AnsweredRequest) => void;
  /** A notice was sent to a webhook's receiver, which took it or did not. */
  readonly webhookAttempted: (attempt: { readonly outcome: 'delivered' | 'failed'; readonly ms: number }) => void;
  /** A subscription was given up until a person sees to it. */
  readonly webhookPaused: () => void;
  /** The process of a mini-tool, by its id, ended by itself: `crash`, `hang`, `memory`, … */
  readonly minitoolEnded: (minitool: string, how: string) => void;
  /** A mini-tool asked the server for something; `method` is one of the protocol, where it is known. */
  readonly minitoolCalled: (minitool: string, method: string) => void;
  /** A tool of a mini-tool has run. */
  readonly minitoolToolRan: (minitool: string, outcome: 'completed' | 'failed' | 'lost') => void;
}

const nothing = (): void => {};
const unwatched: ModelCallWatch = { began: nothing, ended: nothing };

/** Nobody is told. */
export const noTelemetry: Telemetry = {
  committed: nothing,
  modelCallBegan: () => unwatched,
  toolCallBegan: () => nothing,
  runsRecovered: nothing,
  leaseTaken: nothing,
  leaseLost: nothing,
  batchEnded: nothing,
  storeFailed: nothing,
  requestAnswered: nothing,
  webhookAttempted: nothing,
  webhookPaused: nothing,
  minitoolEnded: nothing,
  minitoolCalled: nothing,
  minitoolToolRan: nothing,
};
