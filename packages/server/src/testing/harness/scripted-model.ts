/**
 * A model that says what a test wrote for it, in the chunks in which it was written.
 *
 * A script belongs to the text of a user message; its steps are the model calls that follow on that message, counted by
 * the assistant's messages after it, so that a call that is made again after a crash says the same again. Every request
 * is recorded and its transcript checked (C1).
 */
import { type PromptMessage, transcriptFault } from '@turnkeeper/core/session/context';
import type { TokenUsage } from '@turnkeeper/core/session/events';
import { costBy } from '../../models/prices.ts';
import type { FrozenPrice, ModelPart, ModelRequest, Models } from '../../ports/model.ts';
import type { Gate } from './gate.ts';

export type Piece =
  /** One delta. */
  | { readonly text: string }
  /** A tool call, on the first `times` attempts (default: on all); with `chunk` its arguments come in deltas of so many UTF-16 units. */
  | {
      readonly call: string;
      readonly input?: Readonly<Record<string, unknown>>;
      readonly id?: string;
      readonly raw?: string;
      readonly chunk?: number;
      readonly times?: number;
    }
  | { readonly gate: Gate }
  /** Throws this, on the first `times` attempts (default: on all). */
  | { readonly fails: () => Error; readonly times?: number }
  /** Says nothing more until it is aborted; `deaf`: not even then. */
  | { readonly hang: true | 'deaf' }
  | { readonly usage: TokenUsage | undefined }
  /** The stream just ends, without a finish. */
  | { readonly ends: true }
  /** What is known only when it is asked. */
  | { readonly asked: () => Promise<Step> };
export type Step = readonly Piece[];

export type RecordedCall = {
  readonly request: ModelRequest;
  readonly text: string;
  readonly step: number;
  readonly fault: string | undefined;
  readonly ended: () => 'open' | 'finished' | 'failed' | 'aborted';
};

export type ScriptedModel = Models & {
  /** What is said to a user message that ends in `text`. */
  readonly when: (text: string, ...steps: readonly Step[]) => void;
  /** What every model costs from now on. Until then a thousandth a token, which sessions do not freeze. */
  readonly charge: (price: FrozenPrice) => void;
  readonly calls: readonly RecordedCall[];
  readonly faults: () => readonly string[];
};

export const modelName = 'scripted:model';
const usage: TokenUsage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

const lastUser = (messages: readonly PromptMessage[]): { readonly text: string; readonly step: number } => {
  const at = messages.findLastIndex((message) => message.role === 'user');
  const user = messages[at];
  const texts = user?.role === 'user' ? user.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [];
  return { text: texts.at(-1) ?? '', step: messages.slice(at + 1).filter((message) => message.role === 'assistant').length };
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const chunks = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));

const callParts = (piece: Extract<Piece, { call: string }>, n: number): readonly ModelPart[] => {
  const id = piece.id ?? `call${n}`;
  const whole = piece.raw ?? JSON.stringify(piece.input ?? {});
  return [
    { type: 'tool_call_start', id, name: piece.call },
    ...chunks(whole, piece.chunk ?? Math.max(whole.length, 1)).map((text) => ({ type: 'tool_call_delta' as const, id, text })),
    { type: 'tool_call', id, name: piece.call, arguments: whole },
  ];
};

export const createScriptedModel = (): ScriptedModel => {
  const scripts = new Map<string, readonly Step[]>();
  const calls: RecordedCall[] = [];
  const attempts = new Map<string, number>();

  const stepOf = (request: ModelRequest): { readonly step: Step; readonly text: string; readonly n: number } => {
    const { text, step } = lastUser(request.messages);
    const steps = scripts.get(text);
    return { step: steps?.[step] ?? [{ text: steps ? 'done' : `echo: ${text}` }], text, n: step };
  };

  const mayTry = (key: string, times = Number.POSITIVE_INFINITY): boolean => {
    const tried = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, tried);
    return tried <= times;
  };

  async function* say(step: Step, key: string, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
    let used: TokenUsage | undefined = usage;
    let called = 0;
    const pieces = await Promise.all(step.map(async (piece) => ('asked' in piece ? piece.asked() : [piece])));
    for (const [place, piece] of pieces.flat().entries()) {
      signal.throwIfAborted();
      if ('text' in piece) yield { type: 'text_delta', text: piece.text };
      else if ('call' in piece) {
        if (!mayTry(`${key}/${place}`, piece.times)) continue;
        called += 1;
        for (const part of callParts(piece, called)) yield part;
      } else if ('gate' in piece) await Promise.race([piece.gate.wait(), untilAborted(signal)]);
      else if ('hang' in piece) await (piece.hang === 'deaf' ? new Promise<never>(() => {}) : untilAborted(signal));
      else if ('usage' in piece) used = piece.usage;
      else if ('ends' in piece || 'asked' in piece) return;
      else if (mayTry(`${key}/${place}`, piece.times)) throw piece.fails();
    }
    yield { type: 'finish', reason: called > 0 ? 'tool_calls' : 'stop', ...(used ? { usage: used } : {}) };
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
    const { step, text, n } = stepOf(request);
    let ended: ReturnType<RecordedCall['ended']> = 'open';
    calls.push({ request, text, step: n, fault: transcriptFault(request.messages), ended: () => ended });
    try {
      yield* say(step, `${text}/${n}`, signal);
      ended = 'finished';
    } catch (error) {
      ended = signal.aborted ? 'aborted' : 'failed';
      throw error;
    }
  }

  let charged: FrozenPrice | undefined;
  return {
    stream,
    has: () => true,
    list: () => [modelName],
    inputFault: (_model, { mediaType }) => (mediaType.startsWith('video') ? 'the scripted model takes no video' : undefined),
    price: (_model, usage) => (charged ? costBy(charged, usage) : usage && { amount: usage.total_tokens / 1000, currency: 'USD' }),
    priceInForce: () => charged,
    charge: (price) => {
      charged = price;
    },
    when: (text, ...steps) => {
      scripts.set(text, steps);
    },
    calls,
    faults: () => calls.flatMap((call) => (call.fault === undefined ? [] : [`${call.text}: ${call.fault}`])),
  };
};
