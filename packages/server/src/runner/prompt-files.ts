/**
 * The files that a prompt refers to, read when the model is called: the context holds their ids only.
 *
 * PF1 The newest files that fit are shown; what does not fit, or is not there any more, is named in words: it fails no call.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { PromptMessage } from '@turnkeeper/core/session/context';
import type { SessionFiles, StoredFile } from '../app/session-files.ts';
import type { PromptFile } from '../ports/model.ts';

/** The ids of files that users sent, the newest first, each once. */
const fileIds = (messages: readonly PromptMessage[]): readonly string[] => {
  const blocks = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
  return [...new Set(blocks.flatMap((block) => (block.type === 'file' ? [block.file_id] : [])).toReversed())];
};

/** Undefined: they are not there, though the file is. A medium that fails is waited for. */
const bytesOf = (files: SessionFiles, file: StoredFile): Promise<Uint8Array | undefined> =>
  files.readAll(file).catch((error: unknown) => {
    if (error instanceof TurnkeeperError && error.code === 'not_found') return undefined;
    throw error;
  });

export const readPromptFiles = async (files: SessionFiles, sessionId: string, messages: readonly PromptMessage[]): Promise<ReadonlyMap<string, PromptFile>> => {
  const shown = new Map<string, PromptFile>();
  const ids = fileIds(messages);
  const found = new Map((await files.index.filesOf(sessionId, ids)).map((file) => [file.id, file]));
  let left: number = limits.promptFileBytes;
  for (const id of ids) {
    const file = found.get(id);
    if (!file) continue;
    const bytes = file.size <= left ? await bytesOf(files, file) : undefined;
    if (bytes) left -= file.size;
    shown.set(id, { name: file.name, mediaType: file.mediaType, ...(bytes ? { bytes } : {}) });
  }
  return shown;
};
