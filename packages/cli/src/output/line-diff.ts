/** What was taken out of a list of lines and what was put in, as few as possible. */
export type DiffLine = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string };

/** Beyond this many comparisons what differs is shown as a whole. */
const mostCells = 25_000_000;

const of = (kind: DiffLine['kind'], lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ kind, text }));

/** Lengths of the longest common part from each place on. */
const commonLengths = (a: readonly string[], b: readonly string[]): Uint32Array => {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return lengths;
};

const middle = (a: readonly string[], b: readonly string[]): readonly DiffLine[] => {
  if (a.length * b.length > mostCells) return [...of('removed', a), ...of('added', b)];
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      out.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
      out.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    } else {
      out.push({ kind: 'added', text: b[j] ?? '' });
      j += 1;
    }
  }
  return [...out, ...of('removed', a.slice(i)), ...of('added', b.slice(j))];
};

export const lineDiff = (a: readonly string[], b: readonly string[]): readonly DiffLine[] => {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const rest = middle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...of('same', a.slice(0, start)), ...rest, ...of('same', end === 0 ? [] : a.slice(-end))];
};

export type Hunk = { readonly lines: readonly DiffLine[] /** Lines that are the same, and are not shown before it. */; readonly skipped: number };

/** What differs, with so many lines around it. */
export const hunksOf = (lines: readonly DiffLine[], around: number): readonly Hunk[] => {
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries()) if (kind !== 'same') for (let each = at - around; each <= at + around; each += 1) near.add(each);
  const hunks: { lines: DiffLine[]; skipped: number }[] = [];
  let skipped = 0;
  let open = false;
  for (const [at, line] of lines.entries()) {
    if (!near.has(at)) {
      skipped += 1;
      open = false;
      continue;
    }
    if (!open) hunks.push({ lines: [], skipped });
    open = true;
    skipped = 0;
    hunks.at(-1)?.lines.push(line);
  }
  return hunks;
};
