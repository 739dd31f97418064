/**
 * Port: a tool that the server runs.
 *
 * Contract
 * L1 `run` is called only after `tool.dispatched` is durable, and at most once per dispatch.
 * L2 Whatever it throws becomes an error result for the model; the message is shown, so it carries no secret.
 * L3 It should stop when `signal` aborts; one that does not is abandoned after the grace time and its late
 *    result is dropped.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { ToolSpec } from './model.ts';

export type ToolRun = {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Shows progress while it runs; joined, best effort. */
  readonly progress: (output: readonly OutputBlock[]) => void;
};

export type ToolAnswer = { readonly output: readonly OutputBlock[]; readonly isError: boolean };

export interface Tool {
  readonly spec: ToolSpec;
  /** May be run again after a crash: it changes nothing, or does the same when repeated. */
  readonly replaySafe: boolean;
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  run(input: JsonObject, run: ToolRun): Promise<ToolAnswer>;
}

/** The server's own tools by name. */
export interface Tools {
  builtin(name: string): Tool | undefined;
  builtinNames(): readonly string[];
}
