import { bestLanguage, catalogues, type Language } from '../i18n/catalogues.ts';
import { createStoredValue } from './stored-value.ts';

const parse = (text: string | undefined): Language => (text !== undefined && text in catalogues ? (text as Language) : bestLanguage(navigator.languages));

export const language = createStoredValue<Language>('turnkeeper.language', parse, (value) => value);

export const applyLanguage = (): void => {
  document.documentElement.lang = language.get() === 'zh' ? 'zh-CN' : 'en';
};
