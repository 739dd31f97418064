/**
 * When the context is near the model's limit, and what of it is replaced by a summary.
 *
 * Owns: how its size is estimated, where it is cut, and what the model is asked for. Pure; the call itself is the runner's.
 *
 * CM1 A cut stands before a message: never between a request and its results, nor inside what the prompt shows as one (C1).
 * CM2 Compaction is rare and in big pieces: it begins at 80 % of the window and keeps a quarter, so that the prefix that a
 *     provider has cached stays the same for a long time. The call for the summary itself begins with that prefix.
 * CM3 A summary replaces the one before it, and is made of it.
 */
import type { InputBlock, OutputBlock } from '../protocol/content.ts';
import { type AssistantPart, type ContextEntry, type ContextRow, type PromptMessage, promptOf } from './context.ts';

/** Begins what the model is asked for at a compaction. */
export const compactionMark = '[Context compaction]';

/** What the model is asked for, behind what is to be replaced. */
export const summaryRequest = `${compactionMark} The conversation so far is about to be left out of your context. Write what stands for it from now on: what the user asked for (in the user's own words where they matter), what was decided and why, facts, names, identifiers, paths and numbers that will be needed, what the tools returned that still matters, and what is left to do. Do not call tools, do not continue the work, do not address anybody: answer with the summary alone, in the language of the conversation.`;

const begins = 0.8;
const keeps = 0.25;
/** Of the window, that a compaction must at least make room for. */
const worthwhile = 0.1;

/** A picture, whatever its size in bytes; a file by reference is about as much. */
const mediaTokens = 1_600;

/** Four Latin characters are about a token, and most others are one each. */
export const roughTokens = (text: string): number => {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x2ff) wide += 1;
  return Math.ceil((text.length - wide) / 4) + wide;
};

const blockTokens = (block: InputBlock | OutputBlock): number => {
  switch (block.type) {
    case 'text':
      return roughTokens(block.text);
    case 'data':
      return roughTokens(JSON.stringify(block.data));
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return mediaTokens;
  }
};
const partTokens = (part: AssistantPart): number => roughTokens(part.type === 'tool_call' ? `${part.name}${JSON.stringify(part.input)}` : part.text);
const sum = <Each>(list: readonly Each[], of: (each: Each) => number): number => list.reduce((total, each) => total + of(each), 0);
/** Roles and frames around what is said. */
const messageFrame = 4;

const messageTokens = (message: PromptMessage): number => {
  switch (message.role) {
    case 'user':
      return messageFrame + sum(message.content, blockTokens);
    case 'assistant':
      return messageFrame + sum(message.content, partTokens);
    case 'tool':
      return sum(message.results, ({ output }) => messageFrame + sum(output, blockTokens));
  }
};

const entryTokens = (entry: ContextEntry): number => {
  switch (entry.kind) {
    case 'message':
      return messageTokens(entry.message);
    case 'tool_result':
      return messageTokens({ role: 'tool', results: [entry.result] });
    case 'initial':
      return sum(entry.messages, messageTokens);
    case 'compacted':
      return messageFrame + roughTokens(entry.summary);
    case 'rebase':
      return 0;
  }
};

const rowTokens = ({ entry }: ContextRow): number => entryTokens(entry);

/** What the provider counted last, if the prompt still begins as it did then; with its place. */
const lastCounted = (visible: readonly ContextRow[]): { readonly index: number; readonly tokens: number } | undefined => {
  // What was counted before a compaction counted what is not shown any more.
  const since = visible[0]?.entry.kind === 'compacted' ? visible[0].n : 0;
  for (let index = visible.length - 1; index >= 0; index -= 1) {
    const row = visible[index];
    if (row && row.n > since && 'tokens' in row.entry && row.entry.tokens !== undefined) return { index, tokens: row.entry.tokens };
  }
  return undefined;
};

/** About how many tokens the prompt of these rows has. `fixed`: of the system prompt and the tools. */
export const estimatedTokens = (visible: readonly ContextRow[], fixed: number): number => {
  const counted = lastCounted(visible);
  return counted ? counted.tokens + sum(visible.slice(counted.index + 1), rowTokens) : fixed + sum(visible, rowTokens);
};

export type CompactionPlan = {
  /** The first row that stays. */
  readonly keepFrom: number;
  /** How many messages of the history the summary stands for; results of tools belong to their requests. */
  readonly replaced: number;
  /** What the model is shown to make the summary of, with what it is asked for. */
  readonly messages: readonly PromptMessage[];
};

export type CompactionNeed = {
  /** Of the model, in tokens. */
  readonly window: number;
  readonly fixed: number;
  /** The provider refused the prompt for its length: so often in a row. */
  readonly refusals: number;
};

/** What is to be replaced now; undefined when nothing needs to be, or nothing can. */
export const planCompaction = (visible: readonly ContextRow[], { window, fixed, refusals }: CompactionNeed): CompactionPlan | undefined => {
  const estimate = estimatedTokens(visible, fixed);
  if (refusals === 0 && estimate < window * begins) return undefined;
  // Refused: the window is smaller than was thought, or the estimate was too low.
  const real = refusals === 0 ? window : Math.min(window, estimate);
  const rough = sum(visible, rowTokens);
  // The provider's count knows better than ours how much text makes a token.
  const scale = rough > 0 ? Math.max(1, (estimate - fixed) / rough) : 1;
  const cut = cutAt(visible, (real * keeps) / scale);
  if (cut === undefined) return undefined;
  const replaced = replacedBy(visible.slice(0, cut));
  const freed = sum(visible.slice(0, cut), rowTokens) * scale;
  const keepFrom = visible[cut]?.n;
  if (replaced === 0 || keepFrom === undefined || (refusals === 0 && freed < window * worthwhile)) return undefined;
  const room = refusals === 0 ? Number.POSITIVE_INFINITY : (real * 0.5 ** refusals) / scale;
  return { keepFrom, replaced, messages: summaryPrompt(visible.slice(0, cut), room) };
};

const roleOf = (row: ContextRow | undefined): 'user' | 'assistant' | undefined => (row?.entry.kind === 'message' ? row.entry.message.role : undefined);
/** Neighbouring messages of one role are one in the prompt. */
const beginsMessage = (rows: readonly ContextRow[], index: number): boolean => {
  const role = roleOf(rows[index]);
  return role !== undefined && roleOf(rows[index - 1]) !== role;
};

/** The earliest message from which all that follows fits in `room`, or the last one; never the first row (CM1). */
const cutAt = (visible: readonly ContextRow[], room: number): number | undefined => {
  let cut: number | undefined;
  let kept = 0;
  for (let index = visible.length - 1; index > 0; index -= 1) {
    const row = visible[index];
    if (row) kept += rowTokens(row);
    if (cut !== undefined && kept > room) break;
    if (beginsMessage(visible, index)) cut = index;
  }
  return cut;
};

const replacedBy = (rows: readonly ContextRow[]): number =>
  sum(rows, ({ entry }) => (entry.kind === 'message' ? 1 : entry.kind === 'initial' ? entry.messages.filter(({ role }) => role !== 'tool').length : 0));

const leftOut: PromptMessage = { role: 'user', content: [{ type: 'text', text: '[The beginning of the conversation is left out here.]' }] };

/** What the summary of all that lies before row `keepFrom` was made of, if all of it was shown; undefined where that row is not among these. */
export const summarizedBefore = (visible: readonly ContextRow[], keepFrom: number): readonly PromptMessage[] | undefined => {
  const cut = visible.findIndex(({ n }) => n === keepFrom);
  return cut === -1 ? undefined : summaryPrompt(visible.slice(0, cut), Number.POSITIVE_INFINITY);
};

/** What the summary is made of, at most about `room` tokens: the newest, and what stands for all before it (CM3). */
const summaryPrompt = (rows: readonly ContextRow[], room: number): readonly PromptMessage[] => {
  const whole = sum(rows, rowTokens) <= room;
  const from = whole ? 0 : (cutAt(rows, room) ?? 0);
  const first = from > 0 && rows[0]?.entry.kind === 'compacted' ? rows.slice(0, 1) : [];
  const shown = promptOf([...first, ...rows.slice(from)]);
  const prompt = shown[0]?.role === 'user' ? shown : [leftOut, ...shown];
  const asked = { type: 'text', text: summaryRequest } as const;
  const last = prompt.at(-1);
  if (last?.role === 'user') return [...prompt.slice(0, -1), { role: 'user', content: [...last.content, asked] }];
  return [...prompt, { role: 'user', content: [asked] }];
};
