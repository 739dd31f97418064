/**
 * Formats: in which shape the log and the state of a session are stored, and what that means to this release.
 *
 * Owns: the table of formats, how a row says its own, and the ways between them: up when it is read, down while older
 * releases still read it. Does not own which format is written (the server's app/format-gate.ts).
 *
 * Most changes need no format: new members are added, and a new type of event that no state or resource is made of is
 * passed over by those who do not know it (E2). A format is for what an older release would misunderstand.
 *
 * FM1 A row of the log says its format in its type: a bare one is of format 1, `type@3` is of format 3. Only a type that a
 *     format changed bears its number, so that all others are read as they are, without being parsed.
 * FM2 A session's state says the newest format of anything that is stored of the session (`v`): who knows that one can read
 *     all of it. It never goes back.
 * FM3 What is of a newer format than is known is refused, never guessed.
 * FM4 Deltas are of format 1 for ever: a delta of another shape is another type. Resources and the private context have no
 *     formats: their members are only added to.
 */
import type { JsonObject } from '../protocol/json.ts';
import { isDelta } from './events.ts';
import { firstFormat, type SessionState } from './state.ts';

/** Between the format before and the one that changed it. Pure, and total over what was ever written. */
export type Change = { readonly up: (stored: JsonObject) => JsonObject; readonly down: (current: JsonObject) => JsonObject };

export type Format = {
  readonly v: number;
  /** By type of event: its data. */
  readonly events: Readonly<Record<string, Change>>;
  readonly state?: Change;
};

/** `changes`: the formats after the first that this release reads, in order. `writes`: the newest that it writes. */
export type Formats = { readonly changes: readonly Format[]; readonly writes: number };

/** Those of this release. `writes` follows one release after `changes`, so that the release before reads all that is there. */
export const formats: Formats = { changes: [], writes: firstFormat };

/** The newest format that is read. */
export const newestRead = ({ changes }: Formats): number => changes.at(-1)?.v ?? firstFormat;

/** The table itself, checked; throws what is wrong with it. For tables made at start and in tests. */
export const checkedFormats = (table: Formats): Formats => {
  table.changes.forEach(({ v, events }, index) => {
    if (v !== firstFormat + 1 + index) throw new Error(`format ${v} is out of order`);
    const delta = Object.keys(events).find(isDelta);
    if (delta !== undefined) throw new Error(`format ${v} changes ${delta}: deltas have one format (FM4)`);
  });
  if (table.writes > newestRead(table)) throw new Error('a format is written that is not read');
  return table;
};

const mark = '@';

/** The type and the format that a stored type says (FM1). */
const splitType = (stored: string): { readonly type: string; readonly v: number } => {
  const at = stored.lastIndexOf(mark);
  return at === -1 ? { type: stored, v: firstFormat } : { type: stored.slice(0, at), v: Number(stored.slice(at + 1)) };
};

type Row = { readonly type: string; readonly data: string };

/** A row of the log as this release takes it; undefined when it is of a newer format (FM3). */
export const readRow = <Stored extends Row>(table: Formats, row: Stored): Stored | undefined => {
  const { type, v } = splitType(row.type);
  // A mark that is no number is nothing that is known either.
  if (!(v <= newestRead(table))) return undefined;
  const ups = table.changes.flatMap((format) => (format.v > v ? (format.events[type] ?? []) : []));
  if (ups.length === 0) return type === row.type ? row : { ...row, type };
  const data = ups.reduce((value, change) => change.up(value), JSON.parse(row.data) as JsonObject);
  return { ...row, type, data: JSON.stringify(data) };
};

/** An event as it is stored in this format. */
export const writtenEvent = (table: Formats, v: number, { type, data }: { readonly type: string; readonly data: unknown }): Row => {
  if (table.changes.length === 0) return { type, data: JSON.stringify(data) };
  const changed = table.changes.filter((format) => format.events[type] !== undefined);
  const newest = changed.findLast((format) => format.v <= v)?.v ?? firstFormat;
  const downs = changed.filter((format) => format.v > v).toReversed();
  const stored = downs.reduce((value, format) => format.events[type]?.down(value) ?? value, data as JsonObject);
  return { type: newest === firstFormat ? type : `${type}${mark}${newest}`, data: JSON.stringify(stored) };
};

/** The format that the text of a state says: it stands first in it (FM2). What says none is of the first. */
export const formatOfState = (text: string): number => Number(/^\{"v":(\d+)[,}]/.exec(text)?.[1] ?? firstFormat);

/** A state as this release takes it, with the format of its session in `v`; undefined when that is newer (FM3). */
export const readState = (table: Formats, text: string): SessionState | undefined => {
  const v = formatOfState(text);
  if (v > newestRead(table)) return undefined;
  const ups = table.changes.flatMap((format) => (format.v > v ? (format.state ?? []) : []));
  const stored = JSON.parse(text) as JsonObject;
  return { ...(ups.reduce((value, change) => change.up(value), stored) as unknown as SessionState), v };
};

/** The text of a state in this format. */
export const writtenState = (table: Formats, v: number, state: SessionState): string => {
  if (table.changes.length === 0 && state.v === v) return JSON.stringify(state);
  const downs = table.changes.flatMap((format) => (format.v > v ? (format.state ?? []) : [])).toReversed();
  const { v: _, ...stored } = downs.reduce((value, change) => change.down(value), state as unknown as JsonObject);
  return JSON.stringify({ v, ...stored });
};
