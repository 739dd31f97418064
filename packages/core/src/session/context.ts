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
 * One row of the context log. A `message` adds to the prompt; a `tool_result` adds one result to the step that
 * is open; `rebase` says that the prompt is what it was at row `upto`, and goes on from there.
 */
export type ContextEntry =
  | { readonly kind: 'message'; readonly message: Exclude<PromptMessage, { role: 'tool' }> }
  | { readonly kind: 'tool_result'; readonly result: ToolResult }
  | { readonly kind: 'rebase'; readonly upto: number };

export type ContextRow = { readonly n: number; readonly entry: ContextEntry };

/** What stands in the prompt for a turn that ended without an answer, so that roles go on alternating (C1). */
export const unansweredNote = (outcome: string): string => `[This turn ended without a complete answer: ${outcome}.]`;

const visibleRows = (rows: readonly ContextRow[]): readonly ContextRow[] => {
  const at = rows.findLastIndex((row) => row.entry.kind === 'rebase');
  const rebase = rows[at]?.entry;
  if (rebase?.kind !== 'rebase') return rows;
  const before = rows.slice(0, at).filter((row) => row.n <= rebase.upto);
  return [...visibleRows(before), ...rows.slice(at + 1)];
};

/**
 * Puts the prompt together from the context log, rows in ascending order of `n`. Neighbouring user messages
 * become one, results are gathered behind the request that they answer, in the order of the requests.
 */
export const assemblePrompt = (rows: readonly ContextRow[]): PromptMessage[] => {
  const prompt: PromptMessage[] = [];
  for (const { entry } of visibleRows(rows)) {
    const last = prompt.at(-1);
    switch (entry.kind) {
      case 'message':
        if (last?.role === 'user' && entry.message.role === 'user') {
          prompt[prompt.length - 1] = { role: 'user', content: [...last.content, ...entry.message.content] };
        } else prompt.push(entry.message);
        break;
      case 'tool_result':
        if (last?.role === 'tool') prompt[prompt.length - 1] = { role: 'tool', results: [...last.results, entry.result] };
        else prompt.push({ role: 'tool', results: [entry.result] });
        break;
      case 'rebase':
        break;
    }
  }
  return prompt.map((message, index) => (message.role === 'tool' ? inRequestOrder(message, prompt[index - 1]) : message));
};

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
