/** Filters that somebody keeps under a name, in this browser. */
import { createStoredValue } from '../preferences/stored-value.ts';
import { parseFilters, printFilters, type SessionFilters } from './filters.ts';

/** `query`: as it stands in the address. */
export type SavedFilters = { readonly name: string; readonly query: string };
const mostSaved = 20;

const isSaved = (value: unknown): value is SavedFilters =>
  typeof value === 'object' && value !== null && typeof (value as SavedFilters).name === 'string' && typeof (value as SavedFilters).query === 'string';

const parse = (text: string | undefined): readonly SavedFilters[] => {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isSaved).slice(0, mostSaved) : [];
  } catch {
    return [];
  }
};

export const savedFilters = createStoredValue<readonly SavedFilters[]>('turnkeeper.saved-filters', parse, (list) =>
  list.length === 0 ? undefined : JSON.stringify(list),
);

/** Under a name that is taken they take its place. */
export const saveFilters = (name: string, filters: SessionFilters): void => {
  const others = savedFilters.get().filter((known) => known.name !== name);
  savedFilters.set([...others, { name, query: printFilters(filters) }].slice(-mostSaved));
};

export const removeSaved = (name: string): void => savedFilters.set(savedFilters.get().filter((known) => known.name !== name));

export const filtersOf = ({ query }: SavedFilters): SessionFilters => parseFilters(new URLSearchParams(query));
