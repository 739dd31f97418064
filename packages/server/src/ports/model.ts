/**
 * Port: a language model that streams.
 *
 * Contract
 * M1 `stream` makes one attempt; it never retries by itself. The runner decides on retries.
 * M2 Parts come in the order of the answer; the stream ends with exactly one `finish`, or throws a `ModelError`.
 * M3 Text and argument deltas never split a character: joined they equal the whole, whatever the chunks were.
 * M4 Aborting `signal` closes the provider's connection at once and makes the stream throw; the thrown value
 *    need not be a `ModelError`: callers look at their own signal.
 * M5 Neither errors nor parts carry credentials or request bodies.
 * M6 The prompt satisfies C1 (core/session/context.ts); adapters need not repair it.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ModelPrice } from '@turnkeeper/core/protocol/wire/prices';
import type { PromptMessage } from '@turnkeeper/core/session/context';
import type { Cost, TokenUsage } from '@turnkeeper/core/session/events';

/** A tool as the model is told of it. `inputSchema` is JSON Schema. */
export type ToolSpec = { readonly name: string; readonly description: string; readonly inputSchema: JsonObject };

/** A file that a message refers to. Without `bytes` it is named in words. */
export type PromptFile = { readonly name: string; readonly mediaType: string; readonly bytes?: Uint8Array };

export type ModelRequest = {
  /** `provider:model`, as in the agent's definition, e.g. `openai:gpt-5-mini` or `demo:welcome`. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolSpec[];
  readonly temperature?: number;
  /** By `file_id`; one that is missing is not there any more. */
  readonly files?: ReadonlyMap<string, PromptFile>;
};

export type ModelPart =
  | { readonly type: 'text_delta'; readonly text: string }
  /** Private: goes into the context with its `provider` data, never into an event. */
  | { readonly type: 'reasoning'; readonly text: string; readonly provider?: JsonObject }
  | { readonly type: 'tool_call_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call_delta'; readonly id: string; readonly text: string }
  /** A whole tool call; `arguments` is the JSON text as the model wrote it (it may be invalid). */
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: string; readonly provider?: JsonObject }
  | {
      readonly type: 'finish';
      readonly reason: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';
      readonly usage?: TokenUsage;
      readonly textProvider?: JsonObject;
    };

export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Something to look at or listen to. `mediaType` may be the kind alone (`image`) where nobody said more. */
export type Medium = { readonly mediaType: string; readonly isUrl: boolean };

/** What a model cost at one moment, to be kept: said by somebody for it, or what a table had of it then. */
export type FrozenPrice = ModelPrice | { readonly table: JsonObject };

/** What the runner asks of all models together. */
export interface Models extends Model {
  /** True when the name's provider is configured. */
  has(model: string): boolean;
  /** Names to offer in a picker, e.g. `demo:welcome`; only of configured providers. */
  list(): readonly string[];
  /** Why the model's provider cannot be shown this in a user's message, or undefined: also where it is not configured. */
  inputFault(model: string, medium: Medium): string | undefined;
  /**
   * What the usage costs by the price known for the model; undefined = unpriced, never zero by guess. Of a call that reported no usage
   * it is known only where the model costs nothing, whatever it uses.
   */
  price(model: string, usage: TokenUsage | undefined, at: number): Cost | undefined;
  /** The price by which `price` reckons, as it is at this time; undefined where none is known. */
  priceInForce(model: string, at: number): FrozenPrice | undefined;
}

/** A failed model call. `message` is safe to show: no credentials, no request. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** `context_length_exceeded`: the request is too long for the model. */
  readonly code: 'model_error' | 'model_not_configured' | 'context_length_exceeded';
  readonly retryable: boolean;
  /** What the provider asked us to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** The provider's HTTP status, if there was an answer. */
  readonly status: number | undefined;

  constructor(message: string, options: { code?: ModelError['code']; retryable: boolean; retryAfterMs?: number; status?: number; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'model_error';
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }
}
