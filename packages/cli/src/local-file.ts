/** A file of this machine on its way into a session: looked at before anything is made, sent once there is a session to hold it. */
import { openAsBlob, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { mediaTypeByName } from '@turnkeeper/core/protocol/file-name';
import type { FileResource } from '@turnkeeper/core/protocol/wire/files';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { CommandContext } from './command-context.ts';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { oneLine } from './output/printable.ts';

export type LocalFile = { readonly path: string; readonly name: string; readonly mediaType: string; readonly size: number };

export const sizeText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
};

/** Throws UsageError where there is no such file, and for one that no server would take. */
export const localFile = ({ cwd }: Pick<Io, 'cwd'>, given: string, { name, type }: { readonly name?: string; readonly type?: string } = {}): LocalFile => {
  const path = resolve(cwd, given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UsageError(`There is no file ${path}.`);
  if (found.size > limits.fileBytes) throw new UsageError(`${path} has ${sizeText(found.size)}: a file has at most ${sizeText(limits.fileBytes)}.`);
  const called = name ?? basename(path);
  return { path, name: called, mediaType: type ?? mediaTypeByName(called), size: found.size };
};

export const uploadedText = ({ id, name, size }: FileResource): string => `uploaded ${oneLine(name)} (${sizeText(size)}) as ${id}`;

export const sendFile = async (
  { client, io }: CommandContext,
  sessionId: string,
  { path, name, mediaType }: LocalFile,
  idempotencyKey: string,
): Promise<FileResource> => client.files.upload(sessionId, await openAsBlob(path), { name, mediaType, idempotencyKey, signal: io.interrupted });
