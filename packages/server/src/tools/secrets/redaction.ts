/**
 * Takes the values of secrets out of what a tool gives back, says or throws (L4).
 *
 * Y1 Every form in which a value is likely to come back is replaced: as it is, as within JSON, URL-encoded, in base64, and
 *    what follows the scheme of a credential. Values shorter than `shortest` are left: replacing them would garble what has
 *    nothing to do with them.
 * Y3 A text is cut after it was redacted. Of one that was cut before, what may be a part of a value is left out at the cut;
 *    of one that comes in pieces, what may be the beginning of a value waits for the next.
 * Y4 Where secrets were used, a picture or a sound is shown only if it is one by its first bytes, and no value stands in it.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import { createCuts } from './cuts.ts';
import { isMedia } from './media-bytes.ts';
import { secretForms } from './secret-forms.ts';

/** In UTF-16 units. */
const shortest = 4;

/** Which ends of a text were cut off before it came here. */
export type CutEnds = { readonly start?: boolean; readonly end?: boolean };

export type Redaction = {
  readonly text: (text: string) => string;
  readonly output: (blocks: readonly OutputBlock[]) => readonly OutputBlock[];
  /** A part of a longer text [Y3]. */
  readonly part: (text: string, cut: CutEnds) => string;
  /** Of pieces that come one after the other: what may be the beginning of a value is shown with the next, or never. */
  readonly pieces: () => (piece: string) => string;
  /** UTF-16 units of the longest form of a value; 0 when there is no secret. */
  readonly longest: number;
};

/** Of these secrets, by name. */
export const createRedaction = (secrets: ReadonlyMap<string, string>): Redaction => {
  const found = [...secrets].flatMap(([name, value]) =>
    value.trim().length < shortest ? [] : secretForms(value).map((form) => [form, `[secret ${name}]`] as const),
  );
  // The longest first: a secret may hold another one.
  const forms = [...new Map(found)].toSorted(([a], [b]) => b.length - a.length);
  const cuts = createCuts(
    forms.map(([form]) => form),
    shortest,
  );
  const { longest } = cuts;
  const text = (from: string): string => forms.reduce((safe, [form, name]) => safe.replaceAll(form, name), from);
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return text(String(value)) === String(value) ? value : text(String(value));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(json);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), json(member)]));
  };
  const part = (from: string, cut: CutEnds): string => {
    if (longest === 0) return from;
    const start = cut.start ? cuts.safeStart(from) : 0;
    return text(from.slice(start, cut.end ? Math.max(start, cuts.safeEnd(from)) : from.length));
  };
  const pieces = (): ((piece: string) => string) => {
    let held = '';
    return (piece) => {
      const safe = text(held + piece);
      const shown = safe.length - cuts.begun(safe);
      held = safe.slice(shown);
      return safe.slice(0, shown);
    };
  };
  const media = (from: Extract<OutputBlock, { source: unknown }>): OutputBlock => {
    const { source } = from;
    if (source.type !== 'base64') return json(from as unknown as Json) as unknown as OutputBlock;
    const bytes = Buffer.from(source.data, 'base64');
    const plain = bytes.toString('utf8');
    if (isMedia(from.type, bytes) && text(plain) === plain && text(source.data) === source.data)
      return { ...from, source: { ...source, media_type: text(source.media_type) } };
    return { type: 'text', text: `[left out: ${text(source.media_type)}, ${bytes.length} bytes: what it holds could not be looked through for secrets]` };
  };
  const block = (from: OutputBlock): OutputBlock => {
    switch (from.type) {
      case 'text':
        return { ...from, text: text(from.text) };
      case 'data':
        return { ...from, data: json(from.data as Json) } as OutputBlock;
      case 'image':
      case 'audio':
      case 'video':
        return media(from);
    }
  };
  return { text, output: (blocks) => (forms.length === 0 ? blocks : blocks.map(block)), part, pieces, longest };
};

export const noRedaction: Redaction = createRedaction(new Map());
