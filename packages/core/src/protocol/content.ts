/**
 * Content blocks: what messages and tool results are made of on the wire, in events and in the context.
 */
import { z } from 'zod';
import { limits } from './wire/limits.ts';

export const textBlock = z.object({ type: z.literal('text'), text: z.string() });

/** Where the bytes of a media block are. `base64` carries them; `url` names them. */
const mediaSource = z.discriminatedUnion('type', [
  z.object({ type: z.literal('base64'), media_type: z.string().min(1), data: z.base64() }),
  z.object({ type: z.literal('url'), url: z.url(), media_type: z.string().min(1).optional() }),
]);
const mediaBlock = z.object({ type: z.enum(['image', 'audio', 'video']), source: mediaSource, name: z.string().optional() });
const dataBlock = z.object({ type: z.literal('data'), data: z.json() });
const fileBlock = z.object({ type: z.literal('file'), file_id: z.string().min(1) });

/** What a user may say. */
export const inputBlock = z.discriminatedUnion('type', [textBlock, mediaBlock, dataBlock, fileBlock]);
export const userMessage = z.object({ role: z.literal('user'), content: z.array(inputBlock).min(1).max(limits.contentBlocks) });

export type TextBlock = z.infer<typeof textBlock>;
export type InputBlock = z.infer<typeof inputBlock>;
export type UserMessage = z.infer<typeof userMessage>;

/** A tool request inside an assistant's item. `content` is the argument text as the model wrote it. */
export const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.json()),
  content: z.string().optional(),
});
/** What a tool gave back. */
export const outputBlock = z.discriminatedUnion('type', [textBlock, mediaBlock, dataBlock]);

export type ToolUseBlock = z.infer<typeof toolUseBlock>;
export type OutputBlock = z.infer<typeof outputBlock>;
export type ItemBlock = InputBlock | ToolUseBlock;

/** Length as people count it: Unicode code points, not UTF-16 units (semantics, section 4). */
export const codePoints = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) at += 1;
    count += 1;
  }
  return count;
};

/**
 * The first characters of a text, at most `limit` code points. Never ends inside what people see as one character (a
 * flag, a family, a letter with its accent), unless the first one alone is over the limit.
 */
export const firstCodePoints = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const end = endOfCodePoints(text, limit);
  return end === text.length ? text : text.slice(0, wholeCharacter(text, end) || end);
};

/** A text held to `limit` code points; one that was cut says so, and how long it was. */
export const cutText = (text: string, limit: number): string => {
  const kept = firstCodePoints(text, limit);
  return kept.length === text.length ? text : `${kept}\n[cut: ${codePoints(text)} characters in all]`;
};

/** Where the first `limit` code points end. */
const endOfCodePoints = (text: string, limit: number): number => {
  let at = 0;
  for (let count = 0; count < limit && at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
};

/** How far a character may reach over a place, and how far back a plain one is looked for. */
const reach = 256;
/** Letters, digits and signs of Latin scripts: a character begins before each, whatever stands there. */
const isPlain = (unit: number): boolean => unit >= 0x20 && unit < 0x300 && unit !== 0xad;

/** The last place at or before `end` where a character ends. Looks only near `end`: texts are long. */
const wholeCharacter = (text: string, end: number): number => {
  let from = end - 1;
  while (from > 0 && end - from < reach && !isPlain(text.charCodeAt(from))) from -= 1;
  // Nothing plain near: do not begin inside a surrogate pair.
  if (from > 0 && (text.charCodeAt(from) & 0xfc00) === 0xdc00) from -= 1;
  let last = from;
  for (const { index, segment } of new Intl.Segmenter().segment(text.slice(from, end + reach))) {
    if (from + index + segment.length > end) break;
    last = from + index + segment.length;
  }
  return last;
};
