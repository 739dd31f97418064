/**
 * From time to place: the stretches in which nothing was done are folded, all others keep their proportions.
 *
 * FO1 Time never runs backwards on it: a later moment stands further right, or (inside a fold) at the same place or further right.
 * FO2 A fold is as wide as every other one, however long it stands for; what it stands for is told beside it.
 */
import type { Segment, TraceRow } from './trace.ts';

export type Span = { readonly from: number; readonly to: number };
/** A stretch in which nothing was done; `x0` and `x1` are its place, from 0 to 1. */
export type Fold = Span & { readonly x0: number; readonly x1: number };
export type Scale = Span & {
  readonly folds: readonly Fold[];
  /** The place of a moment, from 0 to 1; moments outside stand at the edge. */
  readonly at: (time: number) => number;
  /** The moment of a place. */
  readonly timeAt: (x: number) => number;
};

/** Shorter ones are not worth a fold. */
const leastFoldMs = 1_500;
/** Of all that is drawn: what is shorter is seen as it is. */
const leastShare = 0.15;
/** A fold is so wide, of all that is drawn in proportion. */
const foldShare = 0.07;

/** Work that is done for the turn itself: that a turn or a run is open says nothing of that. */
const doesWork = ({ kind }: TraceRow): boolean => kind !== 'turn' && kind !== 'run' && kind !== 'wait';
const isWork = ({ kind }: Segment): boolean => kind !== 'waiting';

/** When something was done, without overlaps, in order. */
export const busySpans = (rows: readonly TraceRow[], now: number): readonly Span[] => {
  const all = rows.filter(doesWork).flatMap(({ segments }) => segments.filter(isWork).map(({ from, to }) => ({ from, to: Math.max(to ?? now, from) })));
  const merged: Span[] = [];
  for (const span of all.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else merged.push(span);
  }
  return merged;
};

const within = (spans: readonly Span[], { from, to }: Span): readonly Span[] =>
  spans.flatMap((span) => (span.to < from || span.from > to ? [] : [{ from: Math.max(span.from, from), to: Math.min(span.to, to) }]));

const gapsBetween = (busy: readonly Span[], { from, to }: Span): readonly Span[] => {
  const edges = [{ from, to: from }, ...busy, { from: to, to }];
  return edges.slice(1).flatMap((span, index) => {
    const before = edges[index]?.to ?? from;
    return span.from > before ? [{ from: before, to: span.from }] : [];
  });
};

const foldedOf = (gaps: readonly Span[], whole: Span): readonly Span[] => {
  // The longest first, each looked at as what is drawn stands without those before it.
  let drawn = whole.to - whole.from;
  const folded: Span[] = [];
  for (const gap of gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    const length = gap.to - gap.from;
    if (length < leastFoldMs || length < drawn * leastShare) break;
    folded.push(gap);
    drawn -= length;
  }
  return folded.toSorted((a, b) => a.from - b.from);
};

type Piece = Span & { readonly folded: boolean; readonly x0: number; readonly x1: number };

const piecesOf = (folded: readonly Span[], { from, to }: Span): readonly Piece[] => {
  const drawn = Math.max(to - from - folded.reduce((sum, gap) => sum + gap.to - gap.from, 0), 1);
  const foldWidth = drawn * foldShare;
  const total = drawn + foldWidth * folded.length;
  const pieces: Piece[] = [];
  let [at, x] = [from, 0];
  const add = (until: number, isFolded: boolean): void => {
    if (until <= at) return;
    const width = (isFolded ? foldWidth : until - at) / total;
    pieces.push({ from: at, to: until, folded: isFolded, x0: x, x1: x + width });
    [at, x] = [until, x + width];
  };
  for (const gap of folded) {
    add(gap.from, false);
    add(gap.to, true);
  }
  add(to, false);
  return pieces;
};

const share = (value: number, from: number, to: number): number => (to > from ? (value - from) / (to - from) : 0);

/** `busy`: when something was done; `span`: what is looked at. */
export const scaleOf = (busy: readonly Span[], span: Span): Scale => {
  const whole = { from: span.from, to: Math.max(span.to, span.from + 1) };
  const pieces = piecesOf(foldedOf(gapsBetween(within(busy, whole), whole), whole), whole);
  const at = (time: number): number => {
    if (time <= whole.from) return 0;
    const piece = pieces.find(({ to }) => time <= to);
    return piece ? Math.min(piece.x0 + share(time, piece.from, piece.to) * (piece.x1 - piece.x0), 1) : 1;
  };
  const timeAt = (x: number): number => {
    if (x <= 0) return whole.from;
    const piece = pieces.find(({ x1 }) => x <= x1);
    return piece ? piece.from + share(x, piece.x0, piece.x1) * (piece.to - piece.from) : whole.to;
  };
  return { ...whole, folds: pieces.filter(({ folded }) => folded).map(({ from, to, x0, x1 }) => ({ from, to, x0, x1 })), at, timeAt };
};

export type Bar = Segment & { readonly x0: number; readonly x1: number };

/** Where the segments of a row stand; those outside of what is looked at are left out. */
export const barsOf = ({ segments }: Pick<TraceRow, 'segments'>, scale: Scale, now: number): readonly Bar[] =>
  segments.flatMap((segment) => {
    const to = segment.to ?? now;
    return to < scale.from || segment.from > scale.to ? [] : [{ ...segment, x0: scale.at(segment.from), x1: scale.at(to) }];
  });

const niceSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000];

/** Moments to write beneath the axis, counted from `origin`, not nearer than `least` (of the width) to each other or to a fold. */
export const ticksOf = (scale: Scale, origin: number, least: number): readonly { readonly time: number; readonly x: number }[] => {
  const drawn = scale.to - scale.from - scale.folds.reduce((sum, fold) => sum + fold.to - fold.from, 0);
  const wanted = drawn * least;
  const step = niceSteps.find((each) => each >= wanted) ?? Math.ceil(wanted / 3_600_000) * 3_600_000;
  const first = Math.ceil((scale.from - origin) / step) * step + origin;
  const ticks: { time: number; x: number }[] = [];
  for (let time = first; time <= scale.to && ticks.length < 100; time += step) {
    const inside = scale.folds.find((fold) => time > fold.from && time < fold.to);
    if (inside) {
      time = Math.floor((inside.to - origin) / step) * step + origin;
      continue;
    }
    const x = scale.at(time);
    if (x - (ticks.at(-1)?.x ?? Number.NEGATIVE_INFINITY) >= least * 0.9) ticks.push({ time, x });
  }
  return ticks;
};
