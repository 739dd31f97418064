/**
 * The private context: what the model is shown.
 *
 * Owns: the entries of the append-only context log and how a prompt is put together from them.
 * Does not own: the public history (events); nothing here ever enters an event or a snapshot.
 *
 * C1 A prompt is always a valid transcript: it begins with a user message, roles alternate, and each tool
 *    request of an assistant message has exactly one result in the message that follows it.
 * C2 The log is only appended to; restore, fork and compaction append an entry that says where to begin.
 */
import type { InputBlock, OutputBlock } from '../protocol/content.ts';
import type { JsonObject } from '../protocol/json.ts';

/** One part of what the assistant said. `provider` is opaque to all but the adapter that made it (signatures …). */
export type AssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly provider?: JsonObject }
  | { readonly type: 'reasoning'; readonly text: string; readonly provider?: JsonObject }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: JsonObject; readonly provider?: JsonObject };

export type ToolResult = {
  readonly callId: string;
  readonly name: string;
  readonly output: readonly OutputBlock[];
  readonly isError: boolean;
};

export type PromptMessage =
  | { readonly role: 'user'; readonly content: readonly InputBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

/**
 * One row of the context log. A `message` adds to the prompt; a `tool_result` adds one result to the step that is open.
 * The others say where the prompt begins: `rebase` that it is what it was at row `upto`, `initial` that it is these messages,
 * taken over from elsewhere, `compacted` that a summary stands for all that stood before row `keepFrom`.
 *
 * `tokens`: what the provider counted for the whole prompt up to here, this answer included.
 */
export type ContextEntry =
  | { readonly kind: 'message'; readonly message: Exclude<PromptMessage, { role: 'tool' }>; readonly tokens?: number }
  | { readonly kind: 'tool_result'; readonly result: ToolResult }
  | { readonly kind: 'rebase'; readonly upto: number }
  | { readonly kind: 'initial'; readonly messages: readonly PromptMessage[]; readonly tokens?: number }
  | { readonly kind: 'compacted'; readonly summary: string; readonly keepFrom: number };

export type ContextRow = { readonly n: number; readonly entry: ContextEntry };

/** What stands in the prompt for a turn that ended without an answer, so that roles go on alternating (C1). */
export const unansweredNote = (outcome: string): string => `[This turn ended without a complete answer: ${outcome}.]`;

const turnings: ReadonlySet<ContextEntry['kind']> = new Set(['rebase', 'initial', 'compacted']);
/** It says where the prompt begins from now on. */
export const beginsAnew = ({ kind }: ContextEntry): boolean => turnings.has(kind);

/** Without the summaries that were written behind a cut: they stand for what lies before it, and say nothing of what is kept. */
const beforeCut = (rows: readonly ContextRow[], keepFrom: number): readonly ContextRow[] =>
  rows.filter((row) => row.n < keepFrom || row.entry.kind !== 'compacted');

/**
 * The rows that the prompt is made of, in its order. The row that a prompt begins with, by a summary or by what was taken
 * over, stands first; one that goes on from an earlier place marks that place.
 */
export const visibleRows = (rows: readonly ContextRow[]): readonly ContextRow[] => {
  const at = rows.findLastIndex(({ entry }) => turnings.has(entry.kind));
  const turning = rows[at];
  if (!turning) return rows;
  const before = rows.slice(0, at);
  const after = rows.slice(at + 1);
  switch (turning.entry.kind) {
    case 'rebase': {
      const { upto } = turning.entry;
      return [...visibleRows(before.filter((row) => row.n <= upto)), turning, ...after];
    }
    case 'compacted': {
      const { keepFrom } = turning.entry;
      const visible = visibleRows(beforeCut(before, keepFrom));
      const kept = visible.findIndex((row) => row.n === keepFrom);
      return [turning, ...(kept === -1 ? [] : visible.slice(kept)), ...after];
    }
    case 'initial':
    case 'message':
    case 'tool_result':
      return [turning, ...after];
  }
};

/**
 * What the prompt of these rows, the newest of a log, is of the prompt of all: the same, its end, or nothing that is known.
 */
export const reachOf = (rows: readonly ContextRow[]): 'whole' | 'end' | 'unknown' => {
  const at = rows.findLastIndex(({ entry }) => turnings.has(entry.kind));
  const entry = rows[at]?.entry;
  const before = rows.slice(0, Math.max(at, 0));
  switch (entry?.kind) {
    case 'rebase':
      return reachOf(before.filter((row) => row.n <= entry.upto));
    case 'compacted':
      return visibleRows(beforeCut(before, entry.keepFrom)).some((row) => row.n === entry.keepFrom) ? 'whole' : 'unknown';
    case 'initial':
      return 'whole';
    case 'message':
    case 'tool_result':
    case undefined:
      return rows.length > 0 ? 'end' : 'unknown';
  }
};

/** What the model is told in place of what it was shown before. */
const summaryMessage = (summary: string): PromptMessage => ({
  role: 'user',
  content: [{ type: 'text', text: `[What was said before was left out to make room. In short:]\n${summary}` }],
});
/** Stands between the summary and what the user said next, so that each is read by itself. */
const summaryTaken: PromptMessage = { role: 'assistant', content: [{ type: 'text', text: '[I go on from there.]' }] };

/** A prompt that another turn may follow: whatever was not answered is said to be so (C1). */
export const closedPrompt = (prompt: readonly PromptMessage[], outcome: string): readonly PromptMessage[] => {
  const last = prompt.at(-1);
  return !last || last.role === 'assistant' ? prompt : [...prompt, { role: 'assistant', content: [{ type: 'text', text: unansweredNote(outcome) }] }];
};

/**
 * Puts the prompt together from the context log, rows in ascending order of `n`. Neighbouring messages of one role
 * become one, results are gathered behind the request that they answer, in the order of the requests.
 */
export const assemblePrompt = (rows: readonly ContextRow[]): PromptMessage[] => promptOf(visibleRows(rows));

/** The same of rows that are the visible ones, or a part of them from a message on. */
export const promptOf = (visible: readonly ContextRow[]): PromptMessage[] => {
  let prompt: PromptMessage[] = [];
  const addUser = (message: Extract<PromptMessage, { role: 'user' }>): void => {
    const last = prompt.at(-1);
    if (last?.role === 'user') prompt[prompt.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
    else prompt.push(message);
  };
  for (const [index, { entry }] of visible.entries()) {
    const last = prompt.at(-1);
    switch (entry.kind) {
      case 'message':
        if (entry.message.role === 'user') addUser(entry.message);
        // An answer, and the note of a turn that was to take one more step when it was ended.
        else if (last?.role === 'assistant') prompt[prompt.length - 1] = { ...last, content: [...last.content, ...entry.message.content] };
        else prompt.push(entry.message);
        break;
      case 'tool_result':
        if (last?.role === 'tool') prompt[prompt.length - 1] = { role: 'tool', results: [...last.results, entry.result] };
        else prompt.push({ role: 'tool', results: [entry.result] });
        break;
      case 'rebase':
        prompt = [...closedPrompt(prompt, 'left')];
        break;
      case 'initial':
        prompt = [...entry.messages];
        break;
      case 'compacted':
        prompt = [summaryMessage(entry.summary), ...(isAnswer(visible[index + 1]) ? [] : [summaryTaken])];
        break;
    }
  }
  return prompt.map((message, index) => (message.role === 'tool' ? inRequestOrder(message, prompt[index - 1]) : message));
};

const isAnswer = (row: ContextRow | undefined): boolean => row?.entry.kind === 'message' && row.entry.message.role === 'assistant';

const inRequestOrder = (message: Extract<PromptMessage, { role: 'tool' }>, before: PromptMessage | undefined): PromptMessage => {
  if (before?.role !== 'assistant') return message;
  const order = before.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  return { role: 'tool', results: [...message.results].sort((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId)) };
};

/**
 * The newest messages that fit in `maxMessages`, cut at a user message so that C1 holds. The newest user message
 * and all that follows it always stay. What stands before the first user message is left out: rows may have been read
 * from somewhere in the middle of a step.
 */
export const lastMessages = (prompt: readonly PromptMessage[], maxMessages: number): readonly PromptMessage[] => {
  if (prompt.length <= maxMessages && prompt[0]?.role === 'user') return prompt;
  const from = prompt.findIndex((message, index) => index >= prompt.length - maxMessages && message.role === 'user');
  const start = from === -1 ? prompt.findLastIndex((message) => message.role === 'user') : from;
  return prompt.slice(Math.max(start, 0));
};

/** Names what is wrong with a transcript, or returns undefined when it keeps C1. Used by tests and the harness. */
export const transcriptFault = (prompt: readonly PromptMessage[]): string | undefined => {
  if (prompt.length > 0 && prompt[0]?.role !== 'user') return 'does not begin with a user message';
  for (const [index, message] of prompt.entries()) {
    const next = prompt[index + 1];
    if (message.role === next?.role) return `two ${message.role} messages in a row at ${index}`;
    if (message.role === 'user' && next?.role === 'tool') return `results without a request at ${index + 1}`;
    if (message.role !== 'assistant') continue;
    const wanted = message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
    const given = next?.role === 'tool' ? next.results.map((result) => result.callId) : [];
    if (new Set(wanted).size !== wanted.length) return `a tool call id twice at ${index}`;
    if (wanted.length !== given.length || wanted.some((id) => !given.includes(id))) {
      return `requests [${wanted.join(', ')}] answered by [${given.join(', ')}] at ${index}`;
    }
  }
  return undefined;
};
