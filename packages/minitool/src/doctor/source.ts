/**
 * A source file as the doctor reads it: by characters, not as a program.
 *
 * MD1 Nothing is found in comments. What is looked for in code is not found in texts either.
 *
 * The three views have the same length and the same lines, so that a place in one is that place in all.
 */
export type Source = {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** As it is. */
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Without comments, and with nothing in its texts and regular expressions. */
  readonly bare: string;
};

type Kind = 'code' | 'comment' | 'literal';
type Piece = { readonly kind: Kind; readonly end: number };

/** A `/` here begins a regular expression: no value ends before it. */
const beginsRegExp = (before: string): boolean => {
  const last = before.trimEnd();
  return last === '' || /[({[=,;:!&|?+\-*%~^<>]$/.test(last) || /\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/.test(last);
};

const endOfQuoted = (text: string, at: number, quote: string): number => {
  for (let place = at + 1; place < text.length; place += 1) {
    if (text[place] === '\\') place += 1;
    else if (text[place] === quote || text[place] === '\n') return place + 1;
  }
  return text.length;
};

const endOfRegExp = (text: string, at: number): number => {
  let isInClass = false;
  for (let place = at + 1; place < text.length; place += 1) {
    const character = text[place];
    if (character === '\n') return at + 1;
    if (character === '\\') place += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return place + 1;
  }
  return at + 1;
};

const endOf = (text: string, found: number): number => (found < 0 ? text.length : found);

/** The piece that begins at a place which is neither in a text nor in a comment. */
const pieceAt = (text: string, at: number): Piece => {
  const two = text.slice(at, at + 2);
  if (two === '//') return { kind: 'comment', end: endOf(text, text.indexOf('\n', at)) };
  if (two === '/*') return { kind: 'comment', end: endOf(text, text.indexOf('*/', at + 2)) + 2 };
  const one = text[at];
  if (one === "'" || one === '"') return { kind: 'literal', end: endOfQuoted(text, at, one) };
  if (one === '/' && beginsRegExp(text.slice(Math.max(0, at - 40), at))) return { kind: 'literal', end: endOfRegExp(text, at) };
  return { kind: 'code', end: at + 1 };
};

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** Keeps what a text begins and ends with, so that one can be told from another. One that is not closed ends with nothing. */
const hollow = (text: string): string =>
  text.length < 2 ? text : `${text[0]}${blank(text.slice(1, -1))}${text.at(-1) === text[0] ? text[0] : blank(text.slice(-1))}`;

type Views = { code: string; bare: string };

const add = (views: Views, code: string, bare: string): void => {
  views.code += code;
  views.bare += bare;
};

/** Reads to the brace that closes what was opened before `at`, or to the end. */
const readCode = (text: string, at: number, views: Views): number => {
  let depth = 0;
  let place = at;
  while (place < text.length) {
    if (text[place] === '`') {
      place = readTemplate(text, place, views);
      continue;
    }
    if (text[place] === '}' && depth === 0 && at > 0) return place;
    if (text[place] === '{') depth += 1;
    if (text[place] === '}') depth -= 1;
    const { kind, end } = pieceAt(text, place);
    const piece = text.slice(place, end);
    if (kind === 'comment') add(views, blank(piece), blank(piece));
    else add(views, piece, kind === 'literal' ? hollow(piece) : piece);
    place = Math.min(end, text.length);
  }
  return place;
};

/** A template: its texts are texts, what stands in `${…}` is code. */
const readTemplate = (text: string, at: number, views: Views): number => {
  add(views, '`', '`');
  let place = at + 1;
  while (place < text.length && text[place] !== '`') {
    if (text.startsWith('${', place)) {
      add(views, '${', '${');
      place = readCode(text, place + 2, views);
      continue;
    }
    const end = text[place] === '\\' ? place + 2 : place + 1;
    add(views, text.slice(place, end), blank(text.slice(place, end)));
    place = end;
  }
  if (place < text.length) add(views, '`', '`');
  return place + 1;
};

export const readSource = (path: string, text: string): Source => {
  const views: Views = { code: '', bare: '' };
  readCode(text, 0, views);
  return { path, text, ...views };
};

export const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length;

/** Where the bracket that opens at `at` is closed; the end of the text where it is not. */
export const closingOf = (bare: string, at: number): number => {
  let depth = 0;
  for (let place = at; place < bare.length; place += 1) {
    if ('([{'.includes(bare[place] ?? '.')) depth += 1;
    else if (')]}'.includes(bare[place] ?? '.')) {
      depth -= 1;
      if (depth === 0) return place;
    }
  }
  return bare.length;
};
