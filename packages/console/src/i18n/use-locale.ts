import { language } from '../preferences/language.ts';
import { useStored } from '../preferences/use-stored.ts';

/** For numbers and dates: the chosen language, in the region that the browser says. */
export const useLocale = (): string => {
  const chosen = useStored(language);
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(chosen)) ?? chosen;
};
