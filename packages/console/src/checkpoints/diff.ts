/**
 * Two lists beside each other: what they begin with alike is counted, what follows is lined up.
 *
 * DI1 Each entry of both sides stands in exactly one row, in its order.
 */
export type DiffRow<Entry> =
  | { readonly kind: 'same' | 'changed'; readonly left: Entry; readonly right: Entry }
  | { readonly kind: 'left'; readonly left: Entry }
  | { readonly kind: 'right'; readonly right: Entry };
export type Diff<Entry> = { /** How many they begin with alike. */ readonly prefix: number; readonly rows: readonly DiffRow<Entry>[] };

type Same<Entry> = (left: Entry, right: Entry) => boolean;

/** Beyond it lining up would take too long: then all of one side is told before all of the other. */
const mostCells = 4_000_000;

const commonPrefix = <Entry>(left: readonly Entry[], right: readonly Entry[], same: Same<Entry>): number => {
  let at = 0;
  while (at < left.length && at < right.length && same(left[at] as Entry, right[at] as Entry)) at += 1;
  return at;
};

/** The lengths of the longest common part of what is left of both sides, from each place on. */
const lengthsOf = <Entry>(left: readonly Entry[], right: readonly Entry[], same: Same<Entry>): ((i: number, j: number) => number) => {
  const width = right.length + 1;
  const table = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const here = same(left[i] as Entry, right[j] as Entry);
      table[i * width + j] = here ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  return (i, j) => table[i * width + j] ?? 0;
};

/** `left` and `right` rows in a row, without an order between them. */
const aligned = <Entry>(left: readonly Entry[], right: readonly Entry[], same: Same<Entry>): readonly DiffRow<Entry>[] => {
  if (left.length * right.length > mostCells)
    return [...left.map((entry) => ({ kind: 'left', left: entry }) as const), ...right.map((entry) => ({ kind: 'right', right: entry }) as const)];
  const length = lengthsOf(left, right, same);
  const rows: DiffRow<Entry>[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (i < left.length && j < right.length && same(one as Entry, other as Entry)) {
      rows.push({ kind: 'same', left: one as Entry, right: other as Entry });
      i += 1;
      j += 1;
    } else if (j >= right.length || (i < left.length && length(i + 1, j) >= length(i, j + 1))) {
      rows.push({ kind: 'left', left: one as Entry });
      i += 1;
    } else {
      rows.push({ kind: 'right', right: other as Entry });
      j += 1;
    }
  }
  return rows;
};

/** What was left out here and put in there stands beside each other, where it is `akin`. */
const paired = <Entry>(rows: readonly DiffRow<Entry>[], akin: Same<Entry>): readonly DiffRow<Entry>[] => {
  const result: DiffRow<Entry>[] = [];
  let lefts: Entry[] = [];
  let rights: Entry[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(lefts.length, rights.length); at += 1) {
      const [left, right] = [lefts[at], rights[at]];
      if (left !== undefined && right !== undefined && akin(left, right)) result.push({ kind: 'changed', left, right });
      else {
        if (left !== undefined) result.push({ kind: 'left', left });
        if (right !== undefined) result.push({ kind: 'right', right });
      }
    }
    lefts = [];
    rights = [];
  };
  for (const row of rows) {
    if (row.kind === 'left') lefts.push(row.left);
    else if (row.kind === 'right') rights.push(row.right);
    else {
      flush();
      result.push(row);
    }
  }
  flush();
  return result;
};

export const diffOf = <Entry>(left: readonly Entry[], right: readonly Entry[], same: Same<Entry>, akin: Same<Entry> = () => true): Diff<Entry> => {
  const prefix = commonPrefix(left, right, same);
  return { prefix, rows: paired(aligned(left.slice(prefix), right.slice(prefix), same), akin) };
};

export type Word = { readonly text: string; readonly changed: boolean };

/** Beyond it a text is told as changed altogether. */
const mostWords = 1_500;
/** Words, spaces, and each sign by itself; a sign that is a word, too. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\s+|[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[\p{L}\p{M}\p{N}_])+|./gsu) ?? [];

const joined = (words: readonly Word[]): readonly Word[] =>
  words.reduce<Word[]>((all, word) => {
    const last = all.at(-1);
    if (last?.changed !== word.changed) return [...all, word];
    return [...all.slice(0, -1), { text: last.text + word.text, changed: word.changed }];
  }, []);

/** Two texts, each with what the other does not have marked. */
export const wordDiff = (left: string, right: string): { readonly left: readonly Word[]; readonly right: readonly Word[] } => {
  const [one, other] = [wordsOf(left), wordsOf(right)];
  if (one.length > mostWords || other.length > mostWords) return { left: [{ text: left, changed: true }], right: [{ text: right, changed: true }] };
  const { prefix, rows } = diffOf(one, other, (a, b) => a === b);
  const alike: Word[] = one.slice(0, prefix).map((text) => ({ text, changed: false }));
  return {
    left: joined([...alike, ...rows.flatMap((row) => ('left' in row ? [{ text: row.left, changed: row.kind !== 'same' }] : []))]),
    right: joined([...alike, ...rows.flatMap((row) => ('right' in row ? [{ text: row.right, changed: row.kind !== 'same' }] : []))]),
  };
};
