import { useCallback } from 'react';
import { language } from '../preferences/language.ts';
import { useStored } from '../preferences/use-stored.ts';
import { type TextValues, textIn } from './catalogues.ts';
import type { TextKey } from './en.ts';

export type Text = (key: TextKey, values?: TextValues) => string;

/** Texts in the chosen language. */
export const useText = (): Text => {
  const chosen = useStored(language);
  return useCallback((key, values) => textIn(chosen, key, values), [chosen]);
};
