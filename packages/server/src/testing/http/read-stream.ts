/** Reads an event stream from a bare socket, byte by byte as it comes: head, frames, comments, and its end. */
import { connect, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { createSseParser, type SseFrame } from '@turnkeeper/core/protocol/sse';

export type StreamReader = {
  readonly socket: Socket;
  readonly frames: readonly SseFrame[];
  readonly head: () => string;
  readonly raw: () => string;
  /** Resolves when `enough` holds of the frames; rejects after thirty seconds. */
  readonly until: (enough: (frames: readonly SseFrame[]) => boolean) => Promise<readonly SseFrame[]>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  readonly close: () => void;
};

type Address = { readonly port: number; readonly path: string; readonly token: string; readonly headers?: Record<string, string>; readonly paused?: boolean };

const poll = async (done: () => boolean, what: () => string): Promise<void> => {
  for (let waited = 0; !done(); waited += 5) {
    if (waited > 30_000) throw new Error(`timed out: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

export const waitUntil = (done: () => boolean): Promise<void> => poll(done, () => 'the condition did not come true');

export const readStream = ({ port, path, token, headers = {}, paused = false }: Address): StreamReader => {
  const socket = connect({ port, host: '127.0.0.1' });
  const frames: SseFrame[] = [];
  const parse = createSseParser((frame) => frames.push(frame));
  const decoder = new StringDecoder('utf8');
  let text = '';
  let bodyAt = -1;
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const take = (chunk: Buffer): void => {
    const piece = decoder.write(chunk);
    text += piece;
    if (bodyAt !== -1) parse(piece);
    else {
      bodyAt = text.indexOf('\r\n\r\n');
      if (bodyAt !== -1) parse(text.slice(bodyAt + 4));
    }
  };
  socket.on('data', take);
  if (paused) socket.pause();
  return {
    socket,
    frames,
    head: () => text.slice(0, Math.max(bodyAt, 0)),
    raw: () => text.slice(bodyAt + 4),
    until: async (enough) => {
      await poll(
        () => enough(frames),
        () => `frames: ${frames.map(({ event }) => event).join(' ')}; head: ${text.slice(0, 300)}`,
      );
      return frames;
    },
    ended,
    close: () => socket.destroy(),
  };
};
