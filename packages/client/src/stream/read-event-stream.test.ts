import { expect, test } from 'vitest';
import { UnreachableError } from '../transport/unreachable-error.ts';
import { readEventStream } from './read-event-stream.ts';

test('R3 a stream that gets no answer is given up, and its request with it', async () => {
  let asked: AbortSignal | undefined;
  const open = (signal: AbortSignal): Promise<Response> => {
    asked = signal;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  };
  const stream = readEventStream({ open, signal: new AbortController().signal, openMs: 20 });
  await expect(stream.next()).rejects.toBeInstanceOf(UnreachableError);
  expect(asked?.aborted).toBe(true);
});
