/** `turnkeeper diff <a> [b]`: what was said in two sessions, or at two places of one, and where they part. */
import type { CommandContext } from '../command-context.ts';
import { conversationLines, type Place, placeOf } from '../conversation-text.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { cellWidth, cutToWidth } from '../output/cell-width.ts';
import { type DiffLine, hunksOf, lineDiff } from '../output/line-diff.ts';
import { wrapText } from '../output/wrap-text.ts';

export type DiffOptions = { readonly side?: boolean; readonly context?: number; readonly exitCode?: boolean };

const nameOf = ({ session, turnId }: Place): string => (turnId === undefined ? session.id : `${session.id}/${turnId}`);

/** Without a second one: where the first came from, as it is now. */
const otherOf = async ({ client }: CommandContext, { session }: Place): Promise<Place> => {
  const source = session.forked_from?.session_id;
  if (source === undefined) throw new UsageError(`${session.id} is no fork: name what it is compared with.`);
  return { session: await client.sessions.get(source) };
};

const unified = ({ print, style }: CommandContext, lines: readonly DiffLine[], around: number): void => {
  for (const { lines: shown, skipped } of hunksOf(lines, around)) {
    if (skipped > 0) print(style.cyan(`@@ ${skipped} equal line${skipped === 1 ? '' : 's'} @@`));
    for (const { kind, text } of shown) print(kind === 'same' ? ` ${text}` : kind === 'removed' ? style.red(`-${text}`) : style.green(`+${text}`));
  }
};

type Pair = { readonly left?: string; readonly right?: string; readonly same: boolean };

/** What was taken out beside what came in its place. */
const pairsOf = (lines: readonly DiffLine[]): readonly Pair[] => {
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line?.kind === 'same') {
      pairs.push({ left: line.text, right: line.text, same: true });
      at += 1;
      continue;
    }
    const end = lines.findIndex(({ kind }, each) => each >= at && kind === 'same');
    const changed = lines.slice(at, end === -1 ? lines.length : end);
    const left = changed.filter(({ kind }) => kind === 'removed');
    const right = changed.filter(({ kind }) => kind === 'added');
    for (let row = 0; row < Math.max(left.length, right.length); row += 1) {
      const [before, after] = [left[row]?.text, right[row]?.text];
      pairs.push({ ...(before === undefined ? {} : { left: before }), ...(after === undefined ? {} : { right: after }), same: false });
    }
    at += changed.length;
  }
  return pairs;
};

const sideBySide = ({ print, style, io }: CommandContext, lines: readonly DiffLine[], around: number): void => {
  const width = Math.max(Math.floor(((io.stdout.columns ?? 120) - 3) / 2), 10);
  const padded = (text: string): string => text + ' '.repeat(Math.max(width - cellWidth(text), 0));
  for (const { lines: shown, skipped } of hunksOf(lines, around)) {
    if (skipped > 0) print(style.cyan(cutToWidth(`@@ ${skipped} equal line${skipped === 1 ? '' : 's'} @@`, width)));
    for (const { left, right, same } of pairsOf(shown)) {
      const [before, after] = [left, right].map((text) => (text === undefined ? [] : wrapText(text, width))) as [readonly string[], readonly string[]];
      for (let row = 0; row < Math.max(before.length, after.length, 1); row += 1) {
        const [a, b] = [padded(before[row] ?? ''), after[row] ?? ''];
        print(same ? `${a}   ${b}` : `${style.red(a)} ${style.dim('│')} ${style.green(b)}`);
      }
    }
  }
};

export const diff = async (context: CommandContext, aRef: string, bRef: string | undefined, options: DiffOptions): Promise<ExitCode> => {
  const { client, json, note, print, printJson, style } = context;
  const first = await placeOf(client, aRef);
  // A fork alone: what it came from stands before it.
  const [a, b] = bRef === undefined ? [await otherOf(context, first), first] : [first, await placeOf(client, bRef)];
  const lines = lineDiff(await conversationLines(client, a), await conversationLines(client, b));
  const differs = lines.some(({ kind }) => kind !== 'same');
  if (json) printJson({ a: nameOf(a), b: nameOf(b), differs, lines });
  else if (!differs) note('What was said is the same.');
  else {
    print(style.red(`--- ${nameOf(a)}`));
    print(style.green(`+++ ${nameOf(b)}`));
    (options.side ? sideBySide : unified)(context, lines, options.context ?? 3);
  }
  return options.exitCode && differs ? exitCodes.failed : exitCodes.completed;
};
