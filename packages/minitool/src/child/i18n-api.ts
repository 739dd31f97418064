/** `ctx.i18n`. */
import type { MiniToolI18n } from '../context/i18n.ts';
import { fallbacks, fillIn, type Locale, type MessagesByLocale, messageAt } from '../messages.ts';
import type { Listeners } from './listeners.ts';

export type LocaleHolder = { readonly current: () => Locale; readonly listeners: Listeners<Locale> };

export const createI18n = ({ current, listeners }: LocaleHolder, messages: MessagesByLocale): MiniToolI18n => {
  const find = (key: string): string | undefined =>
    fallbacks(current())
      .map((locale) => messageAt(messages[locale], key))
      .find((text) => text !== undefined);
  return {
    get locale() {
      return current();
    },
    t: (key, values = {}) => fillIn(find(key) ?? key, values),
    has: (key) => find(key) !== undefined,
    onDidChangeLocale: (listener) => listeners.add(listener),
  };
};
