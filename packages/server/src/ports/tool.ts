/**
 * Port: a tool that the server runs.
 *
 * Contract
 * L1 `run` is called only after `tool.dispatched` is durable, and once per dispatch; one that is `replaySafe` is called again while
 *    it throws `storage_unavailable` or `ToolLost`: our own store, or the tool's process, is waited for, and the model is told
 *    what became of it.
 * L2 Whatever it throws becomes an error result for the model; the message is shown, so it carries no secret.
 * L3 It should stop when `signal` aborts; one that does not is abandoned after the grace time and its late
 *    result is dropped.
 * L6 `run` is never called with arguments that its `inputSchema` refuses.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition, BuiltinTool, HttpTool, ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { Form } from '@turnkeeper/core/session/events';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { Inquiry } from '@turnkeeper/core/session/inquiry';
import type { MinitoolTools } from './minitool-tools.ts';
import type { ToolSpec } from './model.ts';

export type ToolRun = {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Shows progress while it runs; joined, best effort. */
  readonly progress: (output: readonly OutputBlock[]) => void;
  /**
   * Puts a form to the people of the session and waits for it; the tool's time stands still meanwhile. One form of a call is open
   * at a time, others wait behind it. Never rejects for what people do or leave undone.
   */
  readonly ask: (asked: AskedForm) => Promise<FormAnswer>;
};

/** `timeoutMs`: how long people have; without it, as long as the run goes on. `signal`: it is not wanted any more. */
export type AskedForm = { readonly form: Form; readonly timeoutMs?: number | undefined; readonly signal?: AbortSignal | undefined };
/** `session-ended`: the call or its run ended first. `background`: the session asks nobody. */
export type FormAnswer =
  | { readonly submitted: true; readonly values: JsonObject }
  | { readonly submitted: false; readonly reason: 'cancelled' | 'timeout' | 'session-ended' | 'background' };

/** `found`: names of tools that the model is offered from its next step on. */
export type ToolAnswer = { readonly output: readonly OutputBlock[]; readonly isError: boolean; readonly found?: readonly string[] };

export interface Tool {
  readonly spec: ToolSpec;
  /** May be run again after a crash: it changes nothing, or does the same when repeated. */
  readonly replaySafe: boolean;
  readonly readOnly: boolean;
  /** It says of itself that it destroys: people are asked first, unless the definition always allows it. */
  readonly destructive?: boolean;
  /** Where people are asked, they are asked each time: no answer allows it for the rest of the session. */
  readonly dangerous?: boolean;
  /** What it is called for people, and the mini-tool that it is of. */
  readonly title?: string;
  readonly minitoolId?: string;
  readonly minitoolName?: string;
  readonly timeoutMs: number;
  run(input: JsonObject, run: ToolRun): Promise<ToolAnswer>;
  /**
   * Of a tool whose result is what people answer, or a signal: it is never run, this is asked instead. Throws what is wrong
   * with the arguments.
   */
  readonly inquiry?: (input: JsonObject, terms: ToolTerms) => Inquiry;
}

/** What an agent's definition says of the calls of one tool, whatever kind of tool it is. */
export type ToolTerms = Pick<ToolDefinition, 'permission' | 'approver' | 'expiresSeconds' | 'timeoutMs' | 'readOnly' | 'idempotent' | 'destructive'> &
  Pick<BuiltinTool, 'approverRef' | 'prompt' | 'onExpiry'>;

/** A tool of one of an agent's MCP servers, with the terms that the definition gives for it. */
export type McpTool = { readonly tool: Tool; readonly terms: ToolTerms };

/** The version of an agent whose tools are wanted. */
export type ToolOwner = { readonly id: string; readonly version: number; readonly definition: AgentDefinition };

/** Says which tool server cannot be used now, and why; carries no secret. */
export class ToolsUnavailable extends Error {
  override readonly name = 'ToolsUnavailable';
}

/** All that the server can run. */
export interface Tools {
  /** The server's own tools by name. */
  builtin(name: string): Tool | undefined;
  builtinNames(): readonly string[];
  /** Those of mini-tools. */
  readonly minitools: MinitoolTools;
  /** The tool that an HTTP definition describes. */
  http(definition: HttpTool): Tool;
  /**
   * The tools of the agent's MCP servers, under the names that its model is told. Servers are asked only where no list is
   * kept (L5). Throws `ToolsUnavailable`.
   */
  mcp(agent: ToolOwner, session: { readonly sessionId: SessionId; readonly signal: AbortSignal }): Promise<readonly McpTool[]>;
  /**
   * What a call's arguments have that `schema` refuses (`pointer` within them); none where `schema` itself is of no use. What
   * takes too long to tell is refused. Never rejects; many are asked one after the other.
   */
  inputFaults(schema: JsonObject, input: Json): Promise<readonly Fault[]>;
  /** Why a JSON Schema (2020-12) cannot be used; none = it can. Never rejects. */
  schemaFaults(schema: JsonObject): Promise<readonly string[]>;
  /** What of a definition could never work (`pointer` within it): a schema that does not compile, a header that is not its to set. */
  faults(definition: AgentDefinition): Promise<readonly Fault[]>;
  /** A run of the session begins: what it opens (MCP connections) stays open until `runEnded`, and a while longer. */
  runBegan(sessionId: SessionId): void;
  runEnded(sessionId: SessionId): void;
  /** Closes every connection, and ends every process that was started for a tool. Nothing is opened after it. */
  close(): Promise<void>;
}
