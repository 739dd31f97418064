/**
 * The AI SDK's model objects, one for all calls of a model: making one builds the schemas that it reads a stream by, which costs more
 * than a short answer does.
 *
 * SH1 A call's requests go out by its own `fetch`, found by the signal that the AI SDK passes on with each of them.
 */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { FetchFunction } from '@ai-sdk/provider-utils';
import type { Adapter } from './adapter.ts';

/** Names come from definitions: more than anybody uses, and no way to fill the memory. */
const mostModels = 200;

const fetches = new WeakMap<AbortSignal, FetchFunction>();
const models = new WeakMap<Adapter, Map<string, LanguageModelV4>>();

const fetchOfCall: FetchFunction = (input, init) => {
  const own = init?.signal ? fetches.get(init.signal) : undefined;
  return own ? own(input, init) : Promise.reject(new Error('a provider was asked outside of a call'));
};

/** For one call, whose requests carry `signal` and go out by `fetch`. */
export const modelFor = (adapter: Adapter, name: string, signal: AbortSignal, fetch: FetchFunction): LanguageModelV4 => {
  fetches.set(signal, fetch);
  const known = models.get(adapter) ?? new Map<string, LanguageModelV4>();
  models.set(adapter, known);
  const found = known.get(name);
  if (found) return found;
  if (known.size >= mostModels) known.clear();
  const made = adapter.createModel(name, fetchOfCall);
  known.set(name, made);
  return made;
};
