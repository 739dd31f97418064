/**
 * The envelope in which an event (or an accumulated resource of a snapshot) goes over the wire. Its schema stands in
 * wire/events.ts: the view and the client, which read envelopes, carry no validator with them.
 */
import type { SessionEvent } from '../session/events.ts';
import { cursorOf, eventIdOf, type StreamRef } from './cursors.ts';

export const schemaVersion = 1;

/** An event or resource as clients see it. Unknown types are to be ignored while the cursor advances. */
export type Envelope<Data = Record<string, unknown>> = {
  readonly schema_version: typeof schemaVersion;
  readonly id: string;
  readonly type: string;
  readonly session_id: string;
  readonly turn_id?: string;
  /** Unix milliseconds. */
  readonly created_at: number;
  readonly cursor: string;
  readonly data: Data;
};

/** One row of the log: `data` is the JSON text as it was committed. */
export type LogRow = { readonly sid: number; readonly seq: number; readonly turn: number; readonly type: string; readonly at: number; readonly data: string };

const turnIdIn = (data: string): string => /"turn_id":("[^"]*")/.exec(data)?.[1] ?? '';

/**
 * The JSON text of an envelope, made without parsing `data`: streams write millions of these. `turn_id` stands first
 * in the data of every event that belongs to a turn.
 */
export const envelopeText = (sessionId: string, stream: StreamRef, row: LogRow): string => {
  const turn = row.turn === 0 ? '' : `"turn_id":${turnIdIn(row.data)},`;
  return `{"schema_version":1,"id":"${eventIdOf(row.sid, row.seq)}","type":"${row.type}","session_id":"${sessionId}",${turn}"created_at":${row.at},"cursor":"${cursorOf(stream, row.seq)}","data":${row.data}}`;
};

/** The parsed envelope of a row. */
export const envelopeOf = (sessionId: string, stream: StreamRef, row: LogRow): Envelope => JSON.parse(envelopeText(sessionId, stream, row)) as Envelope;

/** The event inside an envelope or row, as the folds take it. */
export const loggedEvent = (type: string, at: number, data: unknown): SessionEvent & { at: number } => ({ type, at, data }) as SessionEvent & { at: number };
