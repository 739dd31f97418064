/**
 * What one provider adds to the common way of calling a model (`call-provider.ts`).
 *
 * An adapter is plain data about one configured provider: no state, no retries, no reading of the environment.
 * Base URLs are always given to the AI SDK explicitly, because it would else look for them in the environment.
 */
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { FetchFunction } from '@ai-sdk/provider-utils';

export type MediaKind = 'image' | 'audio' | 'video';

export type Adapter = {
  /** As in model names, for messages to people. */
  readonly provider: string;
  /** Under which the AI SDK keeps this provider's own data in parts (signatures, item ids). */
  readonly metadataKey: string;
  readonly createModel: (model: string, fetch: FetchFunction) => LanguageModelV4;
  readonly providerOptions: SharedV4ProviderOptions;
  /** Asks the provider to cache what comes before it; left out where providers cache by themselves what prompts begin with. */
  readonly cacheMark?: SharedV4ProviderOptions;
  /** What a tool result may carry besides text. The rest is named in words, since a tool's output is no one's to fix. */
  readonly toolResultMedia: { readonly kinds: readonly MediaKind[]; readonly urls: boolean };
  /** What a user's message may carry besides text: media types, or `image/*` for all of a kind; `byUrl`: those also by URL. */
  readonly inputMedia: { readonly types: readonly string[]; readonly byUrl: readonly string[] };
  /** True for a stream event that is newer than the AI SDK and does not matter to the answer. */
  readonly isUnknownEvent: (value: unknown) => boolean;
  /** Never to be seen in a message. */
  readonly secrets: readonly string[];
  /** Names to offer in a picker. */
  readonly defaultModels: readonly string[];
};
