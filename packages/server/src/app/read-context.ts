/**
 * Reading the private context, no further back than the prompt needs.
 *
 * RC1 What is read gives the same prompt as the whole log would, or, where only its newest messages are wanted, the same end of
 *     it: it is read on until that is so, or to its beginning.
 */
import { assemblePrompt, type ContextRow, lastMessages, type PromptMessage, reachOf } from '@turnkeeper/core/session/context';
import type { SessionStore } from '../ports/session-store.ts';

export type ContextStore = Pick<SessionStore, 'context'>;
/** `length`: of its text. */
export type ReadRow = ContextRow & { readonly length: number };

/** A compacted context mostly fits in here; others are read whole in a few steps. */
const firstRead = 512;

export const parsedRow = ({ n, body }: { readonly n: number; readonly body: string }): ReadRow => ({
  n,
  entry: JSON.parse(body) as ContextRow['entry'],
  length: body.length,
});

/** The newest rows of a session's context, up to row `upto`: as many as the prompt is made of. */
export const readContext = async (store: ContextStore, sid: number, upto = Number.POSITIVE_INFINITY): Promise<readonly ReadRow[]> => {
  for (let last = firstRead; ; last *= 4) {
    const read = await store.context(sid, last);
    const rows = read.filter(({ n }) => n <= upto).map(parsedRow);
    if (read.length < last || reachOf(rows) === 'whole') return rows;
  }
};

/** The newest messages of the prompt, at most `limit`; it begins with a user message, which may lie further back. */
export const readLastMessages = async (store: ContextStore, sid: number, limit: number): Promise<readonly PromptMessage[]> => {
  for (let last = limit * 8; ; last *= 4) {
    const rows = (await store.context(sid, last)).map(parsedRow);
    const prompt = lastMessages(assemblePrompt(rows), limit);
    if (rows.length < last || (prompt[0]?.role === 'user' && reachOf(rows) !== 'unknown')) return prompt;
  }
};
