/**
 * The pieces of a team's turn: which of them are open, which wait for room, and when the leader waits for them.
 *
 * Owns: what follows from the state alone, for deciding and for what is owed.
 *
 * TQ1 At most `maxParallel` pieces of a turn are worked on at once: a further call stays requested, is owed by nobody, and goes on
 *     when one of them has ended.
 * TQ2 A leader that has said its last word while pieces are open is not called again before one of them has a result, or somebody
 *     said something: until then its turn waits for children, and holds no slot.
 */
import { onlyAwaits } from './evolve-children.ts';
import { parentTurnOf } from './ids.ts';
import { type CallState, type ChildLink, type LiveTurn, maxPieces, type SessionState } from './state.ts';

/** Children that work on pieces of the live turn. */
export const openPieces = ({ target, live, children = [] }: SessionState): readonly ChildLink[] =>
  target === 'team' && live ? children.filter(({ id, piece, closing }) => piece !== undefined && closing !== true && parentTurnOf(id) === live.id) : [];

/** How many pieces may still be begun now. */
const roomFor = (state: SessionState): number => Math.min(state.maxParallel ?? maxPieces, maxPieces) - openPieces(state).length;

const isPiece = ({ executor, status }: CallState): boolean => executor === 'session' && status === 'requested';

/** Whether the call waits until another piece has ended (TQ1). */
export const isHeldBack = (state: SessionState, call: CallState): boolean => state.target === 'team' && isPiece(call) && roomFor(state) <= 0;

/** Without those for which there is no room (TQ1). */
export const withRoom = (state: SessionState, calls: readonly CallState[]): readonly CallState[] => {
  if (state.target !== 'team') return calls;
  let room = roomFor(state);
  return calls.filter((call) => {
    if (!isPiece(call)) return true;
    room -= 1;
    return room >= 0;
  });
};

const isTold = ({ live, inputs = [] }: SessionState): boolean => inputs.some(({ ofChild, turnId }) => ofChild === true || turnId === live?.id);

/** The leader has said all that it can say for now (TQ2). */
export const awaitsPieces = (state: SessionState): boolean => state.live?.answered === true && openPieces(state).length > 0 && !isTold(state);

/** Somebody said something to a leader that had said all: it hears that at once, whatever its pieces wait for (TQ2). */
export const isCalledAgain = (state: SessionState): boolean => state.live?.answered === true && openPieces(state).length > 0 && isTold(state);

/** What the turn waits for beside its calls: pieces in the background, while the leader or another piece waits for them. */
export const piecesWaitedFor = (state: SessionState): readonly ChildLink[] =>
  awaitsPieces(state) || state.live?.calls.some((call) => isHeldBack(state, call)) === true ? openPieces(state) : [];

/** True while the turn has nothing to do but wait for its pieces. */
export const onlyAwaitsPieces = (state: SessionState): boolean =>
  piecesWaitedFor(state).length > 0 &&
  state.live?.calls.every((call) => call.status !== 'dispatched' && (call.status !== 'requested' || isHeldBack(state, call))) === true;

/** Whoever loses the turn's run loses nothing: it only waited for children. */
export const losesNothing = (state: SessionState, live: LiveTurn): boolean => onlyAwaits(state, live) || onlyAwaitsPieces(state);
