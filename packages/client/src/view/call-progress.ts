/**
 * How far a call is, as its tool says it: a report is shown to people in words, and is never output.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ToolBody } from '@turnkeeper/core/view/tool';

/** `percent`: 0–100. Its texts are a tool's: text, and no markup. */
export type CallProgress = { readonly message: string; readonly stage?: string; readonly percent?: number };

/** The report in a block; undefined where it is output. */
const reportIn = (block: OutputBlock): JsonObject | undefined => {
  if (block.type !== 'data' || typeof block.data !== 'object' || block.data === null || Array.isArray(block.data)) return undefined;
  return block.data['type'] === 'progress' ? block.data : undefined;
};

const wordsIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const readReport = ({ message, stage, percent }: JsonObject): CallProgress | undefined => {
  const words = wordsIn(message);
  const where = wordsIn(stage);
  const part = typeof percent === 'number' && Number.isFinite(percent) ? Math.min(Math.max(percent, 0), 100) : undefined;
  if (words === '' && where === '' && part === undefined) return undefined;
  return { message: words || where, ...(where === '' || words === '' ? {} : { stage: where }), ...(part === undefined ? {} : { percent: part }) };
};

/** Tools of other kinds report lines of text: the last one counts. */
const lastLine = (text: string): CallProgress | undefined => {
  const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? undefined : { message: line };
};

const progressIn = (block: OutputBlock): CallProgress | undefined => {
  if (block.type === 'text') return lastLine(block.text);
  const report = reportIn(block);
  return report && readReport(report);
};

/** The newest report of a call that runs; undefined where it has made none, waits for people, or is over. */
export const progressOf = (tool: ToolBody | undefined): CallProgress | undefined => {
  if (tool?.status !== 'running') return undefined;
  for (let at = tool.progress.length - 1; at >= 0; at -= 1) {
    const block = tool.progress[at];
    const progress = block && progressIn(block);
    if (progress) return progress;
  }
  return undefined;
};

/** What came out of a call, or has come out of it so far; reports of its progress are none of it. */
export const outputOf = ({ output, progress }: Pick<ToolBody, 'output' | 'progress'>): readonly OutputBlock[] =>
  output.length > 0 ? output : progress.filter((block) => reportIn(block) === undefined);
