/**
 * A message on its way to the server: held to its limits, its attachments put into files.
 *
 * MO1 What breaks a limit is refused as `invalid_argument` before any of it is written or sent.
 * MO2 The files are deleted when the call has been answered, however it went.
 */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeBase64, decodedSize } from '../base64.ts';
import { invalidArgument, messageOf } from '../failure.ts';
import { attachmentKinds, hasMoreCharacters, mostAttachmentBytes, mostAttachments, mostTextCharacters } from '../message-limits.ts';
import type { SentAttachment } from '../protocol.ts';

type Members = Readonly<Record<string, unknown>>;
type Decoded = { readonly said: Omit<SentAttachment, 'file'>; readonly bytes: Buffer };

/** A message without its attachments' bytes, and what ends their files. What is no message at all is left to the server. */
export type Outgoing = { readonly message: unknown; readonly release: () => Promise<void> };

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const isKind = (value: unknown): value is SentAttachment['kind'] => value === undefined || attachmentKinds.some((kind) => kind === value);

const tooLarge = (pointer: string, size: number, which: string): Error =>
  invalidArgument(`${pointer}: ${which} ${mostAttachmentBytes} bytes at most, not ${size}`, { pointer, limit: mostAttachmentBytes });

const decode = (attachment: unknown, pointer: string): Decoded => {
  if (!isObject(attachment)) throw invalidArgument(`${pointer} must be {name, mimeType, data}`, { pointer });
  const { name, mimeType, data, kind } = attachment;
  if (typeof name !== 'string' || name === '') throw invalidArgument(`${pointer}/name must be a name`, { pointer: `${pointer}/name` });
  if (typeof mimeType !== 'string' || mimeType === '') throw invalidArgument(`${pointer}/mimeType must be a media type`, { pointer: `${pointer}/mimeType` });
  if (!isKind(kind)) throw invalidArgument(`${pointer}/kind must be one of ${attachmentKinds.join(', ')}`, { pointer: `${pointer}/kind` });
  if (typeof data !== 'string') throw invalidArgument(`${pointer}/data must be base64`, { pointer: `${pointer}/data` });
  const size = Math.ceil(decodedSize(data));
  if (size > mostAttachmentBytes) throw tooLarge(`${pointer}/data`, size, 'an attachment has');
  const bytes = decodeBase64(data);
  if (!bytes) throw invalidArgument(`${pointer}/data is not base64`, { pointer: `${pointer}/data` });
  return { said: { name, mimeType, ...(kind === undefined ? {} : { kind }), size: bytes.length }, bytes };
};

const decodeAll = (attachments: readonly unknown[], at: string): readonly Decoded[] => {
  if (attachments.length > mostAttachments)
    throw invalidArgument(`${at}/attachments: at most ${mostAttachments}, not ${attachments.length}`, { pointer: `${at}/attachments`, limit: mostAttachments });
  let sum = 0;
  return attachments.map((attachment, index) => {
    const decoded = decode(attachment, `${at}/attachments/${index}`);
    sum += decoded.bytes.length;
    if (sum > mostAttachmentBytes) throw tooLarge(`${at}/attachments`, sum, 'attachments have together');
    return decoded;
  });
};

/** `at` is where the message stands in what was given, for the faults. */
export const prepareMessage = async (message: unknown, outboxPath: string, at = ''): Promise<Outgoing> => {
  if (!isObject(message)) return { message, release: async () => {} };
  const { text, attachments } = message;
  if (typeof text === 'string' && hasMoreCharacters(text, mostTextCharacters))
    throw invalidArgument(`${at}/text: at most ${mostTextCharacters} characters`, { pointer: `${at}/text`, limit: mostTextCharacters });
  if (!Array.isArray(attachments)) return { message, release: async () => {} };
  const decoded = decodeAll(attachments, at);
  const files: string[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(files.map((file) => rm(join(outboxPath, file), { force: true }).catch(() => {})));
  };
  try {
    const sent: SentAttachment[] = [];
    for (const { said, bytes } of decoded) {
      const file = randomUUID();
      files.push(file);
      await writeFile(join(outboxPath, file), bytes, { flag: 'wx', mode: 0o600 });
      sent.push({ file, ...said });
    }
    return { message: { ...message, attachments: sent }, release };
  } catch (error) {
    await release();
    throw new Error(`The attachments could not be written: ${messageOf(error)}`, { cause: error });
  }
};
