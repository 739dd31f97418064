/**
 * Files that a mini-tool's message brings: from its outbox into the files of a session.
 *
 * AT1 A name in the outbox is a name and no path, and what lies there is read only where it is a plain file of the outbox itself: a link
 *     leads nowhere.
 * AT2 How large a file is, is seen at the file. More than a message may bring is refused before anything is kept.
 * AT3 A file that the session's model cannot be shown is kept all the same, and named in the message: its agent's tools may read it.
 * AT4 What is read holds its room in memory until the message is dealt with [AR1], and is hashed as it is read, piece by piece.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputBlock, UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { mediaTypeOf, numberedName, safeFileName } from '@turnkeeper/core/protocol/file-name';
import { uploadsFolder } from '@turnkeeper/core/protocol/workspace-path';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { App } from '../../app/app.ts';
import type { PlacedFiles } from '../../app/create-minitool-session.ts';
import { sessionGone } from '../../app/find-session.ts';
import { minitoolLimits } from '../../app/minitool-limits.ts';
import { fileLimits, filesFull, inOnePiece } from '../../app/session-files.ts';
import type { FileRow } from '../../ports/file-index.ts';
import type { AskingMinitool } from '../host-api.ts';
import { type Attachment, invalid, type Message } from './arguments.ts';
import type { SessionServices } from './services.ts';

export type ReadAttachment = {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly kind: Attachment['kind'];
};

const opened = async (path: string, place: string): Promise<FileHandle> => {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    throw invalid(`${place}.file: there is no such file in the outbox`, { member: `${place}.file` });
  }
};

/** Read, and hashed, without a pause. */
const pieceBytes = 1_048_576;

const readOne = async (outbox: string, { file, name, mimeType, kind }: Attachment, place: string, room: number): Promise<ReadAttachment> => {
  const handle = await opened(join(outbox, file), place);
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.nlink > 1) throw invalid(`${place}.file: there is no such file in the outbox`, { member: `${place}.file` });
    if (stat.size > room) throw tooLarge(place);
    // One byte more would show that it grew meanwhile.
    const bytes = Buffer.alloc(stat.size + 1);
    const hash = createHash('sha256');
    let size = 0;
    for (let got = -1; got !== 0 && size < bytes.length; size += got) {
      got = (await handle.read(bytes, size, Math.min(pieceBytes, bytes.length - size), size)).bytesRead;
      hash.update(bytes.subarray(size, size + got));
    }
    if (size > stat.size) throw invalid(`${place}: it changed while it was read`, { member: place });
    return { name: safeFileName(name), mediaType: mediaTypeOf(mimeType), bytes: bytes.subarray(0, size), sha256: hash.digest('hex'), kind };
  } finally {
    await handle.close();
  }
};

const tooLarge = (place: string): Error =>
  invalid(`${place}: attachments may have at most ${minitoolLimits.attachmentBytes} bytes, each and together`, {
    member: place,
    limit: minitoolLimits.attachmentBytes,
  });

/** As much as may be read of a message: what is there now, and no more than a message may bring. */
const roomFor = async ({ outboxPath }: Pick<AskingMinitool, 'outboxPath'>, { attachments }: Message): Promise<number> => {
  const sizes = await Promise.all(
    attachments.map(({ file }) =>
      lstat(join(outboxPath, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return Math.min(
    minitoolLimits.attachmentBytes,
    sizes.reduce((sum, size) => sum + size, 0),
  );
};

/** Reads what a message brings and acts on it, within its mini-tool's room (AT4). Throws as `readAttachments`, and what `act` throws. */
export const withAttachments = async <Result>(
  { room }: Pick<SessionServices, 'room'>,
  minitool: Pick<AskingMinitool, 'id' | 'outboxPath' | 'signal'>,
  message: Message,
  place: string,
  act: (attachments: readonly ReadAttachment[]) => Promise<Result>,
): Promise<Result> =>
  room.hold(minitool.id, await roomFor(minitool, message), minitool.signal, async () => act(await readAttachments(minitool, message, place)));

/** `place`: what the message is called among the arguments. Throws `invalid_argument` (AT1, AT2). */
const readAttachments = async (
  { outboxPath }: Pick<AskingMinitool, 'outboxPath'>,
  { attachments }: Message,
  place: string,
): Promise<readonly ReadAttachment[]> => {
  const read: ReadAttachment[] = [];
  let room: number = minitoolLimits.attachmentBytes;
  for (const [n, attachment] of attachments.entries()) {
    const one = await readOne(outboxPath, attachment, `${place}.attachments[${n}]`, room);
    room -= one.bytes.length;
    read.push(one);
  }
  return read;
};

/** By what a repeated message is told from an edited one. */
export const contentOf = ({ text }: Message, attachments: readonly ReadAttachment[]) => ({
  text,
  attachments: attachments.map(({ name, mediaType, sha256 }) => ({ name, mediaType, sha256 })),
});

/** Names in `uploads/` that are tried before a file is kept without one. */
const mostTries = 100;

type Placing = { readonly sessionId: SessionId; readonly ahead: boolean };

const addFile = async (app: App, { sessionId, ahead }: Placing, one: ReadAttachment, id: string): Promise<FileRow> => {
  const kept = await app.files.keep(sessionId, inOnePiece(one.bytes), minitoolLimits.attachmentBytes);
  const row = { name: one.name, mediaType: one.mediaType, ...kept, id, sessionId, source: 'upload', createdAt: app.clock.now() } as const;
  for (let n = 1; n <= mostTries + 1; n += 1) {
    const file: FileRow = { ...row, path: n > mostTries ? null : uploadsFolder + numberedName(one.name, n) };
    const outcome = await app.files.index.add(file, { limits: fileLimits, ahead });
    if (outcome === 'added') return file;
    if (outcome === 'taken' && file.path !== null) continue;
    await app.files.discard(kept);
    throw outcome === 'gone' ? sessionGone() : filesFull();
  }
  throw new TurnkeeperError('internal_error', 'A file found no place.');
};

const blockFor = (app: App, model: string, file: FileRow): InputBlock => {
  if (app.models.inputFault(model, { mediaType: file.mediaType, isUrl: false }) === undefined) return { type: 'file', file_id: file.id };
  return { type: 'text', text: `[Attached file: ${file.path ?? file.name} (${file.mediaType}, ${file.size} bytes)]` };
};

/** Puts the files where the session has them, or, `ahead`, where one that is made next will. */
export const placeFiles = async (
  app: App,
  { text }: Message,
  attachments: readonly ReadAttachment[],
  { sessionId, model, ahead }: Placing & { readonly model: string },
): Promise<PlacedFiles> => {
  const placing = { sessionId, ahead };
  const files: FileRow[] = [];
  const discard = async (): Promise<void> => {
    for (const file of files) await app.files.drop(file);
  };
  try {
    for (const one of attachments) files.push(await addFile(app, placing, one, app.ids.next('file')));
  } catch (error) {
    await discard().catch(() => {});
    throw error;
  }
  const blocks = files.map((file) => blockFor(app, model, file));
  const said: UserMessage = { role: 'user', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...blocks] };
  const ensure = async (): Promise<void> => {
    const there = new Set(
      (
        await app.files.index.filesOf(
          sessionId,
          files.map(({ id }) => id),
        )
      ).map(({ id }) => id),
    );
    for (const [n, one] of attachments.entries()) {
      const id = files[n]?.id;
      if (id !== undefined && !there.has(id)) await addFile(app, { sessionId, ahead: false }, one, id);
    }
  };
  return { message: said, ensure, discard };
};
