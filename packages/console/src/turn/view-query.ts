/** What of a turn is looked at, as it stands in the address: the step, the filter, the stretch of time. */
import type { Query } from '../shell/query.ts';
import type { Span } from './scale.ts';
import { type RowKind, type RowStatus, rowKinds, rowStatuses, type TraceRow } from './trace.ts';

export type RowFilter = { readonly kind: RowKind | undefined; readonly status: RowStatus | undefined; readonly text: string };

const wordAfter = (words: readonly string[], name: string): string | undefined => words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1);

/** `kind:tool status:failed` and words, in one text. */
export const parseFilter = (text = ''): RowFilter => {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const [kind, status] = [wordAfter(words, 'kind'), wordAfter(words, 'status')];
  return {
    kind: rowKinds.find((each) => each === kind),
    status: rowStatuses.find((each) => each === status),
    text: words.filter((word) => !word.startsWith('kind:') && !word.startsWith('status:')).join(' '),
  };
};

export const printFilter = ({ kind, status, text }: RowFilter): string =>
  [kind === undefined ? '' : `kind:${kind}`, status === undefined ? '' : `status:${status}`, text].filter((part) => part !== '').join(' ');

const wordsOf = (row: TraceRow): string => {
  const said = row.events.map(({ data }) => JSON.stringify(data)).join(' ');
  return `${row.name} ${row.id} ${row.outcome ?? ''} ${row.error ?? ''} ${said}`.toLowerCase();
};

/** All words are in what the row tells. */
export const fits = (row: TraceRow, { kind, status, text }: RowFilter): boolean => {
  if (kind !== undefined && row.kind !== kind) return false;
  if (status !== undefined && row.status !== status) return false;
  if (text.trim() === '') return true;
  const said = wordsOf(row);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
};

const count = (text: string | undefined): number | undefined => (text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined);

/** Milliseconds from the turn's beginning; undefined where all of it is looked at. */
export const parseZoom = ({ from, to }: Query, origin: number): Span | undefined => {
  const [begin, finish] = [count(from), count(to)];
  return begin !== undefined && finish !== undefined && finish > begin ? { from: origin + begin, to: origin + finish } : undefined;
};
export const printZoom = (zoom: Span | undefined, origin: number): { readonly from: string; readonly to: string } =>
  zoom === undefined
    ? { from: '', to: '' }
    : { from: String(Math.max(Math.round(zoom.from - origin), 0)), to: String(Math.max(Math.round(zoom.to - origin), Math.round(zoom.from - origin) + 1, 1)) };

/** Nearer (`factor` below 1) or further, about a moment; all of it where that is as much. */
export const zoomed = (shown: Span, whole: Span, about: number, factor: number): Span | undefined => {
  const length = (shown.to - shown.from) * factor;
  if (length >= whole.to - whole.from) return undefined;
  const kept = Math.max(length, 1);
  const part = (about - shown.from) / (shown.to - shown.from);
  const from = Math.min(Math.max(about - kept * part, whole.from), whole.to - kept);
  return { from, to: from + kept };
};

/** The same stretch, a part of its length further on. */
export const panned = (shown: Span, whole: Span, by: number): Span => {
  const length = shown.to - shown.from;
  const from = Math.min(Math.max(shown.from + length * by, whole.from), whole.to - length);
  return { from, to: from + length };
};

/** The row before or behind the one that is chosen; the first or the last where none is. */
export const neighbour = (rows: readonly TraceRow[], id: string | undefined, by: 1 | -1): TraceRow | undefined => {
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1) return rows.at(by === 1 ? 0 : -1);
  return rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
};

/** The next one that `is` so behind the one that is chosen; from the top again after the last. */
export const nextOf = (rows: readonly TraceRow[], id: string | undefined, is: (row: TraceRow) => boolean): TraceRow | undefined => {
  const at = rows.findIndex((row) => row.id === id);
  return [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(is);
};
