/**
 * The facts of a session's public log.
 *
 * Owns: every event type and the shape of its data, exactly as it goes over the wire (snake_case).
 * Private matter (prompts, reasoning, credentials, provider requests) has no place in any of these.
 *
 * E1 An event says all that the state and the public view need: both are folds of the log alone.
 * E2 A type once published keeps its meaning; new members may be added, none is removed or changed.
 */

import type { ItemBlock, OutputBlock, UserMessage } from '../protocol/content.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { Budget, BudgetLimit, BudgetReason, WarningLevels, WarningPercent } from './budget.ts';
import type { InModelCall, InRun, InTool, InTurn, Of } from './event-shapes.ts';
import type { FamilyEvent } from './family-events.ts';
import type { SessionId, TurnId } from './ids.ts';
import type { Criteria } from './outcome.ts';

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

/** Why a turn is (again) in the queue. `reordered`: a person moved it; it now stands behind all that are queued. */
export type QueueReason = 'accepted' | 'answered' | 'resumed' | 'recovered' | 'handed_over' | 'reordered' | 'timer';

/**
 * A steer changes the turn that it names; an inject waits for the next step of whichever turn comes. `subagent`: the result
 * of a child that worked in the background, which also waits for whichever turn comes, and makes one that would end go on.
 */
export type InputKind = 'steer' | 'inject' | 'subagent';
/** Why an input was never used: how its turn ended, `max_steps` (it had no step left), or the session was `deleted`. */
export type InputRejection = 'cancelled' | 'failed' | 'timed_out' | 'max_steps' | 'deleted';

/** Token counts as the provider reported them. Of `input_tokens`, some were read from the provider's cache, and others written into it. */
export type TokenUsage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
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

/**
 * Who runs a tool: the server, the application through an `external_execution` action, a person whose answer to a
 * `question` is its result, or a child session whose outcome is.
 */
export type ToolExecutor = 'server' | 'application' | 'person' | 'session';

/** One question to people. `header` names it among those of one action; without options the answer is free text. */
export type Question = {
  readonly question: string;
  readonly header: string;
  readonly multi_select: boolean;
  readonly options: readonly { readonly label: string; readonly description: string }[];
};

/**
 * A form that people fill in: `schema` is a flat JSON Schema, an object of plain fields. `fields`: of a mini-tool's form, the fields as
 * it described them, for whoever shows more of them than a schema says.
 */
export type Form = {
  readonly title: string;
  readonly description?: string;
  readonly schema: JsonObject;
  readonly submit_label?: string;
  readonly cancel_label?: string;
  readonly fields?: readonly JsonObject[];
};

/** What people should know of a tool before they allow its call. */
export type ToolNote = {
  readonly title?: string;
  /** The id of the mini-tool that it is of, and what that was called when it was asked. */
  readonly minitool?: string;
  readonly minitool_name?: string;
  /** It is asked for each time. */
  readonly dangerous?: true;
  /** What it does cannot be undone: a mini-tool may deny it and never allow it. */
  readonly destructive?: true;
};

export type ToolCallRef = { readonly id: string; readonly name: string; readonly input: JsonObject };

/** One piece of an item as it streams: text to append, or argument text of the tool call named by `id`. */
export type DeltaBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name?: string; readonly content: string };

/**
 * Who submitted a turn: `user:<id>`, `app:<id>`, `minitool:<id>`, or `client:` before one of these. `credential_id`: the id of the token
 * or key that it was done with, which opens nothing; of a browser that of the key which made its token. Both absent on what is older.
 */
export type Submitter = { readonly submitted_by?: string; readonly credential_id?: string };

export type SessionEvent =
  | Of<'session.status_created', JsonObject>
  | Of<'session.status_running', JsonObject>
  | Of<'session.status_requires_action', JsonObject>
  | Of<'session.status_idle', JsonObject>
  | Of<'session.status_archived', JsonObject>
  | Of<'session.status_terminated', JsonObject>
  | Of<'turn.accepted', InTurn & Submitter & { readonly n: number; readonly preview: string; readonly metadata?: Json; readonly outcome?: Criteria }>
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
  /** `cost`: known beforehand, of a model that costs nothing. */
  | Of<'item.started', InModelCall & { readonly item: Item; readonly model?: string; readonly cost?: Cost }>
  | Of<'item.delta', InModelCall & { readonly position: number; readonly content: readonly DeltaBlock[] }>
  | Of<
      'item.completed',
      InRun & {
        readonly item_id: string;
        readonly model_call_id?: string;
        readonly item: Item;
        readonly final_output?: boolean;
        readonly output_faults?: readonly string[];
      }
    >
  | Of<
      'model.completed',
      InModelCall & {
        readonly model: string;
        readonly status: 'completed' | 'failed' | 'cancelled';
        readonly error_code?: string;
        readonly error_message?: string;
        readonly retry_at?: number;
        /** The provider refused it before it began to answer: it used nothing. */
        readonly unused?: true;
        /** Of one that failed or was stopped, where its model costs nothing, whatever the call used. */
        readonly cost?: Cost;
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
  | Of<
      'tool.dispatched',
      InTool & {
        readonly run_id: string;
        readonly name: string;
        readonly input: JsonObject;
        /** The child that is to answer it. */
        readonly child_session_id?: SessionId;
        readonly background?: true;
      }
    >
  | Of<'tool.delta', InTool & { readonly run_id: string; readonly output: readonly OutputBlock[] }>
  | Of<
      'tool.completed',
      InTool & {
        readonly name: string;
        readonly status: ToolEnd;
        readonly result: ToolResultBlock;
        /** Tools that the model is offered from now on. */
        readonly found_tools?: readonly string[];
      }
    >
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
        /** The tool that is allowed for the rest of the session from now on. */
        readonly remembered_tool?: string;
        /** Its call went on while it was open, and goes on. */
        readonly while_running?: true;
        /** What was filled in, for the run that asked and for nobody else (RN3). */
        readonly sealed?: string;
      }
    >
  | Of<'required_action.rejected', InTurn & { readonly request_id: string; readonly command_id: string; readonly reason: string; readonly pending: boolean }>
  | Of<
      'input.accepted',
      Partial<InTurn> & { readonly input_id: string; readonly kind: InputKind; readonly command_id?: string; readonly input: readonly UserMessage[] }
    >
  | Of<'input.applied', InRun & { readonly input_id: string; readonly kind: InputKind; readonly item_ids: readonly string[] }>
  | Of<'input.rejected', Partial<InTurn> & { readonly input_id: string; readonly kind: InputKind; readonly reason: InputRejection }>
  | Of<'command.accepted', InTurn & CommandRef>
  | Of<'command.completed', InTurn & CommandRef>
  | Of<'command.failed', InTurn & CommandRef & { readonly error_code: string }>
  /** Without a turn: people and applications published it, or its turn has ended. */
  | Of<'artifact.published', Partial<InTurn> & Artifact>
  | Of<'artifact.deleted', Partial<InTurn> & { readonly artifact_id: string }>
  | Of<'context.compacted', InModelCall & { readonly replaced_items: number }>
  | Of<'session.context_initialized', { readonly reason: string; readonly messages: number }>
  | Of<'session.restored', { readonly checkpoint_id: string; readonly from_turn_id?: TurnId; readonly reason: string }>
  /** `session_id`: whose limit it is, where it is not this session's own. */
  | Of<
      'budget.exceeded',
      InTurn & {
        readonly limit: string;
        readonly reason?: BudgetReason;
        readonly used?: number;
        readonly max?: number;
        readonly currency?: string;
        readonly session_id?: SessionId;
      }
    >
  | Of<
      'budget.warning',
      Partial<InTurn> & {
        readonly limit: BudgetLimit;
        readonly percent: WarningPercent;
        readonly used: number;
        readonly max: number;
        readonly currency?: string;
      }
    >
  /** `passed`: how much of the new limits is used already. */
  | Of<'budget.changed', Budget & { readonly passed: WarningLevels }>
  /** From now on tools are asked for in this mode, whatever the agent's definition says. */
  | Of<'session.mode_changed', { readonly permission_mode: PermissionMode }>
  | FamilyEvent
  | Of<'session.error', { readonly error_code: string; readonly error_message: string }>;

export type PermissionMode = 'ask' | 'acceptCalls';

/** A result to be shown: bytes that are kept here (`file_id`), or something elsewhere (`uri`). */
export type Artifact = {
  readonly artifact_id: string;
  readonly name: string;
  readonly media_type?: string;
  readonly size?: number;
  readonly sha256?: string;
  readonly file_id?: string;
  readonly uri?: string;
};

/** What a receipt is about. `kind` is the operation that the caller asked for. */
export type CommandRef = { readonly command_id: string; readonly kind: CommandKind };
export type CommandKind = 'actions' | 'cancel' | 'resume' | 'steer' | 'pause';

export type ActionResolution = 'answered' | 'denied' | 'expired' | 'cancelled';

export type RequiredAction = {
  readonly request_id: string;
  /** Where it is really open: in a session below this one. It is answered there or here, once. */
  readonly child_session_id?: SessionId;
  /** The step of a workflow that waits for it. */
  readonly step_id?: string;
  readonly kind: ActionKind;
  readonly version: number;
  readonly tool_call?: ToolCallRef;
  /** Its call runs and asks this meanwhile: the answer is the call's to use, not its result. */
  readonly while_running?: true;
  /** Of such a form: what is filled in is sealed with it. */
  readonly answer_key?: string;
  readonly tool_note?: ToolNote;
  readonly prompt?: string;
  /** Of a `question`: all that is asked; `prompt` and `options` repeat the first one. */
  readonly questions?: readonly Question[];
  readonly options?: Question['options'];
  /** Of a `form`: `prompt` repeats its title. */
  readonly form?: Form;
  /** Of a `signal`. */
  readonly signal_name?: string;
  /** Of a `confirmation`: whether `remember: "session"` is taken. */
  readonly can_remember?: boolean;
  readonly answer_schema: JsonObject;
  /** `owner`, `application`, `role:<name>`, or users. */
  readonly approver: string | readonly string[];
  /** Whose role an approver `role:<name>` has: `app:<id>`, `space:<id>`, or the `installation`. */
  readonly role_of?: string;
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
