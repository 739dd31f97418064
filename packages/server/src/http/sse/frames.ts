/**
 * The bytes that a reader gets of newly committed rows: encoded once, and joined once for all readers of the same rows.
 */
import type { FeedRow } from '../../app/feed.ts';

/** Beyond this a joined copy costs more memory than the fewer writes save. */
const joinBytes = 64 * 1024;

export type Frames = { readonly buffers: readonly Buffer[]; readonly bytes: number };

const join = (buffers: readonly Buffer[]): Frames => {
  const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  return { buffers: buffers.length > 1 && bytes <= joinBytes ? [Buffer.concat(buffers, bytes)] : buffers, bytes };
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
