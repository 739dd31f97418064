/** Either end of a move: a store, looked at as tables of rows. */
import type { Row, Table } from './tables.ts';

/** A page holds at most so many rows, and as many as this many characters of text allow; one row more than fits is a page. */
export const pageRows = 1_000;
export const pageCharacters = 2_000_000;

/** `rows` are canonical; `last`: the key of the last one as this side has it, behind which the next page begins. */
export type Page = { readonly rows: readonly Row[]; readonly last: Row };

export type Side = {
  /** For people: a folder, a file, or host and database; never a password. */
  readonly name: string;
  /** All rows behind a key, in its order, page by page. All of it is of one moment. */
  readonly pages: (table: Table, after?: Row) => AsyncIterable<Page>;
  readonly count: (table: Table) => Promise<number>;
  /** The highest number that was ever given to a session: none is given twice, even if its session is no more. */
  readonly lastSid: () => Promise<number>;
};

/** Where rows are put. */
export type Target = Side & {
  /** Whole or not at all. */
  readonly put: (table: Table, page: Page) => Promise<void>;
  readonly setLastSid: (sid: number) => Promise<void>;
};

/** What is under way, for whoever watches. `done` and `all` count rows. */
export type Progress = { readonly phase: 'copy' | 'verify'; readonly table: string; readonly done: number; readonly all: number };
export type Watch = { readonly onProgress?: ((progress: Progress) => void) | undefined; readonly signal?: AbortSignal | undefined };
