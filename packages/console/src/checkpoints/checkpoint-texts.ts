import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { TextKey } from '../i18n/en.ts';
import type { Text } from '../i18n/use-text.ts';

export type Turns = ReadonlyMap<string, Pick<TurnBody, 'n' | 'preview'>>;

/** What a checkpoint without a name is called. */
export const checkpointTitle = ({ reason, turn_id }: CheckpointResource, turns: Turns, t: Text): string => {
  const n = turn_id === null ? undefined : turns.get(turn_id)?.n;
  if (reason === 'session.context_initialized') return t('checkpointBeginning');
  if (reason === 'session.restored') return n === undefined ? t('checkpointRestoredBeginning') : t('checkpointRestored', { n });
  if (n === undefined) return t('checkpointAfterATurn');
  return reason === 'context.compacted' ? t('checkpointCompaction', { n }) : t('checkpointAfterTurn', { n });
};

const wayTexts: { readonly [way: string]: TextKey } = {
  running_turn: 'checkpointWayRunning',
  waiting_turn: 'checkpointWayWaiting',
  queued_turns: 'checkpointWayQueued',
  open_actions: 'checkpointWayAction',
  unapplied_inputs: 'checkpointWayInput',
  open_children: 'checkpointWayChild',
};

/** What a refused restore or fork says is in the way; undefined where it was refused for something else. */
export type InTheWay = { readonly ways: readonly string[]; readonly turnId: string | undefined };
export const inTheWayOf = (error: unknown): InTheWay | undefined => {
  const { code, details } = error as { readonly code?: unknown; readonly details?: { readonly in_the_way?: unknown; readonly turn_ids?: unknown } };
  if (code !== 'session_busy') return undefined;
  const ways = Array.isArray(details?.in_the_way) ? details.in_the_way.map(String) : [];
  const [turnId] = Array.isArray(details?.turn_ids) ? details.turn_ids.map(String) : [];
  return { ways, turnId };
};
export const wayText = (way: string, t: Text): string => t(wayTexts[way] ?? 'checkpointWayOther');
