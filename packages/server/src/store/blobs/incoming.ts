/**
 * Bytes on their way in: written to a file of their own first, so that nothing is under a name before it is whole (FB1).
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Bytes } from '../../ports/blobs.ts';

/** Longer than any upload takes: what is older was left by a process that died. */
const abandonedMs = 24 * 3_600_000;

export const filesFault = (error: unknown): TurnkeeperError =>
  new TurnkeeperError('storage_unavailable', 'The files of sessions cannot be read or written now.', { reason: 'files' }, { cause: error });

/** Makes the folder, and removes what was left in it long ago. Several nodes may share it. */
export const openIncoming = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > abandonedMs) rmSync(file, { force: true });
    }
  } catch (error) {
    throw new TurnkeeperError(
      'storage_unavailable',
      `The folder ${folder} for files cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { folder },
      { cause: error },
    );
  }
};

/** What is wrong with the medium, as opposed to what the source of the bytes threw. */
class MediumFault extends Error {
  override readonly name = 'MediumFault';
}

const ofMedium = async <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw new MediumFault('', { cause: error });
  });

/**
 * Writes the bytes to a new file, durably, and hands that to `use`, which may move it away. Nothing is left of it
 * afterwards. Throws what the source throws, and `storage_unavailable` for the medium.
 */
export const throughFile = async <Result>(folder: string, bytes: Bytes, use: (file: string, size: number) => Promise<Result>): Promise<Result> => {
  const file = join(folder, randomUUID());
  try {
    const handle = await ofMedium(open(file, 'wx', 0o600));
    let size = 0;
    try {
      for await (const part of bytes) {
        await ofMedium(handle.writeFile(part));
        size += part.length;
      }
      await ofMedium(handle.sync());
    } finally {
      await handle.close();
    }
    return await use(file, size);
  } catch (error) {
    throw error instanceof MediumFault ? filesFault(error.cause) : error;
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
};
