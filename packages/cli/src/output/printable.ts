/**
 * Text from models, tools and people is not trusted by a terminal: control characters (escape sequences could move
 * the cursor, set titles, or worse) are taken out; line breaks and tabs stay.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be found
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const printable = (text: string): string => text.replaceAll('\r\n', '\n').replace(controls, '');

/** On one line, at most `limit` characters. */
export const oneLine = (text: string, limit = 100): string => {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join('')}…`;
};
