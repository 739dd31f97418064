/** The whole screen of a chat or a tail: header, timeline, card, message and hint, each in its place. Pure: a model in, rows out. */
import { liveTurn, waitsForPeople } from '@turnkeeper/client/view/timeline';
import { usageText } from '../output/describe.ts';
import { oneLine, printable } from '../output/printable.ts';
import { cardLines } from './card-lines.ts';
import { editorRows } from './editor.ts';
import { helpLines } from './help-lines.ts';
import { betweenEnds, cutLine, emptyLine, type Line, type Look, lineOf, span, wrapped } from './line.ts';
import type { Frame, ScreenModel, Size } from './model.ts';
import type { TimelineLines } from './timeline-lines.ts';

const statusOf = ({ view, stopping, outbox }: ScreenModel): readonly [string, Look] => {
  const live = view && liveTurn(view);
  if (stopping) return ['stopping …', 'yellow'];
  if (view?.session['imported']) return ['imported record', 'dim'];
  if (view?.session.archived) return ['archived', 'dim'];
  switch (live?.status) {
    case 'running':
      // A call that runs may ask people meanwhile.
      return view && waitsForPeople(view, live) ? ['waiting for an answer', 'yellow'] : ['running', 'green'];
    case 'requires_action':
      return ['waiting for an answer', 'yellow'];
    case 'interrupted':
      return ['interrupted', 'yellow'];
    case 'queued':
      return ['queued', 'cyan'];
    default:
      return outbox.length > 0 ? ['sending …', 'cyan'] : ['idle', 'dim'];
  }
};

const connectionOf = ({ connection }: ScreenModel): readonly [string, Look] | undefined => {
  switch (connection?.kind) {
    case undefined:
      return undefined;
    case 'connecting':
      return ['connecting …', 'dim'];
    case 'live':
      return ['live', 'green'];
    case 'reconnecting':
      return [`reconnecting … (${connection.attempt})`, 'yellow'];
    case 'closed':
      return ['closed', 'red'];
  }
};

const header = (model: ScreenModel, width: number): readonly Line[] => {
  const [status, look] = statusOf(model);
  const connection = connectionOf(model);
  const right: Line = [span(status, look), ...(connection ? [span(' · ', 'dim'), span(...connection)] : [])];
  const used = model.view ? usageText(model.view.usage) : '';
  const left = [oneLine(model.target, 60), ...(model.sessionId === undefined ? [] : [model.sessionId])].join(' · ');
  return [
    betweenEnds(lineOf(oneLine(model.title || '(no title)', 200), 'bold'), right, width),
    betweenEnds(lineOf(left, 'dim'), lineOf(used, 'dim'), width),
    lineOf('─'.repeat(width), 'dim'),
  ];
};

/** The line between the timeline and what is typed: says when there is more below. */
const divider = (width: number, below: number): Line => {
  if (below === 0) return lineOf('─'.repeat(width), 'dim');
  const text = ` ↓ ${below} more row${below === 1 ? '' : 's'}, End goes there `;
  return cutLine([span('──', 'dim'), span(text, 'yellow'), span('─'.repeat(width), 'dim')], width).map((each) => ({
    ...each,
    text: each.text.replace('…', '─'),
  }));
};

const hintOf = (model: ScreenModel): string => {
  const { mode, card, focus, view } = model;
  if (mode === 'tail') return 'PgUp PgDn scroll · q or Ctrl+C leaves, what runs goes on · ? help';
  if (card && focus === 'card')
    return card.step?.kind === 'text' ? 'Enter gives it · Esc later · Tab to the message' : 'one key answers · Tab to the message · Esc stops the turn';
  const answer = card ? 'Tab answers · ' : '';
  const live = view && liveTurn(view);
  return live
    ? `${answer}Enter queues · ! steers · Esc stops · Ctrl+C detaches · ? help`
    : `${answer}Enter sends · Alt+Enter new line · Ctrl+C detaches · ? help`;
};

type Typed = { readonly lines: readonly Line[]; readonly cursor?: { readonly row: number; readonly column: number } };

const message = (model: ScreenModel, { columns, rows }: Size): Typed => {
  if (model.mode === 'tail') return { lines: [] };
  const { editor, focus } = model;
  const cells = columns - 2;
  const typed = editorRows(editor, cells);
  const most = Math.max(Math.min(Math.floor(rows / 3), 8), 1);
  const from = Math.min(Math.max(typed.row - most + 1, 0), Math.max(typed.rows.length - most, 0));
  const shown = typed.rows.slice(from, from + most);
  const active = focus === 'message';
  if (editor.text === '')
    return { lines: [[span('› ', active ? 'bold' : 'dim'), span('Message', 'dim')]], ...(active ? { cursor: { row: 0, column: 2 } } : {}) };
  const lines = shown.map((text, at): Line => [span(at + from === 0 ? '› ' : '  ', active ? 'bold' : 'dim'), span(text, active ? undefined : 'dim')]);
  return { lines, ...(active ? { cursor: { row: typed.row - from, column: typed.column + 2 } } : {}) };
};

const pending = ({ outbox }: ScreenModel, width: number): readonly Line[] =>
  outbox.flatMap((text) => [emptyLine, ...wrapped(`${printable(text)} …`, width, { first: span('› ', 'dim'), rest: span('  ') }, 'dim')]);

const welcome = (model: ScreenModel): readonly Line[] => {
  if (model.sessionId === undefined) return [emptyLine, lineOf(`  A new session with ${oneLine(model.target, 60)}: it begins with your first message.`, 'dim')];
  return [emptyLine, lineOf(model.view ? '  Nothing was said here yet.' : '  Loading …', 'dim')];
};

export const frameOf = (model: ScreenModel, size: Size, timeline: TimelineLines): Frame => {
  const { columns, rows } = size;
  const top = header(model, columns);
  const typed = message(model, size);
  const notice = model.notice === '' ? [] : wrapped(printable(model.notice), columns, { first: span('  '), rest: span('  ') }, 'yellow').slice(0, 4);
  const most = Math.max(Math.floor((rows - top.length - typed.lines.length - notice.length - 2) * 0.6), 3);
  const card = model.card ? cardLines(model.card, columns, most, model.focus === 'card') : { lines: [] as readonly Line[] };
  const page = Math.max(rows - top.length - notice.length - card.lines.length - typed.lines.length - 2, 1);
  const said = model.view ? timeline(model.view, columns - 1) : [];
  const waiting = pending(model, columns - 1);
  const all = model.help ? helpLines(model.mode) : said.length + waiting.length === 0 ? welcome(model) : [...said, ...waiting];
  const scroll = model.help ? 0 : Math.min(Math.max(model.scroll, 0), Math.max(all.length - page, 0));
  const end = model.help ? Math.min(page, all.length) : all.length - scroll;
  const shown = all.slice(Math.max(end - page, 0), end);
  const body = [...shown, ...Array.from({ length: page - shown.length }, () => emptyLine)];
  const above = [...top, ...body, divider(columns, scroll), ...notice];
  const all_rows = [...above, ...card.lines, ...typed.lines, lineOf(hintOf(model), 'dim')].slice(0, rows);
  const cursor =
    model.help || model.mode === 'tail'
      ? undefined
      : card.cursor
        ? { row: above.length + card.cursor.row, column: card.cursor.column }
        : typed.cursor && { row: above.length + card.lines.length + typed.cursor.row, column: typed.cursor.column };
  return { rows: all_rows.map((line) => cutLine(line, columns)), ...(cursor ? { cursor } : {}), length: all.length, page, scroll };
};
