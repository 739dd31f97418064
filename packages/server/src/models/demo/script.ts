/**
 * `demo:script`: the message says what the model does, so a test holds text, chunk boundaries, tool calls, failures
 * and delays in its own hand, also over HTTP.
 *
 * The message is (or ends in) JSON: `{"script": [directive, …]}` for one step, `{"steps": [[…], […]]}` for several.
 *
 *   {"text": "Hello wor"}                       one delta; {"text": "…", "chunk": 1} cuts it by characters
 *   {"reasoning": "…"}                          private reasoning
 *   {"delay_ms": 50}                            waits, by the Clock
 *   {"tool": {"name": "time", "input": {}}}     a call; also "raw" (argument text), "id", "chunk"; several = parallel
 *   {"error": {"status": 500, "times": 2}}      fails here; also "message", "retryable" (true), "retry_after_ms"
 *   {"error": {"code": "context_length_exceeded", "over": 900, "retryable": false}}   refuses prompts of more than 900 tokens
 *   {"hang": true}                              says nothing more until it is aborted
 *   {"usage": false}                            reports no usage; {"usage": {"input": 10, "output": 5}} these counts
 *   {"finish": "length"}                        how it ends, instead of stop or tool_calls
 *   {"echo": "message"}                         streams the last user message, e.g. a steer; "prompt": all messages as JSON
 *
 * Q1 The script is that of the newest user message that carries one. The current step is the number of assistant
 *    messages after it: a later user message without a script (a steer) goes on in the script. After the last step
 *    the answer is `done`; where no message carries a script it is `ok`.
 * Q2 "times": N fails the first N attempts. The count is kept per process, by a hash of the whole prompt and the
 *    directive's place in the step: two sessions with the same prompt share it, so give such scripts a "key".
 *    The newest 10,000 counts are kept.
 * Q3 A script that cannot be read is a `ModelError` that is not retryable, says why and names the directive.
 */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';
import type { TokenUsage } from '@turnkeeper/core/session/events';
import { type Clock, sleep } from '../../ports/clock.ts';
import { ModelError, type ModelPart, type ModelRequest } from '../../ports/model.ts';
import { createCharacterJoiner } from '../whole-characters.ts';
import type { DemoStream } from './demo-stream.ts';
import { lastUserText, promptHash } from './prompt-reading.ts';
import { type Directive, type Script, script, scriptFault } from './script-directives.ts';
import { estimateUsage, inputTokens, usageOf } from './usage.ts';

const maxCounts = 10_000;

const readScript = (text: string): Script | undefined => {
  const start = text.search(/\{\s*"(?:script|steps|key)"/);
  if (start === -1) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text.slice(start));
  } catch {
    throw new ModelError(`demo:script: the message is not valid JSON from "${firstCodePoints(text.slice(start), 40)}" on.`, { retryable: false });
  }
  const parsed = script.safeParse(json);
  if (!parsed.success) throw new ModelError(`demo:script: ${scriptFault(json)}`, { retryable: false });
  return parsed.data;
};

/** Q1. */
const currentStep = ({ messages }: ModelRequest): readonly Directive[] => {
  let step = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') step += 1;
    if (message.role !== 'user') continue;
    for (const block of message.content.toReversed()) {
      const found = block.type === 'text' ? readScript(block.text) : undefined;
      if (found !== undefined) return found.steps[step] ?? [{ text: 'done' }];
    }
  }
  return [{ text: 'ok' }];
};

const chunked = (text: string, chunk: number | undefined): readonly string[] => {
  if (chunk === undefined) return text === '' ? [] : [text];
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / chunk) }, (_, n) => characters.slice(n * chunk, (n + 1) * chunk).join(''));
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Q2: true for the first `times` calls with this key. */
const createAttemptCounts = () => {
  const counts = new Map<string, number>();
  return (key: string, times: number): boolean => {
    const attempts = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, attempts);
    const oldest = counts.size > maxCounts ? counts.keys().next().value : undefined;
    if (oldest !== undefined) counts.delete(oldest);
    return attempts <= times;
  };
};

type Call = Extract<Directive, { tool: unknown }>['tool'];

const callParts = (call: Call, id: string): readonly ModelPart[] => {
  const whole = call.raw ?? JSON.stringify(call.input);
  return [
    { type: 'tool_call_start', id, name: call.name },
    ...chunked(whole, call.chunk).map((text) => ({ type: 'tool_call_delta' as const, id, text })),
    { type: 'tool_call', id, name: call.name, arguments: whole },
  ];
};

const failure = (wanted: Extract<Directive, { error: unknown }>['error']): ModelError =>
  new ModelError(wanted.message, {
    retryable: wanted.retryable,
    ...(wanted.code === undefined ? {} : { code: wanted.code }),
    ...(wanted.status === undefined ? {} : { status: wanted.status }),
    ...(wanted.retry_after_ms === undefined ? {} : { retryAfterMs: wanted.retry_after_ms }),
  });

const echoed = (what: 'message' | 'prompt', request: ModelRequest): string =>
  what === 'message' ? lastUserText(request) : JSON.stringify({ system: request.system, messages: request.messages });

type Answer = { said: string; calls: number; usage: TokenUsage | false | undefined; reason: Extract<ModelPart, { type: 'finish' }>['reason'] | undefined };

/** The scripted model; counts attempts for itself (Q2). */
export const createScript = (clock: Clock): DemoStream => {
  const failsNow = createAttemptCounts();
  return async function* streamScript(request, signal): AsyncGenerator<ModelPart, void, undefined> {
    signal.throwIfAborted();
    const hash = promptHash(request);
    const joiner = createCharacterJoiner();
    const answer: Answer = { said: '', calls: 0, usage: undefined, reason: undefined };
    const say = (text: string): readonly ModelPart[] => {
      answer.said += text;
      return text === '' ? [] : [{ type: 'text_delta', text }];
    };

    const perform = async (directive: Directive, place: number): Promise<readonly ModelPart[]> => {
      if ('text' in directive) return chunked(directive.text, directive.chunk).flatMap((text) => say(joiner.push(text)));
      if ('echo' in directive) return say(joiner.push(echoed(directive.echo, request)));
      if ('reasoning' in directive) return [{ type: 'reasoning', text: directive.reasoning, provider: { demo: {} } }];
      if ('tool' in directive) {
        answer.calls += 1;
        return callParts(directive.tool, directive.tool.id ?? `call_${hash}_${answer.calls}`);
      }
      if ('delay_ms' in directive) await sleep(clock, directive.delay_ms, signal);
      else if ('hang' in directive) await untilAborted(signal);
      else if ('usage' in directive) answer.usage = directive.usage === false ? false : usageOf(directive.usage.input, directive.usage.output);
      else if ('finish' in directive) answer.reason = directive.finish;
      else if ('error' in directive && inputTokens(request) <= (directive.error.over ?? -1)) return [];
      else if (failsNow(`${hash}/${place}`, directive.error.times ?? Number.POSITIVE_INFINITY)) throw failure(directive.error);
      return [];
    };

    for (const [place, directive] of currentStep(request).entries()) {
      for (const part of await perform(directive, place)) {
        signal.throwIfAborted();
        yield part;
      }
    }
    yield* say(joiner.end());
    const usage = answer.usage ?? estimateUsage(request, answer.said);
    yield { type: 'finish', reason: answer.reason ?? (answer.calls > 0 ? 'tool_calls' : 'stop'), ...(usage === false ? {} : { usage }) };
  };
};
