/**
 * Prints a session as it grows: what was said, token by token, one line a tool call, one line an outcome. Fed with
 * views; it remembers what it has printed, so a reload or a reconnect never prints a thing twice.
 */

import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import { type TimelineEntry, type TimelineTurn, type ToolEntry, timelineOf } from '@turnkeeper/client/view/timeline';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { actionText, callText, contentText, outcomeText, progressText, toolResultText, warningText } from './describe.ts';
import { oneLine, printable } from './printable.ts';
import type { Style } from './style.ts';

export type TranscriptOptions = {
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Which turns; all without it. */
  readonly turnId?: string;
  /** Only the last turns of what was there at the beginning. */
  readonly lastTurns?: number;
  /** Prints open actions, unless somebody else asks about them. */
  readonly showActions?: boolean;
  /** Whether to print what a user said; without it everything. Asked once a message. */
  readonly showQuestion?: (text: string) => boolean;
  /** Prints that a turn waits in the queue. */
  readonly showQueued?: boolean;
  readonly showOutcome?: boolean;
  /** Nothing but what is said: no calls, no actions, no marks. */
  readonly onlyText?: boolean;
};

export type Transcript = { readonly update: (view: SessionView) => void /** Ends a line that was left open. */; readonly endLine: () => void };

export const createTranscript = (options: TranscriptOptions): Transcript => {
  const { write, style } = options;
  const printed = new Map<string, string>();
  let lineOpen = false;
  let openKey = '';
  const hidden = new Set<string>();
  let first = true;

  const endLine = (): void => {
    if (lineOpen) write('\n');
    lineOpen = false;
  };
  const line = (text: string): void => {
    endLine();
    write(`${text}\n`);
  };
  const once = (key: string, text: () => string): void => {
    if (printed.has(key)) return;
    printed.set(key, '');
    line(text());
  };

  const asked = (action: ActionBody): string => style[warningText(action) === '' ? 'yellow' : 'red'](`  ? ${actionText(action)}`);

  /** A line for each that is news: of one that counts, at every tenth. */
  const progress = ({ key, progress: told }: ToolEntry): void => {
    if (!told) return;
    const { stage = '', message, percent } = told;
    const news = percent === undefined ? `${stage} ${message}` : `${stage} ${Math.floor(percent / 10)}`;
    const place = `${key} progress`;
    if (printed.get(place) === news) return;
    printed.set(place, news);
    line(style.dim(`    ${progressText(told)}`));
  };

  const said = (key: string, text: string): void => {
    const before = printed.get(key) ?? '';
    if (text === before) return;
    printed.set(key, text);
    // A model call that was made anew may have said something else: then it is printed whole.
    const more = text.startsWith(before) ? text.slice(before.length) : `\n${text}`;
    if (openKey !== key) endLine();
    openKey = key;
    const shown = printable(more);
    write(shown);
    lineOpen = !text.endsWith('\n');
  };

  const question = (key: string, text: string): void => {
    if (printed.has(key)) return;
    if (options.showQuestion?.(text) === false) printed.set(key, '');
    else once(key, () => style.bold(`› ${printable(text).replaceAll('\n', '\n  ')}`));
  };

  const entry = (entry: TimelineEntry): void => {
    switch (entry.kind) {
      case 'message': {
        const text = textOf(entry.item.item.content);
        if (entry.item.item.role === 'user') {
          question(entry.key, text || contentText(entry.item.item.content));
        } else {
          said(entry.key, text);
          if (entry.item.item.status === 'incomplete' && !options.onlyText) once(`${entry.key} cut`, () => style.dim('  (cut off)'));
        }
        return;
      }
      case 'tool': {
        const { tool, action } = entry;
        if (!tool || options.onlyText) return;
        once(entry.key, () => style.cyan(`  ⚙ ${callText(entry.name, entry.input)}`));
        progress(entry);
        if (action && options.showActions !== false) once(action.request_id, () => asked(action));
        if (tool.completed_at !== undefined && tool.status !== 'unknown') {
          const mark = tool.status === 'success' ? style.green('✓') : style.red('✗');
          once(`${entry.key} done`, () => `  ${mark} ${entry.name} ${style.dim(toolResultText(tool))}`);
        }
        return;
      }
      case 'action':
        if (options.showActions !== false && !options.onlyText) once(entry.key, () => asked(entry.action));
    }
  };

  const outcome = (turn: TurnBody): void => {
    // A failed turn that is resumed ends again: its runs tell the outcomes apart.
    once(`${turn.turn_id} ${turn.status} ${turn.runs}`, () => {
      // One that never started has shown nothing of itself: what it was asked says which it is.
      const text = `${outcomeText(turn)}${turn.runs === 0 ? `: ${oneLine(turn.preview, 60)}` : ''}`;
      return turn.status === 'completed' ? style.dim(`  ${text}`) : turn.status === 'partial_succeeded' ? style.yellow(`  ${text}`) : style.red(`  ${text}`);
    });
  };

  const show = ({ turn, entries }: TimelineTurn): void => {
    for (const each of entries) entry(each);
    if (turn?.status === 'queued' && turn.runs === 0 && options.showQueued !== false)
      once(`${turn.turn_id} queued`, () => style.dim(`  queued: ${printable(turn.preview).replaceAll('\n', ' ')}`));
    if (turn && isSettled(turn.status) && options.showOutcome !== false) outcome(turn);
  };

  return {
    endLine,
    update: (view) => {
      const turns = timelineOf(view).filter(({ turnId }) => options.turnId === undefined || turnId === options.turnId);
      const skipped = first && options.lastTurns !== undefined ? turns.slice(0, Math.max(turns.length - options.lastTurns, 0)) : [];
      if (skipped.length > 0) line(style.dim(`  … ${skipped.length} earlier turn(s)`));
      for (const { turnId } of skipped) hidden.add(turnId);
      first = false;
      for (const turn of turns) if (!hidden.has(turn.turnId)) show(turn);
    },
  };
};
