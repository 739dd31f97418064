/** Of the facts of the public log (events.ts) those about child sessions, steps of teams and workflows, and how an outcome was judged. */
import type { Json } from '../protocol/json.ts';
import type { InTurn, Of } from './event-shapes.ts';
import type { TurnOutcome } from './events.ts';
import type { MapProgress, StepStatus } from './flow.ts';
import type { SessionId, TurnId } from './ids.ts';
import type { VerdictStatus } from './outcome.ts';

export type FamilyEvent =
  | Of<
      'subagent.started',
      Partial<InTurn> &
        ChildRef & {
          readonly name: string;
          readonly agent_id: string;
          /** The names on the way down from the root. */
          readonly path: string;
          readonly background?: true;
        }
    >
  /**
   * `until`: of one that sleeps (Unix ms). `resumed`: its parent's turn was resumed, and it with that; `paused`: it was paused.
   * `child_as_of`: the event of the child that this was read at (CH10).
   */
  | Of<
      'subagent.updated',
      Partial<InTurn> &
        ChildRef & {
          readonly status: ChildStatus;
          readonly until?: number;
          readonly resumed?: true;
          readonly paused?: true;
          readonly child_as_of?: number;
        }
    >
  | Of<'subagent.completed', Partial<InTurn> & ChildRef & { readonly status: ChildOutcome; readonly error_code?: string }>
  /** What the turn came to is judged, by a child session. */
  | Of<'outcome.judging', InTurn & { readonly child_session_id: SessionId; readonly output_text: string; readonly result?: Json }>
  /** Whether it is what was asked for; `again`: it is tried once more. */
  | Of<'outcome.checked', InTurn & { readonly try: number; readonly status: VerdictStatus; readonly reasons: readonly string[]; readonly again?: true }>
  /** How a piece of a team's or a workflow's turn stands. What is not said stays as it was. */
  | Of<'step.updated', InTurn & StepFacts & { readonly status: StepStatus }>
  /** It ended without success. It may still be tried again. */
  | Of<'step.failed', InTurn & StepFacts & { readonly status: FailedStep; readonly error_code?: string; readonly error_message?: string }>
  /** Of a child: its parent knows all that there was to tell up to `news`. */
  | Of<'session.parent_told', { readonly news: number }>;

export type FailedStep = 'failed' | 'timed_out' | 'rejected';
/** `key`: of a workflow's node, `<key>.<index>` of an element of a map; of a team the number of the piece. */
export type StepFacts = {
  readonly step_id: string;
  readonly key: string;
  /** The node's type; `delegation` of a team's piece. Said when it begins. */
  readonly type?: string;
  /** The node's name, or the member's. */
  readonly name?: string;
  readonly attempt: number;
  readonly input?: Json;
  readonly output?: Json;
  readonly child_session_id?: SessionId;
  readonly request_id?: string;
  /** Until when it sleeps, or its next attempt waits (Unix ms). */
  readonly until?: number;
  /** Of a map. */
  readonly map?: MapProgress;
  /** It is routed: which of its outgoing edges it took. */
  readonly taken?: readonly number[];
  /** Of a team's piece: how often it is tried again, at most, and how long after a failure. */
  readonly retry?: { readonly left: number; readonly backoff_ms: number };
  /** Of a team's piece: the key of the step that it does again. */
  readonly of?: string;
};

/** A child session, by itself and by its one turn. */
export type ChildRef = { readonly child_session_id: SessionId; readonly child_turn_id: TurnId };
/** `sleeping`: a workflow that waits for nothing but a time. */
export type ChildStatus = 'running' | 'requires_action' | 'interrupted' | 'sleeping';
/** `gone`: it is not there any more. */
export type ChildOutcome = TurnOutcome | 'gone';
