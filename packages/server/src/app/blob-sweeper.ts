/**
 * Removes bytes that belong to no file: of deleted sessions, of uploads that were broken off, of what was written over.
 *
 * FB9 Bytes are removed before the note of them (FB5): whatever ends the process in between, the next sweep finds the note.
 *     What is on its way in has an hour; a request for it has two minutes.
 */
import type { Clock } from '../ports/clock.ts';
import type { SessionFiles } from './session-files.ts';

const everyMs = 10 * 60_000;
/** Longer than an upload, or a download that has begun, may take. */
export const looseMs = 60 * 60_000;
const atOnce = 100;
/** Since when bytes of a deleted session are loose: so long that nothing is waited for. */
const forgotten = 0;

/** One sweep over all nodes' sessions; harmless beside another's. Gives how many were removed; once stopped, it leaves the rest. */
export const sweepBlobs = async (
  { index, blobs }: Pick<SessionFiles, 'index' | 'blobs'>,
  now: number,
  isStopped: () => boolean = () => false,
): Promise<number> => {
  // Of a session that is gone nothing is on its way in that could still become a file (FB6).
  await index.dropDeleted(forgotten);
  return removeLoose({ index, blobs }, now - looseMs, isStopped);
};

const removeLoose = async (
  { index, blobs }: Pick<SessionFiles, 'index' | 'blobs'>,
  before: number,
  isStopped: () => boolean = () => false,
): Promise<number> => {
  for (let removed = 0; ; ) {
    const names = await index.loose(before, atOnce);
    const gone: string[] = [];
    for (const name of names) {
      if (isStopped()) break;
      await blobs.remove(name);
      gone.push(name);
    }
    await index.forget(gone);
    removed += gone.length;
    if (names.length < atOnce || isStopped()) return removed;
  }
};

/** What a session that was just deleted had. */
export const removeFilesOf = async (files: Pick<SessionFiles, 'index' | 'blobs'>, sessionId: string): Promise<void> => {
  await files.index.dropDeleted(forgotten, sessionId);
  await removeLoose(files, forgotten + 1);
};

export type BlobSweeper = { readonly start: () => void; readonly stop: () => Promise<void> };

/** Sweeps now and then; a sweep that fails is made again with the next one. */
export const createBlobSweeper = (files: SessionFiles, clock: Clock, report: (error: unknown) => void): BlobSweeper => {
  let wait: (() => void) | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const later = (ms: number): void => {
    if (stopped) return;
    wait = clock.after(ms, () => {
      running = sweep();
    });
  };
  const sweep = async (): Promise<void> => {
    try {
      await sweepBlobs(files, clock.now(), () => stopped);
    } catch (error) {
      report(error);
    }
    later(everyMs);
  };
  return {
    start: () => later(everyMs),
    stop: async () => {
      stopped = true;
      wait?.();
      await running;
    },
  };
};
