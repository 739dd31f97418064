import { expect, it } from 'vitest';
import { packMessages } from './bus.ts';

it('packs each session once, in messages that NOTIFY takes', () => {
  const moved = new Map(Array.from({ length: 5000 }, (_, index): [number, number] => [index + 1, 1_000_000 + index]));
  const messages = packMessages('origin', moved);
  for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8000);
  const entries = messages.flatMap((message) => message.replace('origin ', '').split(','));
  expect(entries).toEqual([...moved].map(([sid, seq]) => `${sid}:${seq}`));
  expect(messages.length).toBeLessThan(15);
});

it('has nothing to say when nothing moved', () => {
  expect(packMessages('origin', new Map())).toEqual([]);
});
