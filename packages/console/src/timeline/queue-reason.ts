import type { TurnBody } from '@turnkeeper/core/view/turn';
import { formatTime } from '../i18n/format.ts';
import type { Text } from '../i18n/use-text.ts';

export type QueuePlace = {
  readonly turn: TurnBody;
  /** Its place among those that wait, from 0. */
  readonly position: number;
  /** The turn that holds the queue: this one itself when nothing else does. */
  readonly live: TurnBody | undefined;
};

/** Why a turn has not begun yet. */
export const queueReason = ({ turn, position, live }: QueuePlace, locale: string, t: Text): string => {
  if (turn.not_before !== undefined) return t('queuedRetry', { time: formatTime(turn.not_before, locale) });
  if (!live || live.turn_id === turn.turn_id) return t('queuedStarting');
  if (live.status === 'requires_action') return t('queuedWaitsForAnswer');
  if (live.status === 'interrupted') return t('queuedWaitsForResume');
  return position === 0 ? t('queuedNext') : t('queuedBehind', { count: position + 1 });
};
