import { setImmediate as turnOver } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Transport } from '../transport/transport.ts';
import { UnreachableError } from '../transport/unreachable-error.ts';
import { createSessionWatches } from './session-watches.ts';

afterEach(() => vi.useRealTimers());

/** All that goes on without a timer. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await turnOver();
};

test('whoever knows that the server answers again ends every back-off at once', async () => {
  // No back-off ends by itself: time stands still.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let isBack = false;
  let opened = 0;
  const open = async (): Promise<Response> => {
    opened += 1;
    if (!isBack) throw new UnreachableError('refused');
    return new Response(new ReadableStream());
  };
  const never = { download: async () => new Response(), streamQuery: () => ({}), fellSilent: () => {} };
  const transport: Transport = { ...never, request: (async () => ({ as_of: 'c0' })) as Transport['request'], open };
  const watches = createSessionWatches(transport);
  const connections = ['ses_1', 'ses_2'].map((id) => {
    const seen: string[] = [];
    watches.watch(id).onMessage((message) => {
      if (message.type === 'connection') seen.push(message.connection.kind);
    });
    return seen;
  });
  await settle();
  expect([opened, ...connections.map((seen) => seen.at(-1))]).toEqual([2, 'reconnecting', 'reconnecting']);
  isBack = true;
  watches.retryAllNow();
  await settle();
  expect([opened, ...connections.map((seen) => seen.at(-1))]).toEqual([4, 'live', 'live']);
  watches.closeAll();
});
