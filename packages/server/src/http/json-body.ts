/** Reads request bodies: JSON of valid UTF-8, nothing, or a refusal. */
import { isUtf8 } from 'node:buffer';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Api } from './api.ts';
import { checkBody } from './validation.ts';

const parse = (bytes: Buffer): unknown => {
  // Broken UTF-8 would silently become U+FFFD.
  if (!isUtf8(bytes)) throw new TurnkeeperError('invalid_request', 'The body is not valid UTF-8.');
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
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parse(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
};
