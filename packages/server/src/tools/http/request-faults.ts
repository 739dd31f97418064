/**
 * What of an HTTP tool's request may not be written, or not be left to a model.
 *
 * H7 How a message is framed, and which host it is for, is never in a model's hand: such headers are refused in a
 *    definition, and left out where an older one has them.
 * H8 A text that is sent as JSON other than `application/json` goes as it is: a template within it could become syntax, so it
 *    is the whole body, or it is refused.
 */
import type { HttpTool } from '@turnkeeper/core/protocol/wire/agents';
import { type Fault, pointerOf } from '@turnkeeper/core/protocol/wire-faults';

/** Those that say how the message is framed or the connection is used: they are this server's. */
const framing = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

const hasTemplate = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');

/** Why the header cannot be sent; undefined when it can. `value` as the definition has it. */
export const headerRefusal = (name: string, value: unknown): string | undefined => {
  const known = name.toLowerCase();
  if (framing.has(known)) return 'the server sets this header by itself';
  if (hasTemplate(value) && (known === 'host' || known === 'content-type')) return 'this header must not be filled in from the input';
  return undefined;
};

/** JSON that is not `application/json` or `application/…+json`: a text body of it is sent as it is. */
export const isOtherJson = (contentType: string): boolean => /^\s*(?!application\/)[^/;]+\/(?:[^;]*\+)?(?:x-)?json\b/i.test(contentType);

/** A template that stands within a longer text. */
export const isPartlyFilled = (body: unknown): body is string => hasTemplate(body) && !/^\s*\{\{[^{}]*\}\}\s*$/.test(body as string);

/** By JSON pointer within the request. */
export const requestFaults = ({ headers = {}, body }: HttpTool['request']): readonly Fault[] => {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) => {
    const detail = headerRefusal(name, value);
    return detail === undefined ? [] : [{ pointer: pointerOf(['headers', name]), detail }];
  });
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isUnsafe = typeof contentType === 'string' && isOtherJson(contentType) && isPartlyFilled(body);
  return isUnsafe
    ? [...ofHeaders, { pointer: '/body', detail: `a text sent as ${contentType} must not have a template within it: write the body as JSON` }]
    : ofHeaders;
};
