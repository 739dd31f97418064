/**
 * What the models are made from. Only the server's `config.ts` reads the environment and files; this is its answer.
 */
import type { ModelPrice } from '@turnkeeper/core/protocol/wire/prices';

export type ProviderConfig = { readonly apiKey: string; readonly baseURL?: string };

/** `models`: names to offer in a picker; the server itself cannot know what such a provider has. */
export type CompatibleConfig = { readonly baseURL: string; readonly apiKey?: string; readonly models?: readonly string[] };

export type ModelsConfig = {
  readonly openai?: ProviderConfig;
  readonly anthropic?: ProviderConfig;
  readonly google?: ProviderConfig;
  /** Where these are asked whose key comes later, if not where they usually are. */
  readonly baseURLs?: { readonly [Provider in 'openai' | 'anthropic' | 'google']?: string };
  /** Model names `openai-compatible:<model>`. */
  readonly openaiCompatible?: CompatibleConfig;
  /** Model names `<name>:<model>`. */
  readonly named?: Readonly<Record<string, CompatibleConfig & { readonly type: 'openai-compatible' }>>;
  readonly demo: boolean;
  /** By full name, e.g. `local:qwen3`. Goes before the built-in table; `null` says that the model is unpriced. */
  readonly prices?: Readonly<Record<string, ModelPrice | null>>;
};

/** A model's name taken apart at its first colon; undefined where a half is missing. */
export const parseModelName = (name: string): { readonly provider: string; readonly model: string } | undefined => {
  const colon = name.indexOf(':');
  if (colon < 1 || colon === name.length - 1) return undefined;
  return { provider: name.slice(0, colon), model: name.slice(colon + 1) };
};
