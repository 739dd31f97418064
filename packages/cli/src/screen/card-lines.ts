/** What waits for an answer, as a card above the message: what is asked, with which arguments, and the keys that answer it. */
import { oneLine, printable } from '../output/printable.ts';
import { dotted, editorRows } from './editor.ts';
import { type Line, type Span, span, wrapped } from './line.ts';
import type { Card } from './model.ts';

type Drawn = { readonly lines: readonly Line[]; readonly cursor?: { readonly row: number; readonly column: number } };

const bar: Span = span('┃ ', 'yellow');

/** `[y]es  [n]o`: the keys stand out. */
const questionSpans = (question: string, focused: boolean): readonly Span[] =>
  question
    .trim()
    .replace(/:$/, '')
    .split(/(\[[a-z]\])/)
    .map((part) => span(part, /^\[[a-z]\]$/.test(part) && focused ? 'bold' : focused ? undefined : 'dim'));

const choiceLines = (question: string, held: string | undefined, focused: boolean): readonly Line[] => [
  [bar, ...questionSpans(question, focused), ...(held === undefined ? [] : [span(`  ${held} …`, 'yellow')])],
];

/** At most `most` rows: the arguments give way. */
export const cardLines = ({ title, warns, body, step }: Card, columns: number, most: number, focused: boolean): Drawn => {
  const marks = { first: bar, rest: bar };
  const head = wrapped(`? ${oneLine(title, 300)}`, columns, marks, warns ? 'red' : 'yellow').slice(0, Math.max(most - 2, 1));
  if (step === undefined) return { lines: [...head, [bar, span('sending the answer …', 'dim')]] };
  if (step.kind === 'choice') {
    const room = Math.max(most - head.length - 1, 0);
    return { lines: [...head, ...bodyLines(body, columns, room), ...choiceLines(step.question, step.held, focused)] };
  }
  const cells = columns - 4;
  const typed = editorRows(step.hidden ? dotted(step.editor) : step.editor, cells);
  const rows = Math.max(Math.min(typed.rows.length, most - head.length - 1), 1);
  const from = Math.min(Math.max(typed.row - rows + 1, 0), Math.max(typed.rows.length - rows, 0));
  const asked = bodyLines(body, columns, Math.max(most - head.length - rows - 1, 0));
  const question: Line = [bar, span(printable(step.question).trim(), 'bold')];
  const shown = typed.rows.slice(from, from + rows).map((text): Line => [bar, span('› ', focused ? 'bold' : 'dim'), span(text)]);
  const above = [...head, ...asked, question];
  return { lines: [...above, ...shown], ...(focused ? { cursor: { row: above.length + typed.row - from, column: typed.column + 4 } } : {}) };
};

const bodyLines = (body: readonly string[], columns: number, room: number): readonly Line[] => {
  const all = body.flatMap((text) => wrapped(printable(text), columns, { first: bar, rest: bar }));
  if (all.length <= room) return all;
  if (room === 0) return [];
  return [...all.slice(0, room - 1), [bar, span(`… ${all.length - room + 1} more rows; e shows all`, 'dim')]];
};
