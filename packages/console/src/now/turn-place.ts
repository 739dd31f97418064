import type { FailedTurn } from '@turnkeeper/core/protocol/wire/overview';
import type { Place } from '../shell/address.ts';

/** The turn in its conversation. */
export const turnPlace = ({ session_id, turn_id }: Pick<FailedTurn, 'session_id' | 'turn_id'>): Place => ({
  kind: 'session',
  id: session_id,
  query: { turn: turn_id },
});

export const titleOf = (turn: Pick<FailedTurn, 'session_title' | 'preview'>, untitled: string): string => turn.session_title || turn.preview || untitled;
