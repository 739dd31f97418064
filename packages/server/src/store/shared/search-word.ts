/** What people look for, as both stores look for it: whatever the case, and taken literally. */

/** `folded` is in titles and ids, `inJson` the same as it stands inside the strings of JSON text. */
export type SearchWord = { readonly folded: string; readonly inJson: string };

export const searchWord = (q: string): SearchWord => ({ folded: q.toLowerCase(), inJson: JSON.stringify(q).slice(1, -1).toLowerCase() });
