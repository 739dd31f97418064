/**
 * The little markdown that a chat shows: paragraphs, headings, lists, tables, quotes, code, and links. No HTML, no images: what is not
 * understood stays the text that it is.
 *
 * MD1 Nothing but text and these elements comes out, and a link leads by http, https or mailto only.
 * MD2 Blocks of a text that grows stay the same from the front: only the last one changes with a token.
 */

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly inner: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly inner: readonly Inline[] };

export type ListItem = { readonly depth: number; readonly ordered: boolean; readonly text: string };
export type Align = 'left' | 'center' | 'right';
export type Block =
  | { readonly kind: 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly aligned: readonly Align[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' };

/** [MD1] */
export const safeLink = (address: string): string | undefined => {
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).href;
};

const marks =
  /(`+)([^`]|[^`].*?[^`])\1(?!`)|\*\*([^*\s](?:.*?[^\s])?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^[\]]+)\]\(([^\s()]+)\)|\bhttps?:\/\/[^\s<>()[\]]*[^\s<>()[\].,;:!?'"*`]/gs;
const deepest = 4;

export const inlineOf = (text: string, depth = 0): readonly Inline[] => {
  if (depth > deepest) return [{ kind: 'text', text }];
  const out: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, , code, strong, em, label, address] = match;
    const node = ((): Inline | undefined => {
      if (code !== undefined) return { kind: 'code', text: code };
      if (strong !== undefined) return { kind: 'strong', inner: inlineOf(strong, depth + 1) };
      if (em !== undefined) return { kind: 'em', inner: inlineOf(em, depth + 1) };
      const href = safeLink(address ?? whole);
      return href === undefined ? undefined : { kind: 'link', href, inner: label === undefined ? [{ kind: 'text', text: whole }] : inlineOf(label, depth + 1) };
    })();
    if (!node) continue;
    if (match.index > from) out.push({ kind: 'text', text: text.slice(from, match.index) });
    out.push(node);
    from = match.index + whole.length;
  }
  if (from < text.length) out.push({ kind: 'text', text: text.slice(from) });
  return out;
};

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const quote = /^ {0,3}>\s?(.*)$/;

const underHead = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

type Reader = { readonly lines: readonly string[]; at: number };

const readCode = (reader: Reader, mark: string, language: string): Block => {
  const lines: string[] = [];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? '';
    if (line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] ?? '', '') === '') {
      reader.at += 1;
      break;
    }
    lines.push(line);
  }
  return { kind: 'code', language, text: lines.join('\n') };
};

const readList = (reader: Reader, ordered: boolean, start: number): Block => {
  const items: ListItem[] = [];
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? '';
    const [, indent = '', number, text = ''] = item.exec(line) ?? [];
    const last = items.at(-1);
    if (item.test(line)) {
      const depth = Math.min(Math.floor(indent.replaceAll('\t', '  ').length / 2), 3);
      // Another kind of list begins, but for one that stands below an item.
      if (depth === 0 && (number !== undefined) !== ordered) break;
      items.push({ depth, ordered: number !== undefined, text });
    } else if (line.trim() === '') {
      if (!item.test(reader.lines[reader.at + 1] ?? '')) break;
    } else if (last && /^\s+/.test(line)) {
      items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
    } else break;
  }
  return { kind: 'list', ordered, start, items };
};

/** Of a row of a table; `\|` is a sign and ends none. */
const cellsOf = (line: string): string[] => {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
};

/** A row of names with a row of dashes below it, as many of one as of the other. */
const beginsTable = ({ lines, at }: Reader): boolean => {
  const [head = '', under = ''] = [lines[at], lines[at + 1]];
  return head.includes('|') && underHead.test(under) && cellsOf(head).length === cellsOf(under).length;
};

const alignOf = (dashes: string): Align => {
  if (!dashes.endsWith(':')) return 'left';
  return dashes.startsWith(':') ? 'center' : 'right';
};

const readTable = (reader: Reader): Block => {
  const head = cellsOf(reader.lines[reader.at] ?? '');
  const aligned = cellsOf(reader.lines[reader.at + 1] ?? '').map(alignOf);
  const rows: string[][] = [];
  for (reader.at += 2; reader.at < reader.lines.length && isPlain(reader.lines[reader.at] ?? ''); reader.at += 1) {
    const cells = cellsOf(reader.lines[reader.at] ?? '');
    rows.push(head.map((_, column) => cells[column] ?? ''));
  }
  return { kind: 'table', head, aligned, rows };
};

const isPlain = (line: string): boolean => line.trim() !== '' && ![fence, heading, rule, item, quote].some((each) => each.test(line));

const readWhile = (reader: Reader, fits: (line: string) => boolean): string => {
  const from = reader.at;
  do reader.at += 1;
  while (reader.at < reader.lines.length && fits(reader.lines[reader.at] ?? '') && !beginsTable(reader));
  return reader.lines.slice(from, reader.at).join('\n');
};

const readBlock = (reader: Reader): Block => {
  const line = reader.lines[reader.at] ?? '';
  const [, mark, language = ''] = fence.exec(line) ?? [];
  if (mark !== undefined) return readCode(reader, mark, language);
  const [, level, title] = heading.exec(line) ?? [];
  if (level !== undefined) {
    reader.at += 1;
    return { kind: 'heading', level: level.length, text: title ?? '' };
  }
  if (rule.test(line)) {
    reader.at += 1;
    return { kind: 'rule' };
  }
  if (quote.test(line)) return { kind: 'quote', text: readWhile(reader, (next) => quote.test(next)).replaceAll(/^ {0,3}>\s?/gm, '') };
  if (beginsTable(reader)) return readTable(reader);
  const [, , number] = item.exec(line) ?? [];
  if (item.test(line)) return readList(reader, number !== undefined, Number(number ?? 1));
  return { kind: 'paragraph', text: readWhile(reader, isPlain) };
};

/** A block with the text that it was made of: what draws it again may be told apart by that alone. */
export type BlockOf = { readonly source: string; readonly block: Block };
type Placed = BlockOf & { readonly from: number };

const readFrom = (text: string, from: number): readonly Placed[] => {
  const reader: Reader = { lines: text.slice(from).split('\n'), at: 0 };
  const blocks: Placed[] = [];
  let [begins, counted] = [from, 0];
  while (reader.at < reader.lines.length) {
    const at = reader.at;
    for (; counted < at; counted += 1) begins += (reader.lines[counted] ?? '').length + 1;
    if ((reader.lines[at] ?? '').trim() === '') {
      reader.at += 1;
      continue;
    }
    const block = readBlock(reader);
    blocks.push({ source: reader.lines.slice(at, reader.at).join('\n').trimEnd(), block, from: begins });
  }
  return blocks;
};

/**
 * [MD2] Reads a text again and again while it grows. The last block may become more, and the one before it may take that in (`-`
 * becomes an item of the list above): those two are read anew, all before them are the same objects.
 */
export const createBlockReader = (): ((text: string) => readonly BlockOf[]) => {
  let last: { readonly text: string; readonly blocks: readonly Placed[] } = { text: '', blocks: [] };
  return (given) => {
    const text = given.replaceAll('\r\n', '\n');
    const kept = text.startsWith(last.text) ? last.blocks.slice(0, -2) : [];
    const from = last.blocks[kept.length]?.from ?? 0;
    last = { text, blocks: [...kept, ...readFrom(text, kept.length === 0 ? 0 : from)] };
    return last.blocks;
  };
};

export const blocksOf = (text: string): readonly BlockOf[] => createBlockReader()(text);

export type NestedItem = { readonly text: string; readonly below: readonly ListItem[] };

/** The items of a list, each with those that stand below it. */
export const nested = (items: readonly ListItem[]): readonly NestedItem[] => {
  const top = items[0]?.depth ?? 0;
  const out: { text: string; below: ListItem[] }[] = [];
  for (const each of items) {
    const last = out.at(-1);
    if (last && each.depth > top) last.below.push(each);
    else out.push({ text: each.text, below: [] });
  }
  return out;
};
