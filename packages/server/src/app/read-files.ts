/** Use cases: list files, read one, read its bytes. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FileResource } from '@turnkeeper/core/protocol/wire/files';
import type { FileRow } from '../ports/file-index.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { fileResource } from './file-resource.ts';
import { findSession } from './find-session.ts';

export type FilesPage = { readonly items: readonly FileResource[]; readonly next_offset: number | null };

/** What was uploaded or published, oldest first. What an agent only wrote into its workspace is its own affair. */
export const listFiles = async (app: App, caller: Caller, sessionId: string, page: { readonly offset: number; readonly limit: number }): Promise<FilesPage> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const rows = await app.files.index.files(session.row.id, { offset: page.offset, limit: page.limit + 1 });
  return { items: rows.slice(0, page.limit).map(fileResource), next_offset: rows.length > page.limit ? page.offset + page.limit : null };
};

/** Throws `not_found`: another session's file is not there either. */
export const findFile = async (app: App, caller: Caller, sessionId: string, fileId: string): Promise<FileRow> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const file = await app.files.fileOf(session.row.id, fileId);
  if (!file) throw new TurnkeeperError('not_found', 'There is no such file.');
  return file;
};

export const readFile = async (app: App, caller: Caller, sessionId: string, fileId: string): Promise<FileResource> =>
  fileResource(await findFile(app, caller, sessionId, fileId));
