/**
 * The facts of a session's public log.
 *
 * Owns: every event type and the shape of its data, exactly as it goes over the wire (snake_case).
 * Private matter (prompts, reasoning, credentials, provider requests) has no place in any of these.
 *
 * E1 An event says all that the state and the public view need: both are folds of the log alone.
 * E2 A type once published keeps its meaning; new members may be added, none is removed or changed.
 */
import type { ItemBlock, OutputBlock } from '../protocol/content.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { TurnId } from './ids.ts';

/** How a turn ends for good. */
export const turnOutcomes = ['completed', 'partial_succeeded', 'failed', 'cancelled', 'timed_out'] as const;
export type TurnOutcome = (typeof turnOutcomes)[number];
/** The events that end a turn for good. */
export const outcomeEvents: ReadonlySet<string> = new Set(turnOutcomes.map((outcome) => `turn.${outcome}`));
export const turnStatuses = ['queued', 'running', 'requires_action', 'interrupted', ...turnOutcomes] as const;
export type TurnStatus = (typeof turnStatuses)[number];

export type ActionKind = 'confirmation' | 'external_execution' | 'question' | 'form' | 'approval' | 'signal' | 'reconciliation';

/**
 * How a run ended. `suspended`: the turn waits for people. `handed_over`: the server stopped in good order.
 * `lost`: its process died.
 */
export type RunEnd = 'completed' | 'suspended' | 'failed' | 'cancelled' | 'timed_out' | 'interrupted' | 'handed_over' | 'lost';

/** Why a turn is (again) in the queue. */
export type QueueReason = 'accepted' | 'answered' | 'resumed' | 'recovered' | 'handed_over';

/** Token counts as the provider reported them. */
export type TokenUsage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_input_tokens?: number;
  readonly reasoning_tokens?: number;
};

/** What a call cost by the price that was in force; absent where no price is known (never counted as zero). */
export type Cost = { readonly amount: number; readonly currency: string };

export type Item = {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'user' | 'assistant';
  readonly content: readonly ItemBlock[];
  readonly status: 'in_progress' | 'completed' | 'incomplete';
};

export type ToolResultBlock = {
  readonly type: 'tool_result';
  readonly id: string;
  readonly name: string;
  readonly output: readonly OutputBlock[];
  readonly state: ToolEnd;
};

/** `unknown`: whether it had its effect cannot be told (semantics, section 7). */
export type ToolEnd = 'success' | 'error' | 'denied' | 'cancelled' | 'unknown';

/** Who runs a tool: the server, or the application through an `external_execution` action. */
export type ToolExecutor = 'server' | 'application';

export type ToolCallRef = { readonly id: string; readonly name: string; readonly input: JsonObject };

/** One piece of an item as it streams: text to append, or argument text of the tool call named by `id`. */
export type DeltaBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name?: string; readonly content: string };

type Of<Type extends string, Data> = { readonly type: Type; readonly data: Data };
type InTurn = { readonly turn_id: TurnId };
type InRun = InTurn & { readonly run_id: string };
type InModelCall = InRun & { readonly item_id: string; readonly model_call_id: string };
type InTool = InTurn & { readonly execution_id: string; readonly tool_call_id: string };

export type SessionEvent =
  | Of<'session.status_created', JsonObject>
  | Of<'session.status_running', JsonObject>
  | Of<'session.status_requires_action', JsonObject>
  | Of<'session.status_idle', JsonObject>
  | Of<'session.status_archived', JsonObject>
  | Of<'session.status_terminated', JsonObject>
  | Of<'turn.accepted', InTurn & { readonly n: number; readonly preview: string; readonly metadata?: Json }>
  | Of<'turn.queued', InTurn & { readonly reason: QueueReason; readonly queue_position: number; readonly not_before?: number }>
  | Of<'turn.running', InRun>
  | Of<'turn.requires_action', InTurn & { readonly request_ids: readonly string[] }>
  | Of<'turn.interrupted', InTurn & { readonly reason: 'tool_result_unknown' | 'budget_exceeded' | 'paused'; readonly error_code: string }>
  | Of<'turn.cancel_requested', InTurn & { readonly command_id?: string }>
  | Of<'turn.completed', InTurn & { readonly output_text: string; readonly result?: Json }>
  | Of<'turn.partial_succeeded', InTurn & { readonly output_text: string; readonly result?: Json }>
  | Of<
      'turn.failed',
      InTurn & { readonly error_code: string; readonly error_message: string; readonly retryable: boolean; readonly unverified_calls?: readonly string[] }
    >
  | Of<'turn.cancelled', InTurn & { readonly unverified_calls: readonly string[] }>
  | Of<'turn.timed_out', InTurn & { readonly error_code: 'timed_out'; readonly unverified_calls: readonly string[] }>
  | Of<'run.started', InRun & { readonly n: number; readonly alone?: boolean }>
  | Of<
      'run.ended',
      InRun & {
        readonly status: RunEnd;
        readonly item_id?: string;
        readonly unknown_calls?: readonly string[];
        readonly error_code?: string;
        /** Of a lost run: until when (Unix ms) it is known to have run. */
        readonly ran_until?: number;
      }
    >
  | Of<'item.started', InModelCall & { readonly item: Item; readonly model?: string }>
  | Of<'item.delta', InModelCall & { readonly position: number; readonly content: readonly DeltaBlock[] }>
  | Of<'item.completed', InRun & { readonly item_id: string; readonly model_call_id?: string; readonly item: Item; readonly final_output?: boolean }>
  | Of<
      'model.completed',
      InModelCall & {
        readonly model: string;
        readonly status: 'completed' | 'failed' | 'cancelled';
        readonly error_code?: string;
        readonly error_message?: string;
        readonly retry_at?: number;
      }
    >
  | Of<'usage.recorded', InModelCall & { readonly model: string; readonly usage: TokenUsage; readonly cost?: Cost }>
  | Of<
      'tool.requested',
      InTool &
        InModelCall & {
          readonly name: string;
          readonly input: JsonObject;
          readonly executor: ToolExecutor;
          readonly replay_safe: boolean;
          readonly asks: boolean;
        }
    >
  | Of<'tool.dispatched', InTool & { readonly run_id: string; readonly name: string; readonly input: JsonObject }>
  | Of<'tool.delta', InTool & { readonly run_id: string; readonly output: readonly OutputBlock[] }>
  | Of<'tool.completed', InTool & { readonly name: string; readonly status: ToolEnd; readonly result: ToolResultBlock }>
  | Of<'required_action.created', InTurn & RequiredAction>
  | Of<'required_action.accepted', InTurn & { readonly request_id: string; readonly command_id: string; readonly answered_by: string }>
  | Of<
      'required_action.resolved',
      InTurn & {
        readonly request_id: string;
        readonly kind: ActionKind;
        readonly resolution: ActionResolution;
        readonly resolved_by?: string;
        /** The call that waited for it. */
        readonly tool_call_id?: string;
        /** The arguments as the person edited them while allowing the call. */
        readonly input?: JsonObject;
      }
    >
  | Of<'required_action.rejected', InTurn & { readonly request_id: string; readonly command_id: string; readonly reason: string; readonly pending: boolean }>
  | Of<'command.accepted', InTurn & CommandRef>
  | Of<'command.completed', InTurn & CommandRef>
  | Of<'command.failed', InTurn & CommandRef & { readonly error_code: string }>
  | Of<'budget.exceeded', InTurn & { readonly limit: string }>
  | Of<'session.error', { readonly error_code: string; readonly error_message: string }>;

/** What a receipt is about. `kind` is the operation that the caller asked for. */
export type CommandRef = { readonly command_id: string; readonly kind: CommandKind };
export type CommandKind = 'actions' | 'cancel' | 'resume' | 'steer';

export type ActionResolution = 'answered' | 'denied' | 'expired' | 'cancelled';

export type RequiredAction = {
  readonly request_id: string;
  readonly kind: ActionKind;
  readonly version: number;
  readonly tool_call?: ToolCallRef;
  readonly prompt?: string;
  readonly answer_schema: JsonObject;
  readonly approver: string | readonly string[];
  readonly expires_at?: number;
};

export type EventType = SessionEvent['type'];
export type EventOf<Type extends EventType> = Extract<SessionEvent, { type: Type }>;
export type EventData<Type extends EventType> = EventOf<Type>['data'];

/** A committed event: a fact with its place in the log. `at` is Unix milliseconds. */
export type LoggedEvent = SessionEvent & { readonly at: number };

/** Deltas grow an open item or tool; they never move the state (architecture, "two kinds of write"). */
export const isDelta = (type: string): boolean => type === 'item.delta' || type === 'tool.delta';

/** The turn that an event belongs to, if any. */
export const turnOf = (event: SessionEvent): TurnId | undefined => ('turn_id' in event.data ? (event.data.turn_id as TurnId) : undefined);
