/**
 * The scripted models: no key, no network, the same answer to the same prompt.
 *
 * `demo:welcome`     a friendly agent for the first screen (welcome.ts)
 * `demo:echo`        the last user message, at once
 * `demo:script`      does what the message says, for tests (script.ts lists the directives)
 * `demo:tokens:<n>`  n tokens at once, for benchmarks (also `demo:tokens-<n>`; at most a million)
 *
 * All of them answer with a summary when the context is compacted (summary.ts).
 */
import type { Clock } from '../../ports/clock.ts';
import type { ModelPart, ModelRequest } from '../../ports/model.ts';
import type { DemoStream } from './demo-stream.ts';
import { lastUserText } from './prompt-reading.ts';
import { createScript } from './script.ts';
import { isSummaryAsked, streamSummary } from './summary.ts';
import { streamTokens, tokenCount } from './tokens.ts';
import { estimateUsage } from './usage.ts';
import { createWelcome } from './welcome.ts';

export type Demo = {
  /** To offer in a picker. */
  readonly names: readonly string[];
  readonly has: (model: string) => boolean;
  /** `model` without `demo:`; one that `has` knows. */
  readonly stream: (model: string, request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>;
};

async function* streamEcho(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
  signal.throwIfAborted();
  const text = lastUserText(request).toWellFormed();
  if (text !== '') yield { type: 'text_delta', text };
  yield { type: 'finish', reason: 'stop', usage: estimateUsage(request, text) };
}

/** Each demo counts the failed attempts of its scripts for itself. */
export const createDemo = ({ clock, pid = process.pid }: { readonly clock: Clock; readonly pid?: number }): Demo => {
  const byName: Readonly<Record<string, DemoStream>> = {
    welcome: createWelcome(clock, pid),
    echo: streamEcho,
    script: createScript(clock),
  };
  const find = (model: string): DemoStream | undefined => {
    if (Object.hasOwn(byName, model)) return byName[model];
    const count = tokenCount(model);
    return count === undefined ? undefined : (request, signal) => streamTokens(count, request, signal);
  };
  return {
    names: ['demo:welcome', 'demo:echo', 'demo:script'],
    has: (model) => find(model) !== undefined,
    stream: (model, request, signal) => {
      const stream = find(model);
      if (stream === undefined) throw new Error(`No demo model "${model}"`);
      return isSummaryAsked(request) ? streamSummary(request, signal) : stream(request, signal);
    },
  };
};
