import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { expect, test } from 'vitest';
import { checkpointBefore, editedInput, hasFiles, messagesOf, textOfMessages } from './replay.ts';

const event = (type: string, data: Record<string, unknown>) => ({ type, data, created_at: 0 }) as unknown as Envelope;
const said = (item_id: string, ...content: readonly unknown[]) => event('item.completed', { item_id, item: { role: 'user', content } });
const text = (words: string) => ({ type: 'text', text: words });
const checkpoint = (checkpoint_id: string, turn_id: string | null, created_at: number, reason = 'turn.completed') => ({
  checkpoint_id,
  turn_id,
  created_at,
  reason,
});

test('a replay says what the turn was begun with, not what was said while it ran', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://x.test/y.png' } };
  const messages = messagesOf([
    said('item_1', text('first'), { type: 'file', file_id: 'file_1' }),
    said('item_2', text('second'), image),
    event('input.applied', { item_ids: ['item_4'] }),
    said('item_4', text('a steer')),
    event('item.completed', { item_id: 'item_3', model_call_id: 'call_1', item: { role: 'assistant', content: [text('answer')] } }),
  ]);
  expect(textOfMessages(messages)).toBe('first\n\nsecond');
  expect(hasFiles(messages)).toBe(true);
  expect(editedInput(messages, 'other words')).toEqual([{ role: 'user', content: [text('other words'), image] }]);
});

test('it begins with what the context was before the turn', () => {
  const list = [
    checkpoint('ckpt_5', 'turn_1', 50, 'session.restored'),
    checkpoint('ckpt_4', 'turn_3', 40),
    checkpoint('ckpt_3', 'turn_2', 30),
    checkpoint('ckpt_2', 'turn_2', 25, 'context.compacted'),
    checkpoint('ckpt_1', 'turn_1', 10),
  ];
  const before = (turnId: string, startedAt: number) => checkpointBefore(list, { turnId, startedAt })?.checkpoint_id;
  expect(before('turn_3', 30)).toBe('ckpt_3');
  expect(before('turn_2', 20)).toBe('ckpt_1');
  expect(before('turn_1', 0)).toBeUndefined();
  // It left nothing: it began behind the restore.
  expect(before('turn_4', 60)).toBe('ckpt_5');
});
