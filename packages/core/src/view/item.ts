/** Items in the view: messages, and the one that streams. */
import type { ItemBlock } from '../protocol/content.ts';
import type { DeltaBlock, EventData, Item } from '../session/events.ts';

export type ItemBody = {
  readonly turn_id: string;
  readonly run_id: string;
  readonly item_id: string;
  readonly model_call_id?: string;
  readonly item: Item;
};

export const itemOpened = (data: EventData<'item.started'> | EventData<'item.completed'>): ItemBody => ({
  turn_id: data.turn_id,
  run_id: data.run_id,
  item_id: data.item_id,
  ...(data.model_call_id === undefined ? {} : { model_call_id: data.model_call_id }),
  item: data.item,
});

/** Appends to an item that streams; what has been completed is not changed any more (V2). */
export const itemDelta = (body: ItemBody, delta: readonly DeltaBlock[]): ItemBody =>
  body.item.status === 'in_progress' ? { ...body, item: { ...body.item, content: delta.reduce(append, body.item.content) } } : body;

const append = (content: readonly ItemBlock[], piece: DeltaBlock): readonly ItemBlock[] => {
  const last = content.at(-1);
  if (piece.type === 'text') {
    return last?.type === 'text' ? [...content.slice(0, -1), { type: 'text', text: last.text + piece.text }] : [...content, piece];
  }
  const at = content.findIndex((block) => block.type === 'tool_use' && block.id === piece.id);
  const call = content[at];
  if (call?.type !== 'tool_use') return [...content, { type: 'tool_use', id: piece.id, name: piece.name ?? '', input: {}, content: piece.content }];
  return content.with(at, { ...call, content: (call.content ?? '') + piece.content });
};

/** Its model call died or was stopped: what was shown stays, marked. */
export const itemIncomplete = (body: ItemBody): ItemBody =>
  body.item.status === 'in_progress' ? { ...body, item: { ...body.item, status: 'incomplete' } } : body;
