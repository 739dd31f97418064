import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { lagBytes } from './event-stream.ts';
import { FrameStream } from './frame-stream.ts';
import { OpenStreams } from './open-streams.ts';

const long = 'x'.repeat(2 * lagBytes);

/** A reader that reads when the test says so. */
const opened = () => {
  const socket = new PassThrough({ highWaterMark: 1 });
  const streams = new OpenStreams(new ManualClock(), () => Promise.reject(new Error('nobody')));
  const subject = { owner: 'user:ann', placement: '', target: { type: 'agent', id: '', space: undefined } } as const;
  let write = (_frames: string): void => {};
  let follows = false;
  new FrameStream(streams, { socket: socket as never, credential: 'c', reader: 'user:ann', subject }, (given) => {
    write = given;
    follows = true;
    return () => {
      follows = false;
    };
  });
  return { socket, streams, write: (frames: string) => write(frames), follows: () => follows };
};
const moment = () => new Promise((resolve) => setImmediate(resolve));

test('HS9 a reader gets a frame that is longer than the bound; one that has not read it gets no more, and is let go', async () => {
  const { socket, streams, write, follows } = opened();
  write(long);
  expect(socket.destroyed).toBe(false);
  write('one more');
  await moment();
  expect([socket.destroyed, follows(), streams.count]).toEqual([true, false, 0]);
});

test('HS9 a reader that keeps up is told everything', async () => {
  const { socket, write } = opened();
  let read = '';
  socket.on('data', (piece: Buffer) => {
    read += piece.toString();
  });
  for (const frames of [long, 'one', 'two']) {
    write(frames);
    await moment();
  }
  expect([read === `${long}onetwo`, socket.destroyed]).toEqual([true, false]);
  socket.destroy();
});
