/** How a sweep ends when its server does, and what is left to the next (FB9). */
import { expect, it } from 'vitest';
import type { Bytes } from '../ports/blobs.ts';
import { createGate } from '../testing/harness/gate.ts';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { createBlobSweeper } from './blob-sweeper.ts';
import type { SessionFiles } from './session-files.ts';

it('a stop waits for the bytes that are being removed, and for no more of the sweep; the notes of the others stay', async () => {
  const clock = new ManualClock();
  const noted = new Set(Array.from({ length: 250 }, (_, n) => `ses_1/blob_${n}`));
  const removed: string[] = [];
  const second = createGate();
  const files = {
    index: {
      dropDeleted: async () => {},
      loose: async (_before: number, limit: number) => [...noted].slice(0, limit),
      forget: async (names: readonly string[]) => {
        for (const name of names) noted.delete(name);
      },
    },
    blobs: {
      put: (_name: string, _bytes: Bytes) => Promise.reject(new Error('nothing is put')),
      get: async () => undefined,
      remove: async (name: string) => {
        if (removed.length === 1) await second.wait();
        removed.push(name);
      },
    },
  } as unknown as SessionFiles;
  const sweeper = createBlobSweeper(files, clock, (error) => {
    throw error;
  });
  sweeper.start();
  await clock.advance(10 * 60_000);
  await second.reached;
  let ended = false;
  const stopped = sweeper.stop().then(() => {
    ended = true;
  });
  await clock.advance(1);
  expect(ended).toBe(false);
  second.open();
  await stopped;
  expect(removed).toEqual(['ses_1/blob_0', 'ses_1/blob_1']);
  expect(noted.size).toBe(248);
  // Nor does another one begin.
  expect(clock.waiting).toBe(0);
});
