/** The `Range` header, for one range of bytes; a list of several is answered as if none was asked for (RFC 9110, 14.2). */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { ByteRange } from '../app/session-files.ts';

/** Undefined: all of it. Throws `range_not_satisfiable` for one that lies beyond the end. */
export const byteRange = (header: string | undefined, size: number): ByteRange | undefined => {
  const found = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  const [first, last] = [found[1] ?? '', found[2] ?? ''];
  const range =
    first === ''
      ? { start: Math.max(0, size - Number(last)), end: size - 1 }
      : { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  // It is no range at all, and counts as none.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (range.start >= size || (first === '' && Number(last) === 0)) throw new TurnkeeperError('range_not_satisfiable', `The file has ${size} bytes.`, { size });
  return range;
};
