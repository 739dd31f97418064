/**
 * The steps that are under way here: one model call, with what is tried again of it, and the tools that it asked for.
 *
 * No event says where a step begins or ends: its parts do, as they begin and end in this process. So a step that dies with
 * its process leaves no span, as its parts leave none; in the next run it has a span of its own.
 *
 * TT4 Each step has at most one span a run, which holds all its parts. Of a run that ended elsewhere nothing is kept for long:
 *     the oldest goes when there are too many.
 */
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { InRun } from '../ports/telemetry.ts';

export type EndedStep = InRun & { readonly from: number; readonly to: number };

type Step = InRun & { readonly from: number; to: number };

const isSame = (one: InRun, other: InRun): boolean => one.run === other.run && one.step === other.step && one.tries === other.tries;

const most = 5_000;

export class OpenSteps {
  readonly #written: (step: EndedStep) => void;
  readonly #most: number;
  /** By turn: its run and step of now. */
  readonly #steps = new Map<TurnId, Step>();

  constructor(written: (step: EndedStep) => void, mostSteps = most) {
    this.#written = written;
    this.#most = mostSteps;
  }

  get size(): number {
    return this.#steps.size;
  }

  /** A part of a step began: the one before it, if that is another, is over. */
  began({ sessionId, turnId, run, step, tries }: InRun, at: number): void {
    const part = { sessionId, turnId, run, step, ...(tries ? { tries } : {}) };
    const open = this.#steps.get(turnId);
    if (open && isSame(open, part)) return;
    this.close(turnId);
    this.#steps.set(turnId, { ...part, from: at, to: at });
    const oldest = this.#steps.size > this.#most ? this.#steps.keys().next().value : undefined;
    if (oldest !== undefined) this.#steps.delete(oldest);
  }

  /** A part ended. One that was given up, and comes late, belongs to no open step any more. */
  ended(part: InRun, at: number): void {
    const open = this.#steps.get(part.turnId);
    if (open && isSame(open, part)) open.to = Math.max(open.to, at);
  }

  /** The turn's run ended. */
  close(turnId: TurnId): void {
    const open = this.#steps.get(turnId);
    this.#steps.delete(turnId);
    if (open) this.#written(open);
  }
}
