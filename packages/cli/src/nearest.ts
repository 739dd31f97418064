/** What was probably meant by a word that fits nothing: the candidates that are a slip of the hand away. */

/** So many letters may be missing, too many, wrong or swapped: fewer in short words. */
const mostSlips = 3;

/** How many slips lie between two words (optimal string alignment). */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(cell(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, replaced, isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
  }
  return cell(a.length, b.length);
};

/** The nearest ones, whatever their case, at most `most`; none where all are far away. */
export const nearest = (word: string, candidates: readonly string[], most = 3): readonly string[] => {
  const wanted = word.toLowerCase();
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, slips: Math.abs(candidate.length - word.length) > mostSlips ? Infinity : distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, slips }) => slips <= mostSlips && slips < Math.max(candidate.length, word.length) * 0.6)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ candidate }) => candidate);
};
