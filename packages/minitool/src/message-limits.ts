/** How much one message of a mini-tool may hold. A character is a Unicode code point. */
export const mostTextCharacters = 100_000;
export const mostAttachments = 10;
/** Each, and together; decoded. */
export const mostAttachmentBytes = 20 * 1024 * 1024;
export const attachmentKinds = ['image', 'pdf', 'text', 'file'] as const;

/** True where the text has more than so many code points; looks at no more of it than it must. */
export const hasMoreCharacters = (text: string, most: number): boolean => {
  if (text.length <= most) return false;
  if (text.length > 2 * most) return true;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > most) return true;
  }
  return false;
};
