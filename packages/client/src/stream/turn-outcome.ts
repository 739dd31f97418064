/** How clients tell that a turn is over: by its own status only. */
import { type TurnOutcome, type TurnStatus, turnOutcomes } from '@turnkeeper/core/session/events';

export const isSettled = (status: TurnStatus): status is TurnOutcome => (turnOutcomes as readonly string[]).includes(status);

/** The status that an event gives its turn, if it is one of those that do. */
export const statusAfter = (type: string): TurnStatus | undefined => {
  if (!type.startsWith('turn.')) return undefined;
  const name = type.slice('turn.'.length);
  if (name === 'accepted') return 'queued';
  return name === 'cancel_requested' ? undefined : (name as TurnStatus);
};
