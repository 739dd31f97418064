/**
 * A file's bytes as an answer.
 *
 * FS1 What people uploaded or an agent wrote is never shown by a browser as a page of ours: always an attachment, with the
 *     type that it was given, not to be guessed, and in a sandbox should it be opened all the same.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionFiles, StoredFile } from '../app/session-files.ts';
import { byteRange } from './byte-range.ts';

/** RFC 6266 and 8187: a plain name for old readers, the real one for all others. */
const attachment = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const coded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
};

const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === etag);

export const sendFile = async (request: FastifyRequest, reply: FastifyReply, files: SessionFiles, file: StoredFile): Promise<FastifyReply> => {
  const etag = `"${file.sha256}"`;
  reply.headers({
    etag,
    'content-disposition': attachment(file.name),
    'content-security-policy': `default-src 'none'; sandbox`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
  });
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = request.headers['if-range'];
  const range = typeof ifRange === 'string' && ifRange !== etag ? undefined : byteRange(request.headers.range, file.size);
  const length = range ? range.end - range.start + 1 : file.size;
  reply.type(file.mediaType).header('content-length', length);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  // A stream, so that the length stays as it is told: of a text it would be counted again.
  if (request.method === 'HEAD' || length === 0) return reply.send(Readable.from([]));
  return reply.send(Readable.from(await files.bytesOf(file, range), { objectMode: false }));
};
