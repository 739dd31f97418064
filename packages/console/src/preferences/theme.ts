import { createStoredValue } from './stored-value.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const parse = (text: string | undefined): Theme => themes.find((theme) => theme === text) ?? 'system';

export const theme = createStoredValue<Theme>('turnkeeper.theme', parse, (value) => (value === 'system' ? undefined : value));

/** `data-theme` sets `color-scheme`, from which every colour follows; without it the system decides. */
export const applyTheme = (): void => {
  const chosen = theme.get();
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
};
