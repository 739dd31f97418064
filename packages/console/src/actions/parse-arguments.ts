import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { jsonFault } from '@turnkeeper/react/json-fault';

/** Arguments as they were typed. */
export type ParsedArguments =
  | { readonly kind: 'arguments'; readonly value: JsonObject }
  | { readonly kind: 'not_json'; readonly line: number; readonly column: number }
  | { readonly kind: 'not_an_object' };

export const parseArguments = (text: string): ParsedArguments => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'not_json', ...(jsonFault(text) ?? { line: 1, column: 1 }) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'not_an_object' };
  return { kind: 'arguments', value: value as JsonObject };
};
