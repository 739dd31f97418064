/**
 * A header's value as the text that it was sent as.
 *
 * Node hands over header bytes as latin1. Values that differ in their bytes must stay different: valid UTF-8 is decoded;
 * other bytes (an old client's latin1) go to a private area of Unicode, where no UTF-8 text lands by accident.
 */
import { isUtf8 } from 'node:buffer';

const privateArea = 0xf700;

export const decodeHeader = (value: string): string => {
  // Nearly every value is plain ASCII.
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : privateArea + byte)).join('');
};
