/** Tools that agents can call. */
import type { MiniToolFormResult, MiniToolFormSpec } from './forms.ts';
import type { Secrets, Storage } from './keeping.ts';
import type { Disposable } from './lifetime.ts';
import type { Logger } from './logger.ts';
import type { Sessions } from './sessions.ts';
import type { ToolCallDisplay } from './tool-display.ts';
import type { ToolSearchProvider } from './tool-search.ts';

export interface ToolProgressUpdate {
  /** A word for programs, like `downloading`. */
  readonly stage?: string;
  /** What people read. */
  readonly message: string;
  /** 0 to 100. */
  readonly percent?: number;
}

export interface ToolProgress {
  /** Shown while the call runs; the model never sees it. */
  report(update: ToolProgressUpdate): void;
}

export type ToolProgressMode = 'indeterminate';
/** `dynamic`: not in the tools that a session begins with. */
export type ToolExposure = 'startup' | 'dynamic';

export interface ToolUi {
  /** Asks a person in the turn that the call is of. In a session that nobody watches it resolves at once, `reason: 'background'`. */
  requestForm(spec: MiniToolFormSpec): Promise<MiniToolFormResult>;
}

/** One call of a tool. */
export interface ToolExecutionContext {
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly spaceId: string | undefined;
  readonly cwd: string | undefined;
  /** Aborted when the call was cancelled or its time is over. */
  readonly signal?: AbortSignal;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly progress: ToolProgress;
  readonly ui: ToolUi;
  /** `ctx.sessions`, bound to this call: `context: 'caller'` works with it also where the chain of promises was broken. */
  readonly sessions: Sessions;
}

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' /** Base64. */; readonly data: string; readonly mimeType: string };

/** What the model is told; 2 MB in all. */
export interface ToolResult {
  readonly content: ToolContent[];
  readonly isError?: boolean;
}

/** JSON Schema, as the model is told it. */
export interface JsonSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly [key: string]: unknown;
}

export interface ToolDefinition<TInput extends Record<string, unknown> = Record<string, unknown>> {
  /** Lowercase letters, digits and `_`. The model is told `<mini-tool's id>_<name>`. */
  readonly name: string;
  readonly title: string;
  /** For the model: when to call it, and what it does. */
  readonly description: string;
  /** Input that does not fit is refused before `execute`. */
  readonly inputSchema: JsonSchema;
  readonly defaultEnabled?: boolean;
  /** `low`: only reads. `medium`: writes within bounds. `high`: asks for confirmation in mode `ask`. */
  readonly risk?: 'low' | 'medium' | 'high';
  readonly exposure?: ToolExposure;
  /** Whose tool it is, where it is registered for somebody else. */
  readonly owner?: { readonly extensionId: string; readonly extensionName?: string };
  readonly callDisplay?: ToolCallDisplay;
  readonly progressMode?: ToolProgressMode;
  /** Milliseconds, 120,000 unless given; held to 15,000 … 600,000. */
  readonly timeoutMs?: number;
  execute(input: TInput, ctx: ToolExecutionContext): Promise<ToolResult>;
}

export interface Tools {
  register(definition: ToolDefinition): Disposable;
  /** @deprecated The same as `registerDiscoveryProvider`. */
  registerSearchProvider(provider: ToolSearchProvider): Disposable;
  registerDiscoveryProvider(provider: ToolSearchProvider): Disposable;
}
