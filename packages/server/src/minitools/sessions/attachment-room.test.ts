/** What is attached waits for room (AR1, AR2). */
import { expect, test } from 'vitest';
import { createGate } from '../../testing/harness/gate.ts';
import { settle } from '../../testing/harness/settle.ts';
import { AttachmentRoom } from './attachment-room.ts';

const forever = new AbortController().signal;
const open = () => {
  const room = new AttachmentRoom(10);
  const begun: string[] = [];
  const hold = (name: string, bytes: number, { of = 'bot', signal = forever } = {}) => {
    const gate = createGate();
    const done = room.hold(of, bytes, signal, async () => {
      begun.push(name);
      await gate.wait();
      return name;
    });
    return { end: () => gate.open(), done };
  };
  return { room, begun, hold };
};

test('AR1 so much is held at once, in the order of asking; others are not held up', async () => {
  const { room, begun, hold } = open();
  const [a, b, c] = [hold('a', 6), hold('b', 6), hold('c', 1)];
  const others = [hold('other', 10, { of: 'other' }), hold('nothing', 0)];
  await settle(4);
  // One that would fit does not pass those before it.
  expect(begun).toEqual(['nothing', 'a', 'other']);
  a.end();
  expect(await a.done).toBe('a');
  await settle(4);
  expect(begun.slice(3)).toEqual(['b', 'c']);
  for (const each of [b, c, ...others]) each.end();
  await Promise.all([b, c, ...others].map(({ done }) => done));
  expect(room.bytesOf('bot')).toBe(0);
});

test('AR1 one message alone always fits, and what fails gives its room back', async () => {
  const { room, begun, hold } = open();
  const large = hold('large', 11);
  await settle(4);
  expect(begun).toEqual(['large']);
  large.end();
  await large.done;
  await expect(room.hold('bot', 10, forever, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = hold('next', 10);
  next.end();
  expect(await next.done).toBe('next');
  expect(begun).toEqual(['large', 'next']);
});

test('AR2 who is taken back gives up its turn', async () => {
  const { begun, hold } = open();
  const abort = new AbortController();
  const a = hold('a', 6);
  const b = hold('b', 6, { signal: abort.signal });
  const c = hold('c', 4);
  const refused = expect(b.done).rejects.toThrow('over');
  abort.abort(new Error('over'));
  await refused;
  await settle(4);
  expect(begun).toEqual(['a', 'c']);
  a.end();
  c.end();
  await Promise.all([a.done, c.done]);
});
