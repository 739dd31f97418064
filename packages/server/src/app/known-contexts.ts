/**
 * The contexts of the sessions that called a model last, as they were read: the next call reads only what came after.
 *
 * RC2 The log of a context is only appended to (C2), so that what was read of it stays what it is, whoever goes on writing. What is
 *     not known any more is read again; so is a log that has begun anew somewhere, no further back than it is needed then.
 */
import { beginsAnew } from '@turnkeeper/core/session/context';
import { type ContextStore, parsedRow, type ReadRow, readContext } from './read-context.ts';

type Known = { readonly rows: readonly ReadRow[]; readonly length: number };

/** Of the text of all that is known, with what its objects cost beside it. */
const mostLength = 8 * 1024 * 1024;
const rowOverhead = 250;

const lengthOf = (rows: readonly ReadRow[]): number => rows.reduce((sum, { length }) => sum + length + rowOverhead, 0);

export class KnownContexts {
  readonly #store: ContextStore;
  readonly #most: number;
  /** By session; what was used last stands last. */
  readonly #known = new Map<number, Known>();
  #length = 0;

  constructor(store: ContextStore, most = mostLength) {
    this.#store = store;
    this.#most = most;
  }

  /** The newest rows of a session's context, as many as the prompt is made of, or more. */
  async read(sid: number): Promise<readonly ReadRow[]> {
    const known = this.#known.get(sid);
    const last = known?.rows.at(-1);
    const newer = last ? (await this.#store.context(sid, undefined, last.n)).map(parsedRow) : [];
    const goesOn = known !== undefined && last !== undefined && !newer.some(({ entry }) => beginsAnew(entry));
    const rows = goesOn ? [...known.rows, ...newer] : await readContext(this.#store, sid);
    this.#keep(sid, { rows, length: goesOn ? known.length + lengthOf(newer) : lengthOf(rows) });
    return rows;
  }

  #keep(sid: number, context: Known): void {
    this.#forget(sid);
    // One that is as large as many others is read each time: they would be read each time for its sake.
    if (context.length > this.#most / 4) return;
    this.#known.set(sid, context);
    this.#length += context.length;
    for (const oldest of this.#known.keys()) {
      if (this.#length <= this.#most) return;
      this.#forget(oldest);
    }
  }

  #forget(sid: number): void {
    this.#length -= this.#known.get(sid)?.length ?? 0;
    this.#known.delete(sid);
  }
}
