/** What is being typed: a text of one or more lines, a cursor in it, and what was typed before. A value; keys make another. */
import { cellWidth, graphemes } from '../output/cell-width.ts';
import type { Key } from './keys.ts';
import { cutRows } from './line.ts';

export type Editor = {
  readonly text: string;
  /** Where the cursor stands, counted in UTF-16 units. */
  readonly at: number;
  /** What was sent, the oldest first. */
  readonly history: readonly string[];
  /** The place in the history; its length: the text that is new. */
  readonly place: number;
  /** The new text, while an old one is looked at. */
  readonly draft: string;
};

const mostHistory = 200;

export const emptyEditor = (history: readonly string[] = []): Editor => ({ text: '', at: 0, history, place: history.length, draft: '' });
export const withText = (editor: Editor, text: string): Editor => ({ ...editor, text, at: text.length });

export const insert = (editor: Editor, text: string): Editor => ({
  ...editor,
  text: editor.text.slice(0, editor.at) + text + editor.text.slice(editor.at),
  at: editor.at + text.length,
});

/** The text is taken out, and remembered. */
export const sent = ({ text, history }: Editor): Editor =>
  emptyEditor(text.trim() === '' || history.at(-1) === text ? history : [...history, text].slice(-mostHistory));

const before = ({ text, at }: Editor): number => at - (graphemes(text.slice(0, at)).at(-1)?.length ?? 0);
const after = ({ text, at }: Editor): number => at + (graphemes(text.slice(at))[0]?.length ?? 0);
const lineStart = ({ text, at }: Editor): number => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = ({ text, at }: Editor): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};
const wordBefore = ({ text, at }: Editor): number => at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);
const wordAfter = ({ text, at }: Editor): number => at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0);

const cut = (editor: Editor, from: number, to: number): Editor => ({ ...editor, text: editor.text.slice(0, from) + editor.text.slice(to), at: from });

const inHistory = (editor: Editor, step: 1 | -1): Editor => {
  const place = Math.min(Math.max(editor.place + step, 0), editor.history.length);
  if (place === editor.place) return editor;
  const draft = editor.place === editor.history.length ? editor.text : editor.draft;
  return { ...withText(editor, editor.history[place] ?? draft), place, draft };
};

/** A line up or down; beyond the first and the last one lies what was sent before. */
const vertically = (editor: Editor, step: 1 | -1): Editor => {
  const start = lineStart(editor);
  const end = lineEnd(editor);
  if (step === -1 ? start === 0 : end === editor.text.length) return inHistory(editor, step);
  const column = editor.at - start;
  const from = step === -1 ? lineStart({ ...editor, at: start - 1 }) : end + 1;
  return { ...editor, at: Math.min(from + column, lineEnd({ ...editor, at: from })) };
};

const ofName = (editor: Editor, name: string): Editor | undefined => {
  switch (name) {
    case 'newline':
      return insert(editor, '\n');
    case 'backspace':
      return cut(editor, before(editor), editor.at);
    case 'delete':
      return cut(editor, editor.at, after(editor));
    case 'left':
      return { ...editor, at: before(editor) };
    case 'right':
      return { ...editor, at: after(editor) };
    case 'home':
      return { ...editor, at: lineStart(editor) };
    case 'end':
      return { ...editor, at: lineEnd(editor) };
    case 'wordleft':
      return { ...editor, at: wordBefore(editor) };
    case 'wordright':
      return { ...editor, at: wordAfter(editor) };
    case 'up':
      return vertically(editor, -1);
    case 'down':
      return vertically(editor, 1);
    default:
      return undefined;
  }
};

const ofLetter = (editor: Editor, letter: string): Editor | undefined => {
  switch (letter) {
    case 'a':
      return { ...editor, at: lineStart(editor) };
    case 'e':
      return { ...editor, at: lineEnd(editor) };
    case 'u':
      return cut(editor, lineStart(editor), editor.at);
    case 'k':
      return cut(editor, editor.at, lineEnd(editor));
    case 'w':
      return cut(editor, wordBefore(editor), editor.at);
    case 'p':
      return inHistory(editor, -1);
    case 'n':
      return inHistory(editor, 1);
    default:
      return undefined;
  }
};

/** The editor after a key; undefined where the key is none of its own. */
export const edited = (editor: Editor, key: Key): Editor | undefined => {
  switch (key.kind) {
    case 'text':
    case 'paste':
      return insert(editor, key.text);
    case 'named':
      return ofName(editor, key.name);
    case 'ctrl':
      return ofLetter(editor, key.letter);
  }
};

const dots = (text: string): string =>
  graphemes(text)
    .map((each) => (each === '\n' ? each : '•'))
    .join('');

/** The same with a dot for each character: what is typed is nobody's to read. */
export const dotted = (editor: Editor): Editor => ({ ...editor, text: dots(editor.text), at: dots(editor.text.slice(0, editor.at)).length });

/** The rows it takes, and the row and column of its cursor. */
export const editorRows = ({ text, at }: Editor, width: number): { readonly rows: readonly string[]; readonly row: number; readonly column: number } => {
  const rows = text.split('\n').flatMap((line) => cutRows(line, width));
  const until = text.slice(0, at).split('\n');
  const last = cutRows(until.at(-1) ?? '', width);
  const row = until.slice(0, -1).reduce((sum, line) => sum + cutRows(line, width).length, 0) + last.length - 1;
  const column = cellWidth(last.at(-1) ?? '');
  // Behind the last cell of a row there is no place for the cursor but on the next one.
  if (column < width) return { rows, row, column };
  return { rows: row + 1 < rows.length ? rows : [...rows, ''], row: row + 1, column: 0 };
};
