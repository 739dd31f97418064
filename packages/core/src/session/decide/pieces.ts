/**
 * The pieces that a team's leader delegates: each is a step, worked on by a child session.
 *
 * TQ5 A step is begun with its first child, and ends once: with a result, for good, or cancelled with its turn. While it may still be
 *     tried, a failure or a time-out is followed by a further attempt, and the leader hears of neither.
 * TQ6 A turn that came to an output though a step failed for good, or was cut off, is `partial_succeeded`.
 */
import { codePoints, cutText, firstCodePoints, type OutputBlock } from '../../protocol/content.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { textOf } from '../../protocol/text-of.ts';
import type { ChildReport } from '../child-report.ts';
import type { PieceTerms } from '../commands.ts';
import type { Draft } from '../decision.ts';
import type { ChildOutcome, FailedStep, StepFacts } from '../family-events.ts';
import { childSessionId, parentTurnOf, type SessionId, stepId, type TurnId } from '../ids.ts';
import type { ChildLink, Piece } from '../state.ts';

type Ended = Extract<ChildReport['is'], { readonly output: readonly OutputBlock[] }>;

/** Code points of a result that the leader is shown at once; it reads the rest of a longer one when it needs it. */
export const shownCharacters = 20_000;
/** Code points of why a step failed. */
const reasonCharacters = 2_000;

type Facts = StepFacts & { readonly turn_id: TurnId };

const factsOf = (turn_id: TurnId, { key, attempt }: Piece, child_session_id: SessionId): Facts => ({
  ...{ turn_id, step_id: stepId(turn_id, key), key, attempt, child_session_id },
});

const nameIn = (input: JsonObject): string => (typeof input['member'] === 'string' ? input['member'] : '');
const saidIn = ({ member: _m, background: _b, ...said }: JsonObject): JsonObject => said;

/** The step of a piece whose child is owed from here on (`n`: the child's number). */
export const beginPiece = (
  out: Draft,
  { childId, n, input, terms = {} }: { readonly childId: SessionId; readonly n: number; readonly input: JsonObject; readonly terms?: PieceTerms | undefined },
): void => {
  if (out.state().target !== 'team') return;
  const { retry, of } = terms;
  out.emit({
    type: 'step.updated',
    data: {
      ...factsOf(out.live().id, { key: `${n}`, attempt: 1 }, childId),
      ...{ type: 'delegation', name: nameIn(input), status: 'running', input: saidIn(input) },
      ...(retry ? { retry: { left: retry.left, backoff_ms: retry.backoffMs } } : {}),
      ...(of === undefined ? {} : { of }),
    },
  });
};

/** The turn that a link's step belongs to, while that is live. */
const liveOf = (out: Draft, link: ChildLink) => {
  const { live } = out.state();
  return link.piece && live && live.id === parentTurnOf(link.id) ? { live, piece: link.piece } : undefined;
};

/** A further attempt has begun. */
export const pieceStarted = (out: Draft, link: ChildLink): void => {
  const of = liveOf(out, link);
  if (!of || of.piece.attempt === 1 || link.closing) return;
  out.emit({ type: 'step.updated', data: { ...factsOf(of.live.id, of.piece, link.id), status: 'running' } });
};

const failureOf = (status: ChildOutcome): FailedStep | undefined => {
  switch (status) {
    case 'failed':
    case 'gone':
      return 'failed';
    case 'timed_out':
      return 'timed_out';
    case 'completed':
    case 'partial_succeeded':
    case 'cancelled':
      return undefined;
  }
};

/** What a child's outcome makes of its piece. True where it is tried again: then nobody hears of that outcome (TQ5). */
export const pieceEnded = (out: Draft, link: ChildLink, { status, output, errorCode }: Ended): boolean => {
  const of = liveOf(out, link);
  // Closed with an earlier run of its turn, it is over already.
  if (!of || (link.closing && !of.live.cancelRequested)) return false;
  const { live, piece } = of;
  const facts = factsOf(live.id, piece, link.id);
  const failure = link.closing ? undefined : failureOf(status);
  if (failure === undefined) {
    if (status === 'cancelled' || link.closing) out.emit({ type: 'step.updated', data: { ...facts, status: 'cancelled' } });
    else out.emit({ type: 'step.updated', data: { ...facts, status: 'succeeded', output: textOf(output) } });
    return false;
  }
  const error = { error_message: cutText(textOf(output), reasonCharacters), ...(errorCode === undefined ? {} : { error_code: errorCode }) };
  // What could not be made at all is not tried again.
  const again = (piece.left ?? 0) > 0 && errorCode !== 'not_found' && !live.cancelRequested;
  const until = out.at + (piece.backoffMs ?? 0);
  out.emit({ type: 'step.failed', data: { ...facts, ...error, status: failure, ...(again ? { until } : {}) } });
  if (!again) return false;
  const next = childSessionId(live.id, (out.state().spawned ?? 0) + 1);
  const { key, attempt } = piece;
  out.emit({ type: 'step.updated', data: { ...factsOf(live.id, { key, attempt: attempt + 1 }, next), status: 'delayed', until } });
  return true;
};

/** Pieces that are open when their turn ends are cancelled with it. How many there were. */
export const closePieces = (out: Draft): number => {
  const { live, children = [] } = out.state();
  const open = children.filter((link) => liveOf(out, link) && (link.closing !== true || live?.cancelRequested === true));
  for (const { id, piece } of open) if (live && piece) out.emit({ type: 'step.updated', data: { ...factsOf(live.id, piece, id), status: 'cancelled' } });
  return open.length;
};

const wordsFor = (status: ChildOutcome): string => {
  switch (status) {
    case 'completed':
      return 'done';
    case 'partial_succeeded':
      return 'done in part';
    case 'timed_out':
      return 'out of time';
    case 'failed':
    case 'cancelled':
    case 'gone':
      return status;
  }
};

const again = (id: string): string =>
  `\n[To have it done again, delegate with \`continue: "${id}"\` (same member, which knows what it did) or \`instead_of: "${id}"\` (anybody, afresh).]`;

/** The step of a team's child by its id; undefined of any other child. */
export const stepOfLink = ({ id, piece }: ChildLink): string | undefined => piece && stepId(parentTurnOf(id), piece.key);

/** A result as the leader is told it: whose it is, by which step it may be asked for more, and no more than fits. */
export const pieceOutput = (link: ChildLink, name: string, status: ChildOutcome, output: readonly OutputBlock[]): readonly OutputBlock[] => {
  const id = stepOfLink(link);
  if (id === undefined) return output;
  const said = textOf(output);
  const shown = firstCodePoints(said, shownCharacters);
  const more =
    shown.length === said.length ? '' : `\n[Cut: ${codePoints(said)} characters in all. Read on with read_result, from offset ${codePoints(shown)}.]`;
  const failed = failureOf(status) === undefined ? '' : again(id);
  return [{ type: 'text', text: `[${id}, ${name}: ${wordsFor(status)}]\n${shown}${more}${failed}` }];
};
