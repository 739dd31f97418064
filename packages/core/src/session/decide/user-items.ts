/** What users say becomes items of the history and messages of the context, one for one. */
import type { UserMessage } from '../../protocol/content.ts';
import type { Draft } from '../decision.ts';
import { itemId, runId, type TurnId } from '../ids.ts';

/** The ids of the next so many items of a turn that has `items` already. */
export const nextItemIds = (turnId: TurnId, items: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => itemId(turnId, items + 1 + index));

/** In the open run of the live turn. */
export const addUserItems = (out: Draft, messages: readonly UserMessage[]): void => {
  const { id: turnId, runs, items } = out.live();
  const ids = nextItemIds(turnId, items, messages.length);
  for (const [index, message] of messages.entries()) {
    const id = ids[index] ?? '';
    const item = { id, type: 'message', role: 'user', content: message.content, status: 'completed' } as const;
    out.emit({ type: 'item.completed', data: { turn_id: turnId, run_id: runId(turnId, runs), item_id: id, item } }, { kind: 'message', message });
  }
};
