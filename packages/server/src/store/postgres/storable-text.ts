/**
 * PostgreSQL's text holds neither the character NUL nor half of a surrogate pair. JSON text never has them (they are
 * escaped there); a title, a key or a search word may. They become U+FFFD, on writing and on looking up alike, so that
 * one odd character in a message does not make its session impossible to store.
 */
export const storableText = (text: string): string => {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed;
};

/** How a title is kept and looked for when case does not matter. */
export const foldedTitle = (title: string): string => storableText(title).toLowerCase();
