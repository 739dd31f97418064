import type { Json } from '@turnkeeper/core/protocol/json';

/** Undefined: it is no JSON. */
export const parseJson = (text: string): { readonly value: Json } | undefined => {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
};
