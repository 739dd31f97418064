/**
 * A session as rows of a given width: turn by turn, what was said, each call with its result, steps, what was steered with its ticks,
 * what waits in the queue with its place.
 *
 * What has not changed is not wrapped again: an entry's rows are kept for as long as the objects that it is made of are the same ones.
 */
import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import type { CallProgress } from '@turnkeeper/client/view/call-progress';
import { type MessageEntry, type TimelineEntry, type TimelineTurn, type ToolEntry, timelineOf } from '@turnkeeper/client/view/timeline';
import { toolFactsOf } from '@turnkeeper/client/view/tool-facts';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { SubagentBody } from '@turnkeeper/core/view/subagent';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { childCells } from '../output/child-text.ts';
import { actionText, callText, contentText, outcomeText, progressText, toolResultText, warningText } from '../output/describe.ts';
import { oneLine, printable } from '../output/printable.ts';
import { emptyLine, type Line, lineOf, span, wrapped } from './line.ts';
import { stepLine } from './step-lines.ts';

type Kept = { readonly from: readonly unknown[]; readonly lines: readonly Line[] };
type Around = {
  readonly width: number;
  readonly steered: ReadonlyMap<string, InputBody>;
  readonly inputs: readonly InputBody[];
  readonly steps: readonly StepBody[];
  readonly children: readonly SubagentBody[];
};

const margin = span('  ');
/** Of an answer that is very long only the end is shown: all of it is in `show --json`, and in the console. */
const mostCharacters = 200_000;

const steerLines = (input: InputBody, width: number): readonly Line[] => {
  const text = printable(input.input.map(({ content }) => textOf(content)).join('\n'));
  const tick = input.status === 'applied' ? ' ✓✓' : input.status === 'accepted' ? ' ✓' : ` ✗ ${input.reason ?? 'rejected'}`;
  return wrapped(`${text}${tick}`, width, { first: span('! ', 'cyan'), rest: margin }, 'cyan');
};

const messageLines = ({ item }: MessageEntry, { width, steered }: Around): readonly Line[] => {
  const input = steered.get(item.item_id);
  if (input?.kind === 'steer') return steerLines(input, width);
  const text = printable(contentText(item.item.content));
  if (item.item.role === 'user') return wrapped(text, width, { first: span('› ', 'bold'), rest: margin }, 'bold');
  const lines = wrapped(shownOf(text), width, { first: margin, rest: margin });
  return item.item.status === 'incomplete' ? [...lines, lineOf('  (cut off)', 'dim')] : lines;
};

const shownOf = (text: string): string => (text.length > mostCharacters ? `…${text.slice(-mostCharacters)}` : text).replace(/\n+$/, '');

/** What streams grows at its end: the paragraphs before it stay as they are. */
function* streamingLines({ key, item }: MessageEntry, { width }: Around, keep: Keep): Generator<Line> {
  const paragraphs = shownOf(printable(textOf(item.item.content))).split('\n');
  for (const [at, text] of paragraphs.entries()) yield* keep(`${key} ${at}`, [width, text], () => wrapped(text, width, { first: margin, rest: margin }));
}

const toolMark = ({ tool, action, abandoned }: ToolEntry): Line => {
  if (abandoned) return [span('  ✗ ', 'red')];
  if (action) return [span('  ? ', 'yellow')];
  if (tool?.completed_at === undefined) return [span('  ⚙ ', 'cyan')];
  return tool.status === 'success' ? [span('  ✓ ', 'green')] : [span('  ✗ ', 'red')];
};

const barCells = 20;

/** A thin bar where it is known how much there is, and what was said last. */
const progressLine = (progress: CallProgress): Line => {
  const { percent } = progress;
  const done = percent === undefined ? 0 : Math.floor((percent / 100) * barCells);
  const bar: Line = percent === undefined ? [] : [span('━'.repeat(done), 'cyan'), span(`${'─'.repeat(barCells - done)}  `, 'dim')];
  return [span('    '), ...bar, span(progressText(progress), 'dim')];
};

const toolLines = (entry: ToolEntry, { width }: Around): readonly Line[] => {
  const { tool, action, abandoned, name, input, progress } = entry;
  const call = tool ? callText(name, input) : `${oneLine(name, 60)}(…)`;
  const state = abandoned ? 'not run: its message was cut off' : action ? 'waits for an answer' : tool?.completed_at === undefined ? 'running' : '';
  const head: Line = [...toolMark(entry), span(call, 'cyan'), span(state === '' ? '' : `  ${state}`, action ? 'yellow' : 'dim')];
  if (progress) return [head, progressLine(progress)];
  // Whoever only watches is told, too, what is asked.
  if (action && toolFactsOf(action)) return [head, ...askedLines(action, width, '    ')];
  const result = tool?.completed_at === undefined ? '' : toolResultText(tool);
  const below = result === '' ? [] : wrapped(result, width, { first: span('    ', 'dim'), rest: span('    ', 'dim') }, 'dim');
  return [head, ...below];
};

const askedLines = (action: ActionBody, width: number, first: string): readonly Line[] => {
  const look = warningText(action) === '' ? 'yellow' : 'red';
  return wrapped(actionText(action), width, { first: span(first, look), rest: span('    ') }, look);
};

const entryLines = (entry: TimelineEntry, around: Around): readonly Line[] => {
  switch (entry.kind) {
    case 'message':
      return messageLines(entry, around);
    case 'tool':
      return toolLines(entry, around);
    case 'action':
      return askedLines(entry.action, around.width, '  ? ');
  }
};

const partsOf = (entry: TimelineEntry, { steered }: Around): readonly unknown[] => {
  switch (entry.kind) {
    case 'message':
      return [entry.item, steered.get(entry.item.item_id)];
    case 'tool':
      return [entry.tool, entry.action, entry.abandoned, entry.tool === undefined ? entry.input : undefined];
    case 'action':
      return [entry.action];
  }
};

const tookText = ({ started_at, ended_at }: TurnBody): string =>
  started_at === undefined || ended_at === undefined ? '' : ` · ${((ended_at - started_at) / 1000).toFixed(1)} s`;

const outcomeLines = (turn: TurnBody, width: number): readonly Line[] => {
  const done = turn.status === 'completed';
  const mark = done ? span('  ✓ ', 'green') : turn.status === 'partial_succeeded' ? span('  ✓ ', 'yellow') : span('  ✗ ', 'red');
  const text = `${outcomeText(turn)}${tookText(turn)}${turn.runs === 0 ? `: ${oneLine(turn.preview, 60)}` : ''}`;
  return wrapped(text, width, { first: mark, rest: span('    ') }, done ? 'dim' : turn.status === 'partial_succeeded' ? 'yellow' : 'red');
};

const queuedText = ({ queue_position: place = 0, not_before, preview }: TurnBody): string => {
  const when = not_before === undefined ? '' : ` from ${new Date(not_before).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  return `queued${when}, ${place === 0 ? 'next' : `${place} ahead of it`}: ${oneLine(preview, 200)}`;
};

const statusLines = (turn: TurnBody, width: number): readonly Line[] => {
  if (isSettled(turn.status)) return outcomeLines(turn, width);
  switch (turn.status) {
    case 'queued':
      return wrapped(queuedText(turn), width, { first: span('  … ', 'dim'), rest: span('    ') }, 'dim');
    case 'interrupted':
      return wrapped(`interrupted: ${turn.reason ?? turn.error_code ?? 'it waits'}`, width, { first: span('  ! ', 'yellow'), rest: span('    ') }, 'yellow');
    default:
      return [];
  }
};

const same = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((value, at) => value === b[at]);

const ofTurn = <Body extends { readonly turn_id?: string }>(list: readonly Body[], turnId: string): readonly Body[] =>
  list.length === 0 ? list : list.filter((body) => body.turn_id === turnId);

export type TimelineLines = (view: SessionView, width: number) => readonly Line[];

export const createTimelineLines = (): TimelineLines => {
  let kept = new Map<string, Kept>();
  return (view, width) => {
    const next = new Map<string, Kept>();
    const keep = (key: string, from: readonly unknown[], make: () => readonly Line[]): readonly Line[] => {
      const before = kept.get(key);
      const fresh = before && same(before.from, from) ? before : { from, lines: make() };
      next.set(key, fresh);
      return fresh.lines;
    };
    const inputs = view.inputs.map(({ data }) => data);
    const around: Around = {
      width,
      inputs,
      steered: new Map(inputs.flatMap((input) => (input.item_ids ?? []).map((id) => [id, input] as const))),
      // A server that knows no steps yet sends none.
      steps: (view.steps ?? []).map(({ data }) => data),
      children: (view.subagents ?? []).map(({ data }) => data),
    };
    const lines: Line[] = [];
    for (const turn of timelineOf(view)) {
      if (lines.length > 0) lines.push(emptyLine);
      for (const each of turnLines(turn, around, keep)) lines.push(each);
    }
    kept = next;
    return lines;
  };
};

type Keep = (key: string, from: readonly unknown[], make: () => readonly Line[]) => readonly Line[];

function* turnLines({ turnId, turn, entries }: TimelineTurn, around: Around, keep: Keep): Generator<Line> {
  const { width } = around;
  const shown = (entry: TimelineEntry): Iterable<Line> =>
    entry.kind === 'message' && entry.item.item.status === 'in_progress'
      ? streamingLines(entry, around, keep)
      : keep(entry.key, [width, ...partsOf(entry, around)], () => entryLines(entry, around));
  const isSaidByUser = (entry: TimelineEntry): boolean => entry.kind === 'message' && entry.item.item.role === 'user';
  // What was asked, then what was done for it, then what came of it.
  const asked = entries.findIndex((entry) => !isSaidByUser(entry));
  const first = asked === -1 ? entries.length : asked;
  for (const entry of entries.slice(0, first)) yield* shown(entry);
  const steps = ofTurn(around.steps, turnId);
  for (const step of steps) yield stepLine(step);
  const ofSteps = new Set<string | undefined>(steps.map(({ child_session_id }) => child_session_id));
  for (const entry of entries.slice(first)) yield* shown(entry);
  for (const child of ofTurn(around.children, turnId))
    if (!ofSteps.has(child.child_session_id)) yield [span('  ↳ ', 'dim'), span(childCells(child).join('  '), 'dim')];
  for (const input of ofTurn(around.inputs, turnId)) {
    const shown = input.item_ids !== undefined && input.item_ids.length > 0;
    if (!shown && input.kind === 'steer') yield* keep(input.input_id, [width, input], () => steerLines(input, width));
  }
  if (turn) yield* keep(`${turnId} status`, [width, turn], () => statusLines(turn, width));
}
