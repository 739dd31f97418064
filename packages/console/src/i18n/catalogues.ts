import { en, type TextKey } from './en.ts';
import { zh } from './zh.ts';

export const catalogues = { en, zh } as const;
export type Language = keyof typeof catalogues;
export const languageNames: Record<Language, string> = { en: 'English', zh: '中文' };

export type TextValues = { readonly [name: string]: string | number };

const plurals = { en: new Intl.PluralRules('en'), zh: new Intl.PluralRules('zh') } as const;

/** A text with its `{names}` filled in; of `{name|one|several}` what fits the number that it has. What is no number, as in `100+`, is several. */
export const textIn = (language: Language, key: TextKey, values: TextValues = {}): string =>
  catalogues[language][key].replace(/\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g, (whole, name: string, one?: string, several?: string) => {
    const value = values[name] ?? whole;
    if (one === undefined || several === undefined) return String(value);
    return plurals[language].select(Number(value)) === 'one' ? one : several;
  });

/** The first language of the list that there is a catalogue for. */
export const bestLanguage = (wanted: readonly string[]): Language => {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split('-')[0];
    if (primary === 'zh' || primary === 'en') return primary;
  }
  return 'en';
};
