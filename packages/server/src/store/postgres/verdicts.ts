/** The call of the write function and what it answers. */
import type { Receipt, WriteResult } from '../../ports/session-store.ts';

/** `skipped`: its head was locked by another node; nothing was written. */
export type Verdict = { readonly kind: 'settled'; readonly result: WriteResult } | { readonly kind: 'skipped' };

const argumentTypes = [
  'boolean',
  ...['bigint[]', 'int[]', 'bigint[]', 'bigint[]', 'bigint[]'],
  ...['int[]', 'int[]', 'bigint[]', 'int[]', 'text[]'],
  ...['text[]', 'bigint[]', 'bigint[]', 'bigint[]', 'bigint[]', 'bigint[]'],
  ...['int[]', 'text[]'],
  ...['int[]', 'int[]', 'bigint[]', 'text[]', 'bigint[]', 'text[]'],
  ...['int[]', 'text[]', 'text[]', 'int[]', 'int[]', 'int[]', 'bigint[]', 'text[]'],
  ...['int[]', 'int[]', 'text[]'],
  ...['json', 'json', 'json', 'json', 'json', 'json', 'json'],
];

export const writeStatement = {
  name: 'turnkeeper_write_2',
  text: `select * from turnkeeper_write_2(${argumentTypes.map((type, index) => `$${index + 1}::${type}`).join(', ')})`,
};

type Row = [
  w: number,
  verdict: number,
  sid: number,
  seq: number,
  stateSeq: number,
  horizon: number,
  fence: number,
  node: string | null,
  wn: number,
  due: number | null,
  quota: number | null,
  receipt: string | null,
];

const settled = (result: WriteResult): Verdict => ({ kind: 'settled', result });

const verdictOf = (row: Row): Verdict => {
  const [, verdict, sid, seq, stateSeq, horizon, fence, node, wn, due, quota, receipt] = row;
  switch (verdict) {
    case 0:
      return settled({ ok: true, head: { sid, seq, stateSeq, horizon, fence, node, wn, due } });
    case 1:
      return settled({ ok: false, reason: 'gone' });
    case 2:
      return settled({ ok: false, reason: 'conflict' });
    case 3:
      return settled({ ok: false, reason: 'fenced' });
    case 4:
      return settled({ ok: false, reason: 'receipt', receipt: JSON.parse(receipt ?? 'null') as Receipt });
    case 5:
      return settled({ ok: false, reason: 'quota', quota: 'unfinished', count: quota ?? 0 });
    case 6:
      return { kind: 'skipped' };
    case 7:
      return settled({ ok: false, reason: 'quota', quota: 'running', count: quota ?? 0 });
    default:
      throw new Error(`unknown verdict ${verdict}`);
  }
};

/** One verdict a write, in the batch's order. */
export const readVerdicts = (rows: readonly unknown[][], writes: number): readonly Verdict[] => {
  const verdicts = new Array<Verdict>(writes);
  for (const row of rows as Row[]) verdicts[row[0] - 1] = verdictOf(row);
  for (let index = 0; index < writes; index += 1) if (!verdicts[index]) throw new Error('a write without a verdict');
  return verdicts;
};
