/**
 * Looks texts up in what `i18n/<locale>.json` says.
 *
 * A key may stand there flat (`{"toast.done": …}`) or nested (`{"toast": {"done": …}}`); a list's entries are `name[0]`.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';

export type Locale = 'zh-CN' | 'en-US';
export const locales: readonly Locale[] = ['en-US', 'zh-CN'];
export type MessagesByLocale = Readonly<Record<string, JsonObject>>;

/** A member that the value holds itself: never one of its prototype. */
const own = (value: Json | undefined, part: string): Json | undefined => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
  return (value as { readonly [name: string]: Json })[part];
};

/** The text of a key in one language; undefined where it has none. */
export const messageAt = (messages: JsonObject | undefined, key: string): string | undefined => {
  if (messages === undefined) return undefined;
  const flat = own(messages, key);
  if (typeof flat === 'string') return flat;
  const parts = key.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  let found: Json | undefined = messages;
  for (const part of parts) found = own(found, part);
  return typeof found === 'string' ? found : undefined;
};

/** The languages in which a text is looked for, the wanted one first. */
export const fallbacks = (locale: Locale): readonly Locale[] => [locale, ...locales.filter((other) => other !== locale)];

export type PlaceholderValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `{name}` becomes its value; a placeholder without one stays as it is. */
export const fillIn = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(/\{([^{}\s]+)\}/g, (placeholder, name: string) => (Object.hasOwn(values, name) ? String(values[name] ?? '') : placeholder));
