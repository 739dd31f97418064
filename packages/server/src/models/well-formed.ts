import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';

/**
 * The same value with every lone surrogate replaced by U+FFFD. Providers refuse a request that holds one with a 400,
 * and as it is part of the history, every later call of the session would fail as well.
 */
export const wellFormed = (value: Json): Json => {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return wellFormedObject(value as JsonObject);
};

export const wellFormedObject = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
