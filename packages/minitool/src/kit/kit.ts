/** What a test holds of a mini-tool that runs in the kit. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionDurableEvent } from '../context/session-events.ts';
import type { SessionWait, SessionWaitResponse } from '../context/session-waits.ts';
import type { ToolResult } from '../context/tools.ts';
import type { MiniToolContext } from '../context.ts';
import type { Manifest, ManifestInput } from '../manifest/schema.ts';
import type { RegisteredTool } from '../protocol.ts';
import type { KitAgent } from './agent.ts';
import type { KitClock } from './clock.ts';
import type { KitCapabilities, KitUi } from './host.ts';
import type { ExecuteOptions } from './tools.ts';

export type KitOptions = {
  /** The mini-tool's folder, built. Give this, or `module` with `manifest`. */
  readonly folder?: string;
  /** What the entry exports. */
  readonly module?: { readonly activate?: unknown; readonly deactivate?: unknown; readonly default?: unknown };
  readonly manifest?: ManifestInput;
  /** Repeats what it is told unless given. */
  readonly agent?: KitAgent;
  readonly settings?: JsonObject;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly storage?: Readonly<Record<string, unknown>>;
  /** Spaces that there are. */
  readonly spaces?: readonly string[];
  /** What other mini-tools provide. */
  readonly capabilities?: KitCapabilities;
  /** What people do with toasts and dialogs; nobody is there unless given. */
  readonly ui?: KitUi;
  /** When the clock begins, Unix ms. */
  readonly now?: number;
};

export type KitWebhook = {
  readonly body: string | Uint8Array;
  readonly idempotencyKey: string;
  readonly orderKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export interface Kit {
  readonly clock: KitClock;
  /** Of the activation that runs. */
  readonly ctx: MiniToolContext;
  readonly manifest: Manifest;
  /** `<level> <message>` each. */
  readonly logs: readonly string[];
  readonly tools: readonly RegisteredTool[];
  /** Durable events, the oldest first. */
  readonly events: readonly SessionDurableEvent[];
  /** Calls a tool as an agent would. An input that does not fit its schema, and a time that is over, are results with `isError`. */
  execute(name: string, input?: Readonly<Record<string, unknown>>, options?: ExecuteOptions): Promise<ToolResult>;
  /** Another script for the turns that begin from now on. */
  setAgent(agent: KitAgent): void;
  /** What sessions wait for; of one session or of all. */
  waits(sessionId?: string): readonly SessionWait[];
  /** A person answers. False where nothing waits for it any more. */
  answer(requestId: string, response: SessionWaitResponse): Promise<boolean>;
  archive(sessionId: string): void;
  deleteSession(sessionId: string): Promise<void>;
  /** Events up to this sequence are kept no longer. */
  forgetEvents(upTo: number): void;
  /** Hands in what came over a webhook; rejects where the handler does. */
  deliverWebhook(id: string, delivery: KitWebhook): Promise<void>;
  /** A slot of a schedule, the clock's time unless given; rejects where the handler does. */
  fire(scheduleId: string, slot?: string): Promise<void>;
  callCapability(name: string, method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Until what was begun has gone as far as it goes without the clock. */
  settle(): Promise<void>;
  /** As after a restart: what the service keeps stays, everything in the mini-tool begins again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
