/**
 * Markdown that streams, cut into pieces that are drawn once and a tail that is drawn anew with each token.
 *
 * Owns: where a text may be cut without changing what it looks like.
 *
 * TY1 What is settled stays: a longer text begins with the same pieces, so that a piece is parsed once only.
 * TY2 The pieces and the tail together are the text.
 * TY3 Nothing that belongs together is cut: no fenced code, no list, no paragraph, no table.
 * TY4 Fenced code that stands by itself begins a piece. While it is open its text is told apart: that is code as it is, and needs no
 *     parsing with each token.
 */

/** Fenced code that is not closed yet: the line that opens it, and what is in it so far. */
export type OpenCode = { readonly opening: string; readonly code: string };
export type SplitText = {
  readonly settled: readonly string[];
  readonly tail: string;
  /** The tail is this and nothing else. */
  readonly open: OpenCode | undefined;
};

/** Shorter ones are not worth an element of their own. */
const leastPiece = 400;

const fenceLine = /^\s*(`{3,}|~{3,})(.*)$/;
/** At the very left: in no list and no quote. */
const ownFence = /^(?:`{3}|~{3})/;
const listLine = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
/** What may yet become the beginning of a list, of raw HTML or of a definition, or goes on with a list. */
const unsure = /^(?:[\s<[]|[-*+]$|\d{1,9}$|\d{1,9}[.)]$)/;

type Reading = {
  /** The mark that ends the code that is open. */
  readonly fence: string | undefined;
  readonly inList: boolean;
};

const fenceAfter = (fence: string | undefined, line: string): string | undefined => {
  const [, mark, rest = ''] = fenceLine.exec(line) ?? [];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark.startsWith('`') && rest.includes('`') ? undefined : mark;
  return mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === '' ? undefined : fence;
};

/** Whether a block of its own begins with this line, which comes after an empty one. */
const begins = (line: string, { inList }: Reading): boolean => line !== '' && !unsure.test(line) && !(inList && listLine.test(line));

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

/** [TY4] `text` begins with an open fence. The last line end is not shown, and ends of lines that are none here are left to the parser. */
const openCodeOf = (text: string): OpenCode | undefined => {
  const end = lineEnd(text, 0) + 1;
  return end > text.length || text.includes('\r') ? undefined : { opening: text.slice(0, end), code: text.slice(end) };
};

/** Cuts what comes after `start`, which is the beginning or a place where the text was cut: there nothing is open. */
const splitFrom = (text: string, before: readonly string[], start: number): SplitText => {
  const settled = [...before];
  let from = start;
  let reading: Reading = { fence: undefined, inList: false };
  let [afterBlank, fenceAt] = [false, -1];
  for (let at = from; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    const blank = line.trim() === '';
    if (reading.fence === undefined && afterBlank && !blank && begins(line, reading)) {
      if (at - from >= leastPiece || (ownFence.test(line) && text.slice(from, at).trim() !== '')) {
        settled.push(text.slice(from, at));
        from = at;
      }
      reading = { ...reading, inList: false };
    }
    const fence = fenceAfter(reading.fence, line);
    if (reading.fence === undefined && fence !== undefined) fenceAt = at;
    reading = { fence, inList: reading.inList || (reading.fence === undefined && fence === undefined && listLine.test(line)) };
    if (!blank) afterBlank = false;
    else if (reading.fence === undefined) afterBlank = true;
  }
  const tail = text.slice(from);
  return { settled, tail, open: reading.fence !== undefined && fenceAt === from && ownFence.test(tail) ? openCodeOf(tail) : undefined };
};

/** Cuts a text again and again while it grows: only what was its tail is looked at anew [TY1]. */
export const createSplitter = (): ((text: string) => SplitText) => {
  let last = { text: '', split: splitFrom('', [], 0) };
  return (text) => {
    const grows = text.startsWith(last.text);
    const { settled, tail } = last.split;
    last = { text, split: grows ? splitFrom(text, settled, last.text.length - tail.length) : splitFrom(text, [], 0) };
    return last.split;
  };
};

export const splitSettled = (text: string): SplitText => splitFrom(text, [], 0);
