/**
 * Base64, strictly (RFC 4648, section 4).
 *
 * MB1 Node's decoder skips whatever it does not know and stops at the first `=`: text that is not base64 must not become other bytes.
 */

const paddingOf = (text: string): number => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** How many bytes sound base64 of this text stands for. */
export const decodedSize = (text: string): number => (text.length / 4) * 3 - paddingOf(text);

/** The bytes; undefined where the text is not base64. */
export const decodeBase64 = (text: string): Buffer | undefined => {
  if (text.length % 4 !== 0) return undefined;
  const body = text.slice(0, text.length - paddingOf(text));
  // Looks for one character that does not belong: linear, whatever the text.
  if (/[^A-Za-z0-9+/]/.test(body)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Bits that stand for nothing must be zero, else two texts are the same bytes.
  const end = bytes.length % 3 === 0 ? 3 : bytes.length % 3;
  return bytes.length === 0 || bytes.subarray(-end).toString('base64') === text.slice(-4) ? bytes : undefined;
};
