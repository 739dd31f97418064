/**
 * Bytes in a folder: one file each, `<folder>/<session>/<blob>`.
 *
 * FB1 by a file of another name that is synced and renamed, and a folder that is synced after that.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Blobs, type ByteRange, type Bytes, checkedName } from '../../ports/blobs.ts';
import { filesFault, openIncoming, throughFile } from './incoming.ts';

const isCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes((error as NodeJS.ErrnoException).code ?? '');

const sync = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Gives the file its name, and makes that durable. */
const keepAs = async (file: string, target: string, folder: string): Promise<void> => {
  const session = dirname(target);
  for (let tries = 1; ; tries += 1) {
    try {
      if ((await mkdir(session, { recursive: true, mode: 0o700 })) !== undefined) await sync(folder);
      await rename(file, target);
      return await sync(session);
    } catch (error) {
      // The folder was empty, and was removed in between.
      if (!isCode(error, 'ENOENT') || tries >= 5) throw filesFault(error);
    }
  }
};

async function* read(target: string, range: ByteRange | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = createReadStream(target, range ?? {});
  try {
    for await (const part of stream) yield part as Buffer;
  } catch (error) {
    throw filesFault(error);
  } finally {
    stream.destroy();
  }
}

const there = async (target: string): Promise<boolean> => {
  try {
    await (await open(target, 'r')).close();
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw filesFault(error);
  }
};

/** Throws `storage_unavailable` when the folder cannot be made. `shared`: every node has this same folder. */
export const createFolderBlobs = ({ folder, shared }: { readonly folder: string; readonly shared: boolean }): Blobs => {
  const incoming = join(folder, 'incoming');
  openIncoming(incoming);
  const at = (name: string): string => join(folder, checkedName(name));
  return {
    shared,
    put: (name, bytes: Bytes) => {
      const target = at(name);
      return throughFile(incoming, bytes, (file) => keepAs(file, target, folder));
    },
    get: async (name, range) => ((await there(at(name))) ? read(at(name), range) : undefined),
    remove: async (name) => {
      try {
        await rm(at(name), { force: true });
        await rmdir(dirname(at(name)));
      } catch (error) {
        // There is more in it, or it is gone already.
        if (!isCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw filesFault(error);
      }
    },
  };
};
