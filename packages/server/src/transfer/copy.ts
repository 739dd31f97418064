/**
 * Copies a store table by table, page by page, and compares both sides afterwards.
 *
 * MV3 A copy counts only after both sides were read anew and compared: as many rows, and the same rows.
 */
import { createDigester, type Digest, sameDigest } from './digest.ts';
import type { Progress, Side, Target, Watch } from './side.ts';
import { type Row, type Table, tables } from './tables.ts';

export type Compared = { readonly table: string; readonly source: Digest; readonly target: Digest; readonly same: boolean };
export type Counts = ReadonlyMap<string, number>;

export const countAll = async (side: Side): Promise<Counts> => {
  const counts = new Map<string, number>();
  for (const table of tables) counts.set(table.name, await side.count(table));
  return counts;
};

const total = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Counts rows for whoever watches, and stops between two pages when that is wanted. */
const createMeter = (phase: Progress['phase'], all: number, { onProgress, signal }: Watch, begun = 0) => {
  let done = begun;
  return (table: string, rows: number): void => {
    done += rows;
    onProgress?.({ phase, table, done, all });
    signal?.throwIfAborted();
  };
};

/** `from`: of each table the key behind which it goes on, where an earlier attempt had come to. */
export const copyRows = async (
  source: Side,
  target: Target,
  { counts, from, ...watch }: Watch & { readonly counts: Counts; readonly from?: ReadonlyMap<string, Row> },
): Promise<void> => {
  const begun = from ? total(await countAll(target)) : 0;
  const copied = createMeter('copy', total(counts), watch, begun);
  for (const table of tables) {
    copied(table.name, 0);
    for await (const page of source.pages(table, from?.get(table.name))) {
      await target.put(table, page);
      copied(table.name, page.rows.length);
    }
  }
  await target.setLastSid(await source.lastSid());
};

const digestOf = async (side: Side, table: Table, read: (table: string, rows: number) => void): Promise<Digest> => {
  const digester = createDigester();
  for await (const page of side.pages(table)) {
    for (const row of page.rows) digester.add(row);
    read(table.name, page.rows.length);
  }
  return digester.digest();
};

/** Every table of both sides; the numbers of sessions are compared as a table of one row. */
export const compareSides = async (source: Side, target: Side, { counts, ...watch }: Watch & { readonly counts: Counts }): Promise<readonly Compared[]> => {
  const read = createMeter('verify', 2 * total(counts), watch);
  const compared: Compared[] = [];
  for (const table of tables) {
    const [of, is] = [await digestOf(source, table, read), await digestOf(target, table, read)];
    compared.push({ table: table.name, source: of, target: is, same: sameDigest(of, is) });
  }
  const [of, is] = await Promise.all([source, target].map(numbering));
  if (of && is) compared.push({ table: 'numbering', source: of, target: is, same: sameDigest(of, is) });
  return compared;
};

const numbering = async (side: Side): Promise<Digest> => {
  const digester = createDigester();
  digester.add([await side.lastSid()]);
  return digester.digest();
};
