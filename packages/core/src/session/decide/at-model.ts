import { awaitsPieces } from '../pieces.ts';
import type { LiveTurn, SessionState } from '../state.ts';

/** The live turn while its model may be called: it runs, and no call of the step before, nor a piece, is still to be done (S14, TQ2). */
export const atModel = (state: SessionState): LiveTurn | undefined => {
  const { live } = state;
  return live?.status === 'running' && live.calls.every((call) => call.status === 'done') && !awaitsPieces(state) ? live : undefined;
};
