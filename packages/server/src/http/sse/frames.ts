/**
 * The bytes that a reader gets of newly committed rows: encoded once, and joined once for all readers of the same rows.
 */
import type { FeedRow } from '../../app/feed.ts';

/** Of the text of a write; what is longer alone is a write of its own. */
const mostLength = 64 * 1024;

/** Each is one write. */
export type Frames = readonly Buffer[];

const join = (frames: readonly string[]): Frames => {
  const buffers: Buffer[] = [];
  let text = '';
  for (const frame of frames) {
    if (text !== '' && text.length + frame.length > mostLength) {
      buffers.push(Buffer.from(text));
      text = '';
    }
    text += frame;
  }
  if (text !== '') buffers.push(Buffer.from(text));
  return buffers;
};

/** The frames of these rows in a session's stream, or (`turn` not 0) in that turn's: only its own. */
export const framesOf = (rows: readonly FeedRow[], turn: number): Frames =>
  join(turn === 0 ? rows.map((entry) => entry.frame('session')) : rows.filter(({ row }) => row.turn === turn).map((entry) => entry.frame('turn')));

/** Remembers the frames of the newest rows: a feed hands the same rows to all its readers, one after the other. */
export const createFrameCache = (): ((rows: readonly FeedRow[], turn: number) => Frames) => {
  let newest: readonly FeedRow[] | undefined;
  let known = new Map<number, Frames>();
  return (rows, turn) => {
    if (rows !== newest) {
      newest = rows;
      known = new Map();
    }
    const found = known.get(turn) ?? framesOf(rows, turn);
    known.set(turn, found);
    return found;
  };
};
