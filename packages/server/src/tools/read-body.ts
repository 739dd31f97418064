/**
 * The body of an answer, read up to a bound and shown as what it is.
 *
 * O6 No more than `mostBytes` of a body is read, whatever its headers say; what was not read is said.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Dispatcher } from 'undici';
import { noRedaction, type Redaction } from './secrets/redaction.ts';

const mostBytes = 1024 * 1024;

export type ReadBody = {
  readonly bytes: Buffer;
  readonly whole: boolean;
  readonly mediaType: string;
  readonly charset: string | undefined;
  readonly coding: string;
};

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

export const readBody = async ({ headers, body }: Dispatcher.ResponseData): Promise<ReadBody> => {
  const contentType = headerOf(headers, 'content-type');
  const parts: Buffer[] = [];
  let size = 0;
  let whole = true;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, mostBytes - size));
    size += part.length;
    if (size > mostBytes) {
      whole = false;
      // Leaving the loop ends the body and its connection.
      break;
    }
  }
  return {
    bytes: Buffer.concat(parts),
    whole,
    mediaType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    charset: /;\s*charset="?([^\s";]+)/i.exec(contentType)?.[1],
    coding: headerOf(headers, 'content-encoding').toLowerCase(),
  };
};

const textual = /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql|toml)|image\/svg\+xml)$/;

const decode = (bytes: Buffer, charset: string | undefined): string => {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
};

/** The text of a body; undefined when it is none. */
export const textOfBody = ({ bytes, whole, mediaType, charset, coding }: ReadBody, redaction = noRedaction): string | undefined => {
  if (coding !== '' && coding !== 'identity') return undefined;
  if (mediaType === '' ? !isUtf8(bytes) : !textual.test(mediaType)) return undefined;
  // NUL cannot be stored as text.
  const text = decode(bytes, charset).replaceAll('\0', '\ufffd');
  return whole ? text : `${redaction.part(text, { end: true })}\n[cut: only the first ${mostBytes} bytes were read]`;
};

const describe = ({ bytes, whole, mediaType, coding }: ReadBody): string =>
  `${mediaType || 'content of no named type'}${coding === '' ? '' : ` encoded as ${coding}`}, ${whole ? `${bytes.length}` : `more than ${mostBytes}`} bytes`;

/** What cannot be shown is named, with its size. */
export const leftOut = (body: ReadBody): OutputBlock => ({ type: 'text', text: `[left out: ${describe(body)}]` });

/** The body as a block: text, a picture or sound where it is small enough, else a note. None for an empty body. */
export const blockOfBody = (body: ReadBody, redaction?: Redaction): OutputBlock | undefined => {
  if (body.bytes.length === 0) return undefined;
  const text = textOfBody(body, redaction);
  if (text !== undefined) return { type: 'text', text };
  const kind = /^(image|audio)\//.exec(body.mediaType)?.[1] as 'image' | 'audio' | undefined;
  if (!kind || !body.whole || body.coding !== '') return leftOut(body);
  const data = body.bytes.toString('base64');
  if (data.length > limits.toolOutputBlockBytes - 1_024) return leftOut(body);
  return { type: kind, source: { type: 'base64', media_type: body.mediaType, data } };
};
