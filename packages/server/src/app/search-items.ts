/**
 * Looking for words in what users and agents said.
 *
 * Owns: what counts as said, and how much is looked through for one answer. There is no index of words: the stored items are read,
 * session by session, in every store alike.
 *
 * TS1 A word is found where the text of a message holds it literally, whatever the case and in any script; not in the arguments of
 *     tools, not in ids, and not in what still streams.
 * TS2 What is looked through for one answer is bounded; a session that was begun is looked through to its end all the same, so that
 *     every answer gets further.
 */
import { setImmediate } from 'node:timers/promises';
import type { ItemBody } from '@turnkeeper/core/view/item';
import type { ItemRow, SessionStore } from '../ports/session-store.ts';

/** Read at once: nobody else is served meanwhile. */
const pieceBytes = 1024 * 1024;
/** Looked through for one answer. */
export const searchedBytes = 32 * pieceBytes;

/** The two forms of the small sigma are one letter: which of them lower case gives depends on what stands beside it. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

export class ItemSearch {
  readonly #store: Pick<SessionStore, 'items'>;
  readonly #word: string;
  readonly #inJson: string;
  #left = searchedBytes;
  #sessions = 0;

  constructor(store: Pick<SessionStore, 'items'>, text: string) {
    this.#store = store;
    this.#word = folded(text);
    this.#inJson = folded(JSON.stringify(text).slice(1, -1));
  }

  /** Of these sessions those in which it was said; and how many of them, from the first on, were looked through. */
  async among(sids: readonly number[]): Promise<{ readonly said: ReadonlySet<number>; readonly looked: number }> {
    const said = new Set<number>();
    let looked = 0;
    let afterN: number | undefined;
    while (looked < sids.length && (this.#left > 0 || this.#sessions === 0)) {
      const rows = await this.#store.items({ sids: sids.slice(looked), maxBytes: pieceBytes, ...(afterN === undefined ? {} : { afterN }) });
      const last = rows.at(-1);
      for (const row of rows) if (!said.has(row.sid) && this.#isIn(row)) said.add(row.sid);
      // The last one may have more to say, unless it was found.
      const before = looked;
      looked = last ? sids.indexOf(last.sid) + (said.has(last.sid) ? 1 : 0) : sids.length;
      afterN = last && !said.has(last.sid) ? last.n : undefined;
      this.#sessions += looked - before;
      await setImmediate();
    }
    return { said, looked };
  }

  #isIn({ body }: ItemRow): boolean {
    this.#left -= body.length;
    if (!folded(body).includes(this.#inJson)) return false;
    const { item } = JSON.parse(body) as ItemBody;
    return item.content.some((block) => block.type === 'text' && folded(block.text).includes(this.#word));
  }
}
