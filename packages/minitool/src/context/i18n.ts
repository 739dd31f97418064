/** Texts in the language of the installation, from the package's `i18n/<locale>.json`. */
import type { Disposable } from './lifetime.ts';

export type AppLocale = 'zh-CN' | 'en-US';
export type LocalePreference = 'system' | AppLocale;
export type TranslationValue = string | number | boolean | null | undefined;
export type TranslationValues = Record<string, TranslationValue>;

export interface MiniToolI18n {
  readonly locale: AppLocale;
  /** The text of a key, with `{name}` filled in; the other language's where this one has none, else the key itself. */
  t(key: string, values?: TranslationValues): string;
  has(key: string): boolean;
  onDidChangeLocale(listener: (locale: AppLocale) => void): Disposable;
}
