/**
 * Wishes: what may be asked of a session. Ids, time and content arrive here, so that deciding is pure.
 */

import type { ItemBlock, OutputBlock, UserMessage } from '../protocol/content.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { Budget, Exceeded, LimitUse, WarningLevels } from './budget.ts';
import type { ChildName, ChildReport } from './child-report.ts';
import type { AssistantPart, PromptMessage } from './context.ts';
import type { Artifact, Cost, DeltaBlock, Form, PermissionMode, Submitter, TokenUsage, ToolEnd, ToolExecutor, ToolNote } from './events.ts';
import type { FlowMove } from './flow.ts';
import type { SessionId, TurnId } from './ids.ts';
import type { Inquiry } from './inquiry.ts';
import type { Concluded, Criteria, Verdict } from './outcome.ts';

/** What decisions take from the frozen target and the installation. */
export type SessionRules = {
  /** Most unfinished turns of the session (20 by default). */
  readonly maxQueued: number;
  /** Most model calls of one turn. */
  readonly maxSteps: number;
  /** Most failed attempts at one model call before the turn fails. */
  readonly maxModelFailures: number;
};

export const defaultRules: SessionRules = { maxQueued: 20, maxSteps: 20, maxModelFailures: 4 };

/** Why an answer to a form of a running call was lost: the call had ended, had given the form up, or could not open it. */
export type AnswerLoss = 'call_ended' | 'withdrawn' | 'unreadable';

/** A tool request as the model made it, with what the definition says of that tool. */
export type RequestedCall = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly executor: ToolExecutor;
  readonly replaySafe: boolean;
  /** A person must allow it first (`confirmation`). */
  readonly asks: boolean;
  /** Asked for in every mode: no answer allows it for the rest of the session. */
  readonly alwaysAsks?: boolean;
  /** Of a call that only asks (executor `person`): what is asked. */
  readonly inquiry?: Inquiry;
  readonly approver: string | readonly string[];
  /** Of an approver `role:<name>`: whose role it is. */
  readonly roleOf?: string;
  readonly expiresAt?: number;
  /** What people are told of the tool while they are asked. */
  readonly note?: ToolNote;
  /** The request cannot be carried out (unknown tool, unreadable arguments): this is its result. */
  readonly refusal?: string;
};

/** `found`: tools that the model is offered from its next step on. */
export type ToolOutcome = { readonly status: ToolEnd; readonly output: readonly OutputBlock[]; readonly found?: readonly string[] };

/** A person's or an application's answer to a required action. */
export type Answer = { readonly requestId: string; readonly expectedVersion?: number; readonly payload: AnswerPayload };
export type AnswerPayload =
  | { readonly kind: 'external_execution'; readonly output: readonly OutputBlock[]; readonly isError: boolean }
  | {
      readonly kind: 'confirmation';
      readonly allow: boolean;
      readonly reason?: string;
      /** The arguments as the person edited them. */
      readonly input?: JsonObject;
      /** `session`: this tool is not asked for again in this session. */
      readonly remember?: 'session';
    }
  /** `values` fit the form's schema; the server looked. `sealed`: the same, where a running call asked (RN3). */
  | { readonly kind: 'form'; readonly submitted: boolean; readonly values?: JsonObject; readonly sealed?: string }
  | { readonly kind: 'approval'; readonly approved: boolean; readonly reason?: string }
  | { readonly kind: 'signal'; readonly payload: Json }
  /** By the questions' headers. */
  | { readonly kind: 'question'; readonly answers: { readonly [header: string]: Json } }
  | { readonly kind: 'reconciliation'; readonly outcome: 'succeeded' | 'failed'; readonly output: readonly OutputBlock[]; readonly reason: string };

/** Asked by people and applications; `child_report` by a child. */
export type ClientCommand =
  | {
      readonly type: 'submit';
      readonly turnId: TurnId;
      readonly preview: string;
      readonly metadata?: Json;
      readonly outcome?: Criteria;
      readonly submitter?: Submitter;
    }
  | { readonly type: 'cancel'; readonly turnId: TurnId; readonly commandId: string }
  /** `ofParent`: of a child, with the session that it belongs to. */
  | { readonly type: 'resume'; readonly turnId: TurnId; readonly commandId: string; readonly ofParent?: true }
  /** Changes an unfinished turn from its next step on. */
  | { readonly type: 'steer'; readonly turnId: TurnId; readonly inputId: string; readonly commandId: string; readonly input: readonly UserMessage[] }
  /** Background for the next step of whichever turn comes. */
  | { readonly type: 'inject'; readonly inputId: string; readonly input: readonly UserMessage[] }
  /** `order` names every queued turn. */
  | { readonly type: 'reorder'; readonly order: readonly TurnId[] }
  | { readonly type: 'answer'; readonly turnId: TurnId; readonly commandId: string; readonly answeredBy: string; readonly answers: readonly Answer[] }
  /** `turnId`: its agent publishes it. */
  | { readonly type: 'publish_artifact'; readonly artifact: Artifact; readonly turnId?: TurnId }
  /** `turnId`: of the turn that published it. */
  | { readonly type: 'delete_artifact'; readonly artifactId: string; readonly turnId?: TurnId }
  /** The context goes on from what it was at row `upto`; `fromTurn`: the turn after which that was. */
  | { readonly type: 'restore_context'; readonly checkpointId: string; readonly fromTurn: TurnId | null; readonly upto: number; readonly reason: string }
  /** An empty session begins with a context of elsewhere. */
  | { readonly type: 'initialize_context'; readonly messages: readonly PromptMessage[]; readonly tokens?: number; readonly reason: string }
  /** The first command of every session. */
  | {
      readonly type: 'create';
      readonly parent?: { readonly sessionId: SessionId; readonly path: string };
      readonly target?: 'team' | 'workflow';
      readonly maxParallel?: number;
    }
  /** Nothing new of a workflow's turn begins until it is resumed. */
  | { readonly type: 'pause'; readonly turnId: TurnId; readonly commandId: string; readonly ofParent?: true }
  /** What a child has to tell its parent. */
  | { readonly type: 'child_report'; readonly childId: SessionId; readonly report: ChildReport }
  /** Somebody who used of this session's budget saw how much of it is used. */
  | { readonly type: 'warn_budget'; readonly uses: readonly LimitUse[] }
  /** The limits were set anew; `passed`: how much of them is used already. */
  | { readonly type: 'note_budget'; readonly budget: Budget; readonly passed: WarningLevels }
  | { readonly type: 'set_mode'; readonly mode: PermissionMode }
  | { readonly type: 'archive' }
  | { readonly type: 'unarchive' }
  | { readonly type: 'delete' };

/** A model call that was stopped before anything of its answer was committed: it counts all the same. */
export type ModelAttempt = { readonly model: string; readonly cost?: Cost };

/** How a piece is worked on. `left`: further attempts that it may have; `of`: the key of the step that it does again. */
export type PieceTerms = { readonly retry?: { readonly left: number; readonly backoffMs: number }; readonly of?: string };

export type AppliedInput = { readonly id: string; readonly input: readonly UserMessage[] };

/**
 * What an answer is worth as the turn's output: its value, or why it is none. `repair`: what the model is told, so that it
 * tries once more; without it nothing could help.
 */
export type JudgedOutput =
  | { readonly ok: true; readonly result: Json }
  | {
      readonly ok: false;
      readonly errorCode: 'output_schema_violation' | 'output_mapping_failed';
      readonly faults: readonly string[];
      readonly repair?: string;
    };

/** Reported by the runner that holds the session, about the live turn. */
export type RunnerCommand =
  | { readonly type: 'start'; readonly message: readonly UserMessage[]; readonly alone?: boolean }
  | { readonly type: 'restart'; readonly alone?: boolean }
  /** At a step boundary, before the model is called: inputs that wait become messages of the turn. */
  | { readonly type: 'apply_inputs'; readonly inputs: readonly AppliedInput[] }
  /** `cost`: known beforehand, of a model that costs nothing. */
  | { readonly type: 'open_item'; readonly model?: string; readonly cost?: Cost }
  | { readonly type: 'item_delta'; readonly position: number; readonly content: readonly DeltaBlock[] }
  | {
      readonly type: 'model_done';
      readonly model: string;
      readonly content: readonly ItemBlock[];
      readonly parts: readonly AssistantPart[];
      readonly calls: readonly RequestedCall[];
      /** Of an answer without calls, where the session says what its output is. */
      readonly output?: JudgedOutput;
      /** Of the same, where the turn has success criteria. */
      readonly verdict?: Verdict;
      readonly usage?: TokenUsage;
      readonly cost?: Cost;
    }
  | {
      readonly type: 'model_failed';
      readonly model: string;
      readonly errorCode: string;
      readonly errorMessage: string;
      readonly retryable: boolean;
      readonly retryAt: number;
      /** The prompt was too long, and there is something to replace: the next attempt may be made after a compaction. */
      readonly compacts?: boolean;
      /** It was refused before an answer began: it used nothing. */
      readonly unused?: boolean;
      readonly cost?: Cost;
    }
  /** In place of an answer, a summary was asked for: it stands for all of the context before row `keepFrom`. */
  | {
      readonly type: 'compact';
      readonly model: string;
      readonly summary: string;
      readonly keepFrom: number;
      /** How many messages of the history it stands for. */
      readonly replaced: number;
      readonly usage?: TokenUsage;
      readonly cost?: Cost;
    }
  /** A tool of the server is about to run. One of the application, allowed by a person, is handed to it by an action. */
  | {
      readonly type: 'dispatch';
      readonly callId: string;
      readonly input: JsonObject;
      /** Of the action that hands the call to the application. */
      readonly approver?: string | readonly string[];
      readonly expiresAt?: number;
      /** Of a call that delegates a piece of a team's turn. */
      readonly piece?: PieceTerms;
      /** It cannot be carried out: this is its result. */
      readonly refusal?: string;
    }
  | { readonly type: 'tool_delta'; readonly callId: string; readonly output: readonly OutputBlock[] }
  | { readonly type: 'tool_done'; readonly callId: string; readonly outcome: ToolOutcome }
  /** A call that runs puts a form to people. `key`: what is filled in is sealed with it. */
  | {
      readonly type: 'ask_form';
      readonly callId: string;
      readonly input: JsonObject;
      readonly form: Form;
      readonly key: string;
      readonly approver: string | readonly string[];
      readonly roleOf?: string;
      readonly expiresAt?: number;
      readonly note?: ToolNote;
    }
  /** The run is done with a form that is still open: its call waits for it no more. */
  | { readonly type: 'take_back_form'; readonly callId: string }
  /** What was answered to a form of a running call can reach it no more (RN7). */
  | { readonly type: 'reject_answer'; readonly turnId: TurnId; readonly requestId: string; readonly commandId: string; readonly reason: AnswerLoss }
  /** What ran these calls is gone with their results, and nothing else of the step runs. `inputs`: their arguments by id. */
  | { readonly type: 'tools_lost'; readonly callIds: readonly string[]; readonly inputs: { readonly [callId: string]: JsonObject } }
  /** All work of a turn that was asked to stop, or ran out of time, has stopped. */
  | { readonly type: 'stopped'; readonly outcome: 'cancelled' | 'timed_out'; readonly partialText: string; readonly attempt?: ModelAttempt }
  | { readonly type: 'fail'; readonly errorCode: string; readonly errorMessage: string; readonly retryable: boolean; readonly partialText: string }
  /**
   * The run ended without an end of its own: its process died, or the server stops in good order. `inputs`: the
   * arguments of running calls by id, to be shown to whoever must say what became of them.
   */
  | {
      readonly type: 'end_run';
      readonly cause: 'lost' | 'handed_over';
      readonly inputs?: { readonly [callId: string]: JsonObject };
      readonly attempt?: ModelAttempt;
      /** Until when (Unix ms) a lost run is known to have run: when its last fact was committed. */
      readonly ranUntil?: number;
    }
  /** `otherwise`: what the model is told in place of the answer that did not come, where the tool's definition says so. */
  | { readonly type: 'expire'; readonly requestId: string; readonly otherwise?: Json }
  /** Ends the turn with the answer that was judged. */
  | ({ readonly type: 'conclude' } & Concluded)
  /** What the graph of a workflow asks for next, in order. */
  | { readonly type: 'advance_flow'; readonly moves: readonly FlowMove[] }
  /** A parked workflow has a timer that is due. */
  | { readonly type: 'wake_flow' }
  /** A limit lets the next model call not through; `sessionId`: whose, where it is not the session's own. */
  | { readonly type: 'exceed_budget'; readonly exceeded: Exceeded; readonly sessionId?: SessionId }
  /** A child that was owed exists. */
  | ({ readonly type: 'child_made'; readonly childId: SessionId } & ChildName)
  /** A child that was interrupted was asked to go on. */
  | { readonly type: 'child_resumed'; readonly childId: SessionId }
  /** Of a child: its parent knows all up to `news`. */
  | { readonly type: 'parent_told'; readonly news: number };

export type Command = (ClientCommand | RunnerCommand) & { readonly at: number };
