/** What a replay begins with, and what it says. */
import type { InputBlock, UserMessage } from '@turnkeeper/core/protocol/content';
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import type { Item } from '@turnkeeper/core/session/events';

/** What was said to begin the turn: what was said while it ran came by an input. */
export const messagesOf = (events: readonly Envelope[]): readonly UserMessage[] => {
  const applied = new Set(events.flatMap(({ type, data }) => (type === 'input.applied' ? (data['item_ids'] as readonly string[]) : [])));
  return events.flatMap(({ type, data }): UserMessage[] => {
    if (type !== 'item.completed' || data['model_call_id'] !== undefined || applied.has(String(data['item_id']))) return [];
    const { role, content } = data['item'] as Item;
    return role === 'user' ? [{ role, content: content.filter((block) => block.type !== 'tool_use') }] : [];
  });
};

/** The texts, each of a message on its own. */
export const textOfMessages = (messages: readonly UserMessage[]): string =>
  messages
    .map(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'))
    .filter((text) => text !== '')
    .join('\n\n');

export const hasFiles = (messages: readonly UserMessage[]): boolean => messages.some(({ content }) => content.some(({ type }) => type === 'file'));

/** The text in place of what was said. What else was said goes along, but for files: those belong to the session. */
export const editedInput = (messages: readonly UserMessage[], text: string): readonly UserMessage[] => {
  const others = messages.flatMap(({ content }) => content.filter((block) => block.type !== 'text' && block.type !== 'file'));
  const said: InputBlock[] = text.trim() === '' ? [] : [{ type: 'text', text }];
  return [{ role: 'user', content: [...said, ...others] }];
};

/**
 * The newest checkpoint from before the turn, in a list that is newest first; undefined where none is in it. What the turn
 * left stands between; a turn that left nothing is found by the time at which it began.
 */
export const checkpointBefore = (
  newestFirst: readonly CheckpointResource[],
  { turnId, startedAt }: { readonly turnId: string; readonly startedAt: number },
): CheckpointResource | undefined => {
  // A restore to after a turn is told with that turn's id: it came later.
  const own = newestFirst.findLastIndex(({ turn_id, reason }) => turn_id === turnId && reason !== 'session.restored');
  if (own !== -1) return newestFirst.slice(own + 1).find(({ turn_id }) => turn_id !== turnId);
  return newestFirst.find(({ created_at, turn_id }) => created_at <= startedAt && turn_id !== turnId);
};
