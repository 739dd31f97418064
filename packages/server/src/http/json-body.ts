/** Reads request bodies: JSON of valid UTF-8, nothing, or a refusal. */
import { isUtf8 } from 'node:buffer';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Api } from './api.ts';
import { holdsMoreValues } from './count-values.ts';
import { checkBody, refuseTooManyValues } from './validation.ts';

/** Smaller ones cost little to parse, whatever they hold, and are then told their faults more exactly. */
const countedFrom = 256 * 1024;

/** The value of a body; `{}` for an empty one. Throws `invalid_request` or `validation_failed`. */
export const parseBody = (bytes: Buffer): unknown => {
  // Broken UTF-8 would silently become U+FFFD.
  if (!isUtf8(bytes)) throw new TurnkeeperError('invalid_request', 'The body is not valid UTF-8.');
  if (bytes.length > countedFrom && holdsMoreValues(bytes, limits.jsonNodes)) refuseTooManyValues();
  const text = bytes.toString('utf8');
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    // A byte order mark is legal to send and illegal to JSON.parse.
    body = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new TurnkeeperError('invalid_request', 'The body is not valid JSON.');
  }
  checkBody(body);
  return body;
};

export const registerJsonBodies = (api: Api): void => {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
      // Unpacked, a small body could be a huge one.
      if (encoding !== 'identity') throw new TurnkeeperError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.');
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
};
