/**
 * What the server and a mini-tool's process say to each other: JSON-RPC 2.0 over the process's IPC channel.
 *
 * Owns: the names and shapes of the messages, nothing of what they do.
 *
 * MP1 The process is never trusted: whatever it sends is held to its schema and to its manifest by the server. An id proves
 *     nothing, and a call's token is good only while that call runs.
 * MP2 A failure is an error answer whose `data` is a `WireFailure`: the process rethrows it with its `code`.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';

/** The newest version of these messages; a process that speaks another is not started. */
export const protocolVersion = 1;

/** Most bytes of one message, as UTF-8 text. Attachments travel as files in the mini-tool's `outbox` folder. */
export const maxMessageBytes = 2 * 1024 * 1024;
/** Most calls of the process that wait for an answer at once; more are refused with `too_many_calls`. */
export const maxCallsInFlight = 256;

/**
 * `code`: an error of core's table, or `permission_denied`, `invalid_argument`, `caller_context_unavailable`, `too_many_calls`,
 * `activation_failed` (the entry could not be loaded, or its `activate` threw), `cancelled`.
 */
export type WireFailure = { readonly code: string; readonly message: string; readonly details?: JsonObject };

/** What a process is told when it begins. */
export type Beginning = {
  readonly protocolVersion: number;
  readonly minitool: {
    readonly id: string;
    readonly displayName: string;
    readonly version: string;
    readonly extensionPath: string;
    readonly scope: 'global' | 'space';
    readonly spaceId?: string;
  };
  /** The entry, an absolute path. */
  readonly main: string;
  readonly storagePath: string;
  /** Where what is too large for a message is put for the server: attachments (absolute path). */
  readonly outboxPath: string;
  readonly locale: 'zh-CN' | 'en-US';
  /** By locale, as `i18n/<locale>.json` says. */
  readonly messages: Readonly<Record<string, JsonObject>>;
  readonly settings: JsonObject;
  readonly workspace: { readonly spaceId?: string; readonly spaceName?: string; readonly directoryPath?: string; readonly projectPath?: string };
  readonly session: { readonly id: string; readonly title?: string; readonly spaceId?: string; readonly cwd?: string; readonly model: string };
  /** Of the mini-tools that are enabled, by extension point. */
  readonly contributions: Readonly<Record<string, readonly JsonObject[]>>;
  readonly declared: { readonly provides: readonly string[]; readonly requires: readonly string[] };
  /** Capabilities that somebody provides now. */
  readonly capabilities: readonly string[];
};

/** A tool as it is registered: its definition but for `execute`. */
export type RegisteredTool = {
  /** Of the registration, chosen by the process. */
  readonly handle: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly risk?: 'low' | 'medium' | 'high';
  readonly timeoutMs?: number;
  readonly defaultEnabled?: boolean;
  readonly exposure?: 'startup' | 'dynamic';
  readonly progressMode?: 'indeterminate';
  readonly owner?: { readonly extensionId: string; readonly extensionName?: string };
  readonly callDisplay?: JsonObject;
};

/** One run of a tool's `execute`. `callToken` proves that a message belongs to it; it ends with the answer. */
export type Execution = {
  readonly handle: number;
  readonly callToken: string;
  readonly input: JsonObject;
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly spaceId?: string;
  readonly cwd?: string;
};
export type ExecutionResult = {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  )[];
  readonly isError?: boolean;
};

export type FormValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;
export type FormResult = {
  readonly submitted: boolean;
  readonly values: FormValues;
  readonly reason?: 'cancelled' | 'timeout' | 'session-ended' | 'background';
};

/** The methods of `ctx.sessions` that go over the wire; `args` is what the caller gave, as it gave it. */
export const sessionMethods = [
  'create',
  'get',
  'list',
  'send',
  'waitForTurn',
  'listEvents',
  'listWaits',
  'waitForWait',
  'respondToWait',
  'cancelTurn',
  'setPermissionMode',
] as const;
export type SessionMethod = (typeof sessionMethods)[number];

/**
 * An attachment as it stands in the `args` of `create` and `send`: its bytes are in a file of the outbox, which the process deletes
 * when the call has been answered. The server takes the bytes before it answers, and looks at them itself: `size` is only said.
 */
export type SentAttachment = {
  /** The file's name in the outbox, no path. */
  readonly file: string;
  readonly name: string;
  readonly mimeType: string;
  readonly kind?: 'image' | 'pdf' | 'text' | 'file';
  readonly size: number;
};

/**
 * What came in over a webhook, as `webhooks.deliver` says it. `body` is base64, `receivedAt` ISO 8601, header names are lowercase. A large
 * body stands in `file` (an absolute path, there until the delivery is answered), and `body` is empty.
 */
export type SentDelivery = {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly orderKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly file?: string;
  readonly receivedAt: string;
  readonly attempt: number;
};

/** What a process asks of the server: name → [parameters, answer]. Long ones end early by `$/cancelRequest`. */
export type HostRequests = {
  'sessions.call': [{ readonly method: SessionMethod; readonly args: readonly unknown[]; readonly callToken?: string }, unknown];
  'storage.get': [{ readonly key: string }, { readonly value?: unknown }];
  'storage.set': [{ readonly key: string; readonly value: unknown }, null];
  'storage.delete': [{ readonly key: string }, null];
  'storage.clear': [Record<string, never>, null];
  'storage.keys': [Record<string, never>, readonly string[]];
  'secrets.get': [{ readonly key: string }, { readonly value?: string }];
  'secrets.set': [{ readonly key: string; readonly value: string }, null];
  'secrets.delete': [{ readonly key: string }, null];
  /** Answered when models can be told of it. */
  'tools.register': [RegisteredTool, null];
  'tools.unregister': [{ readonly handle: number }, null];
  'discovery.register': [{ readonly handle: number; readonly id: string; readonly description?: string }, null];
  'discovery.unregister': [{ readonly handle: number }, null];
  'form.request': [{ readonly callToken: string; readonly spec: unknown }, FormResult];
  'app.info': [Record<string, never>, JsonObject];
  'status.get': [Record<string, never>, JsonObject];
  /** What is said from now on comes as `event`, `agentEvent`, `status`, `notification`; once each. */
  subscribe: [{ readonly to: 'events' | 'agentEvents' | 'status' | 'notifications' }, null];
  'consume.begin': [{ readonly name: string }, null];
  'consume.end': [{ readonly name: string }, null];
  'webhooks.begin': [{ readonly id: string }, null];
  /** Slots of all schedules come from then on; `id` is one that is handled. */
  'schedules.begin': [{ readonly id: string }, null];
  'capabilities.provide': [{ readonly name: string; readonly methods: readonly string[]; readonly version?: string }, null];
  'capabilities.withdraw': [{ readonly name: string }, null];
  'capabilities.version': [{ readonly name: string }, { readonly version?: string }];
  'capabilities.invoke': [{ readonly name: string; readonly method: string; readonly args: readonly unknown[] }, unknown];
  'ui.show': [{ readonly kind: 'toast' | 'confirm' | 'modal'; readonly options: JsonObject }, JsonObject];
};

/** What a process tells the server without being answered. */
export type HostNotices = {
  log: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string };
  progress: { readonly callToken: string; readonly stage?: string; readonly message: string; readonly percent?: number };
};

/** What the server asks of a process. */
export type ToolRequests = {
  activate: [Beginning, null];
  deactivate: [Record<string, never>, null];
  ping: [Record<string, never>, null];
  /** Ended early by `$/cancelRequest`: then `exec.signal` is aborted. */
  execute: [Execution, ExecutionResult];
  'discovery.search': [{ readonly handle: number; readonly query: JsonObject; readonly context: JsonObject }, readonly JsonObject[]];
  'consume.deliver': [{ readonly name: string; readonly event: JsonObject }, null];
  'webhooks.deliver': [{ readonly id: string; readonly delivery: SentDelivery }, null];
  'schedules.fire': [{ readonly id: string; readonly fireId: string; readonly slot: string }, null];
  'capabilities.call': [{ readonly name: string; readonly method: string; readonly args: readonly unknown[] }, unknown];
};

/** What the server tells a process, best effort and in order. */
export type ToolNotices = {
  event: JsonObject;
  agentEvent: JsonObject;
  status: JsonObject;
  notification: JsonObject;
  locale: { readonly locale: 'zh-CN' | 'en-US' };
  /** What the enabled mini-tools contribute now, as the beginning says it. */
  contributions: { readonly contributions: Beginning['contributions'] };
  /** The capabilities that somebody provides now. */
  capabilities: { readonly names: readonly string[] };
};
