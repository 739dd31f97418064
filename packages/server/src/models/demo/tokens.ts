import { setImmediate } from 'node:timers/promises';
import type { ModelPart, ModelRequest } from '../../ports/model.ts';
import { inputTokens, usageOf } from './usage.ts';

const maxTokens = 1_000_000;

/** Without it a long answer would keep the event loop, and no abort could ever arrive. */
const tokensPerTurnOfTheLoop = 64;

/** The n of `tokens:<n>` and `tokens-<n>`. */
export const tokenCount = (model: string): number | undefined => {
  const digits = /^tokens[:-](\d{1,7})$/.exec(model)?.[1];
  const count = digits === undefined ? Number.NaN : Number(digits);
  return count <= maxTokens ? count : undefined;
};

/** `count` tokens with no delay, each its own delta and numbered, so that a gap or a repeat can be seen. */
export async function* streamTokens(count: number, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
  for (let n = 1; n <= count; n += 1) {
    signal.throwIfAborted();
    yield { type: 'text_delta', text: `t${n} ` };
    if (n % tokensPerTurnOfTheLoop === 0) await setImmediate();
  }
  signal.throwIfAborted();
  yield { type: 'finish', reason: 'stop', usage: usageOf(inputTokens(request), count) };
}
