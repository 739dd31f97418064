/** What is being written, by session (or for a new chat): it survives a reload. */
import { createStoredValue, type StoredValue } from '../preferences/stored-value.ts';

const drafts = new Map<string, StoredValue<string>>();

export const draftOf = (place: string): StoredValue<string> => {
  const known = drafts.get(place);
  if (known) return known;
  const draft = createStoredValue(
    `turnkeeper.draft.${place}`,
    (text) => text ?? '',
    (text) => text,
  );
  drafts.set(place, draft);
  return draft;
};
