/** "Did you mean …?" for members that are not known. */

const furthest = 2;
/** Names are short; comparing long ones would cost their product. */
const longestName = 40;

/** `read_only` is `readOnly` in another spelling. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Letters to add, drop or change (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

/** The known name that is meant by a misspelt one, if any is near: at most `most` letters away. */
export const nearestName = (name: string, known: readonly string[], most = furthest): string | undefined => {
  if (name.length > longestName) return undefined;
  const near = known.map((candidate) => ({ candidate, far: distance(plain(name), plain(candidate)) }));
  // Two letters changed in a name of three say nothing.
  return near.filter(({ candidate, far }) => far <= most && far < candidate.length / 2).sort((a, b) => a.far - b.far)[0]?.candidate;
};
