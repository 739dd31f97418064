/**
 * A provider's own data in parts: thinking signatures, thought signatures, encrypted reasoning, item ids.
 *
 * It goes into the context with its part and back to the same kind of provider unchanged; to another kind it is
 * not sent. It is kept under the adapter's key, and reasoning always carries that key, which tells where it came from.
 */
import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { JsonObject } from '@turnkeeper/core/protocol/json';

/** Joins what a block's events carried; later members win. */
export const mergeMetadata = (
  before: SharedV4ProviderMetadata | undefined,
  after: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined => {
  if (before === undefined || after === undefined) return after ?? before;
  const merged = { ...before };
  for (const [key, members] of Object.entries(after)) merged[key] = { ...merged[key], ...members };
  return merged;
};

/** The adapter's share as JSON; undefined when there is none. */
export const toProviderData = (metadata: SharedV4ProviderMetadata | undefined, key: string): JsonObject | undefined => {
  const own = metadata?.[key];
  // Through JSON: members that are undefined have no place in the context.
  return own === undefined ? undefined : { [key]: JSON.parse(JSON.stringify(own)) as JsonObject };
};

/** What goes back to the provider with a part; undefined when the part came from elsewhere. */
export const toProviderOptions = (provider: JsonObject | undefined, key: string): SharedV4ProviderOptions | undefined => {
  const own = provider?.[key];
  return own === null || typeof own !== 'object' || Array.isArray(own) ? undefined : { [key]: own as JsonObject };
};
