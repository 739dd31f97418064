/** A request's body as it comes, for the routes that take bytes. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Api } from './api.ts';
import { discardBody } from './discard-body.ts';

/** Every content type is taken, and none is read. */
export const registerRawBodies = (api: Api): void => {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', (_request, _bytes, done) => done(null, undefined));
};

/**
 * Hands the body over to `use`. When that fails early, what still comes is read and forgotten, so that the client hears
 * why. Throws `payload_too_large` before anything is read where `Content-Length` says so.
 */
export const withBody = async <Answer>(
  raw: IncomingMessage,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<Answer>,
  mostBytes: number = limits.fileBytes,
): Promise<Answer> => {
  try {
    const encoding = raw.headers['content-encoding']?.trim().toLowerCase() || 'identity';
    if (encoding !== 'identity') throw new TurnkeeperError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.');
    if (Number(raw.headers['content-length'] ?? 0) > mostBytes)
      throw new TurnkeeperError('payload_too_large', `At most ${mostBytes} bytes are taken here.`, { limit: mostBytes });
    // Destroyed, it would take the connection along, and the answer with it.
    return await use((raw as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>);
  } catch (error) {
    void discardBody(raw).then(() => {
      if (!raw.complete) raw.destroy();
    });
    throw error;
  }
};
