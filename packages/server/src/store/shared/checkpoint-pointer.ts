/**
 * Where a checkpoint points, as it is stored.
 *
 * A write knows its sequence numbers only while it is made, and the function that writes on PostgreSQL gives a checkpoint that
 * of the write's last event. One that ends before it says in its stored id by how many events: `<id>.<events>`. Both stores
 * keep it so, that rows can be moved between them as they are.
 */
import type { CheckpointRow, CheckpointWrite } from '../../ports/session-store.ts';

const mark = '.';

/** The id under which a checkpoint of a write of so many events is stored. */
export const storedCheckpointId = ({ id, last }: CheckpointWrite, events: number): string => {
  const after = last === undefined ? 0 : events - 1 - last;
  return after > 0 ? `${id}${mark}${after}` : id;
};

/** Stored ids of one checkpoint lie from here (`id.`) up to, and without, `end`. */
export const idRange = (id: string): { readonly from: string; readonly end: string } => ({ from: `${id}${mark}`, end: `${id}/` });

export type StoredCheckpoint = { readonly id: string; readonly upto: number; readonly turn: number; readonly reason: string; readonly at: number };

export const checkpointOf = (stored: StoredCheckpoint): CheckpointRow => {
  const [, id = stored.id, after = '0'] = /^(.*)\.(\d+)$/s.exec(stored.id) ?? [];
  const { turn, reason, at, upto } = stored;
  return { id, turn, reason, at, upto: upto - Number(after), place: { at: upto, id: stored.id } };
};
