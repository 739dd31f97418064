/**
 * Port: what came in by the webhooks of mini-tools lately, as somebody who looks after them sees it.
 *
 * Contract
 * VN1 Never what was sent: no body and no header, so no secret. What is told is of this node, and costs no reading.
 */

/** `verified`: by its signature, or its secret. `not_wanted`: the hook takes everything. `not_checked`: it was refused before. */
export type ArrivalSignature = 'verified' | 'wrong' | 'not_wanted' | 'not_checked';
/** `answered`: by the server itself, as the platform wants it; the mini-tool is not told. */
export type ArrivalOutcome = 'kept' | 'repeated' | 'answered' | 'refused';

export type Arrival = {
  readonly id: string;
  /** When its answer was given (Unix ms). */
  readonly at: number;
  readonly hook: string;
  /** Of the HTTP answer. */
  readonly status: number;
  /** Why it was refused. */
  readonly code: string | null;
  readonly outcome: ArrivalOutcome;
  readonly signature: ArrivalSignature;
  /** Of the body, as far as it was read. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Under which the mini-tool gets it. */
  readonly messageId: string | null;
};

export interface Arrivals {
  /** The newest first. */
  of(minitoolId: string): readonly Arrival[];
  /** One that was removed: what is installed under its name later begins without any. */
  forget(minitoolId: string): void;
}
