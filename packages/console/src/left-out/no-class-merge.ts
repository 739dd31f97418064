/** Stands in for tailwind-merge (vite.config.ts): the page's own elements replace all that it would merge classes for. */
export const twMerge = (...classes: readonly string[]): string => classes.filter(Boolean).join(' ');
