/** `turnkeeper files`, `upload`, `download`: what a session was given, and what is taken out of it. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { safeFileName } from '@turnkeeper/core/protocol/file-name';
import type { FileResource } from '@turnkeeper/core/protocol/wire/files';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { localFile, sendFile, sizeText, uploadedText } from '../local-file.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { saveWhole } from '../save-whole.ts';
import { resolveSession } from '../session-ref.ts';
import { atText } from '../time.ts';

const fileRow = ({ id, name, media_type, size, created_at }: FileResource) => [id, oneLine(name, 60), media_type, sizeText(size), atText(created_at)];

export const listFiles = async (context: CommandContext, ref: string | undefined): Promise<ExitCode> => {
  const session = await resolveSession(context.client, ref);
  const items = await everyItem((page) => context.client.files.list(session.id, page));
  printList(context, items, { none: 'No files.', row: fileRow });
  return exitCodes.completed;
};

export type UploadOptions = { readonly name?: string; readonly type?: string };

export const upload = async (context: CommandContext, path: string, ref: string | undefined, options: UploadOptions): Promise<ExitCode> => {
  const { client, io, json, print, printJson } = context;
  const file = localFile(io, path, options);
  const session = await resolveSession(client, ref);
  const made = await sendFile(context, session.id, file, freshKey('upload'));
  if (json) printJson(made);
  else print(uploadedText(made));
  return exitCodes.completed;
};

/** A file by its id, or the file behind an artifact. */
const fileIdOf = async ({ client }: CommandContext, sessionId: string, id: string): Promise<{ readonly fileId: string; readonly name: string }> => {
  if (!id.startsWith('art_')) return { fileId: id, name: (await client.files.get(sessionId, id)).name };
  const { file_id, uri, name } = await client.artifacts.get(sessionId, id);
  if (file_id === undefined) throw new UsageError(`The bytes of this artifact are elsewhere: ${uri}`);
  return { fileId: file_id, name };
};

export type DownloadOptions = { readonly to?: string; readonly force?: boolean };

export const download = async (context: CommandContext, id: string, ref: string | undefined, { to, force }: DownloadOptions): Promise<ExitCode> => {
  const { client, io, json, print, printJson } = context;
  const session = await resolveSession(client, ref);
  const { fileId, name } = await fileIdOf(context, session.id, id);
  // Never a path of the server's choosing.
  const own = safeFileName(name);
  const given = to === undefined ? join(io.cwd, own) : resolve(io.cwd, to);
  const target = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, own) : given;
  if (existsSync(target) && force !== true) throw new UsageError(`${target} is there already. Choose another name with --to, or write over it with --force.`);
  await saveWhole(target, (await client.files.download(session.id, fileId, { signal: io.interrupted })).body ?? []);
  const { size } = statSync(target);
  if (json) printJson({ id, file: target, size });
  else print(`downloaded ${target} (${sizeText(size)})`);
  return exitCodes.completed;
};
