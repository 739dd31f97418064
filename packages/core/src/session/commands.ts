/**
 * Wishes: what may be asked of a session. Ids, time and content arrive here, so that deciding is pure.
 */

import type { ItemBlock, OutputBlock, UserMessage } from '../protocol/content.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { AssistantPart } from './context.ts';
import type { Cost, DeltaBlock, TokenUsage, ToolEnd, ToolExecutor } from './events.ts';
import type { TurnId } from './ids.ts';

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

/** A tool request as the model made it, with what the definition says of that tool. */
export type RequestedCall = {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly executor: ToolExecutor;
  readonly replaySafe: boolean;
  /** A person must allow it first (`confirmation`). */
  readonly asks: boolean;
  readonly approver: string | readonly string[];
  readonly expiresAt?: number;
  /** The request cannot be carried out (unknown tool, unreadable arguments): this is its result. */
  readonly refusal?: string;
};

export type ToolOutcome = { readonly status: ToolEnd; readonly output: readonly OutputBlock[] };

/** A person's or an application's answer to a required action. */
export type Answer = { readonly requestId: string; readonly expectedVersion?: number; readonly payload: AnswerPayload };
export type AnswerPayload =
  | { readonly kind: 'external_execution'; readonly output: readonly OutputBlock[]; readonly isError: boolean }
  | { readonly kind: 'confirmation'; readonly allow: boolean; readonly reason?: string; readonly input?: JsonObject }
  | { readonly kind: 'reconciliation'; readonly outcome: 'succeeded' | 'failed'; readonly output: readonly OutputBlock[]; readonly reason: string };

/** Asked by people and applications. */
export type ClientCommand =
  | { readonly type: 'submit'; readonly turnId: TurnId; readonly preview: string; readonly metadata?: Json }
  | { readonly type: 'cancel'; readonly turnId: TurnId; readonly commandId: string }
  | { readonly type: 'resume'; readonly turnId: TurnId; readonly commandId: string }
  | { readonly type: 'answer'; readonly turnId: TurnId; readonly commandId: string; readonly answeredBy: string; readonly answers: readonly Answer[] }
  /** The first command of every session. */
  | { readonly type: 'create' }
  | { readonly type: 'archive' }
  | { readonly type: 'unarchive' }
  | { readonly type: 'delete' };

/** A model call that was stopped before anything of its answer was committed: it counts all the same. */
export type ModelAttempt = { readonly model: string };

/** Reported by the runner that holds the session, about the live turn. */
export type RunnerCommand =
  | { readonly type: 'start'; readonly message: readonly UserMessage[]; readonly alone?: boolean }
  | { readonly type: 'restart'; readonly alone?: boolean }
  | { readonly type: 'open_item'; readonly model?: string }
  | { readonly type: 'item_delta'; readonly position: number; readonly content: readonly DeltaBlock[] }
  | {
      readonly type: 'model_done';
      readonly model: string;
      readonly content: readonly ItemBlock[];
      readonly parts: readonly AssistantPart[];
      readonly calls: readonly RequestedCall[];
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
    }
  /** A tool of the server is about to run. One of the application, allowed by a person, is handed to it by an action. */
  | {
      readonly type: 'dispatch';
      readonly callId: string;
      readonly input: JsonObject;
      /** Of the action that hands the call to the application. */
      readonly approver?: string | readonly string[];
      readonly expiresAt?: number;
    }
  | { readonly type: 'tool_delta'; readonly callId: string; readonly output: readonly OutputBlock[] }
  | { readonly type: 'tool_done'; readonly callId: string; readonly outcome: ToolOutcome }
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
  | { readonly type: 'expire'; readonly requestId: string };

export type Command = (ClientCommand | RunnerCommand) & { readonly at: number };
export type CommandType = Command['type'];
