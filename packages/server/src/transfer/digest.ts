/**
 * What the rows of a table amount to: their number and a sum of their hashes.
 *
 * The sum does not depend on the order of the rows: two databases order texts differently, and odd characters that are
 * replaced on the way (MV1) change the order as well. Each row is hashed by SHA-256; the eight words of the hashes are
 * added up apart from each other.
 */
import { hash } from 'node:crypto';

export type Digest = { readonly rows: number; readonly hash: string };

export type Digester = { readonly add: (row: readonly unknown[]) => void; readonly digest: () => Digest };

const words = 8;

export const createDigester = (): Digester => {
  const sums = new Uint32Array(words);
  let rows = 0;
  return {
    add: (row) => {
      const bytes = hash('sha256', JSON.stringify(row), 'buffer');
      for (let at = 0; at < words; at += 1) sums[at] = (sums[at] ?? 0) + bytes.readUInt32BE(at * 4);
      rows += 1;
    },
    digest: () => ({ rows, hash: Array.from(sums, (sum) => sum.toString(16).padStart(8, '0')).join('') }),
  };
};

export const sameDigest = (a: Digest, b: Digest): boolean => a.rows === b.rows && a.hash === b.hash;
