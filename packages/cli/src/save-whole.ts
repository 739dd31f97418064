import { open, rename, rm } from 'node:fs/promises';

/** Writes a file whole or not at all: nothing is under the name, and what was there stays, before the last byte has come. */
export const saveWhole = async (target: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> => {
  const draft = `${target}.partial-${process.pid}`;
  const handle = await open(draft, 'wx');
  try {
    for await (const part of bytes) await handle.writeFile(part);
    await handle.close();
    await rename(draft, target);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
};
