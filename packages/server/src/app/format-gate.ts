/**
 * Which format this node writes, while nodes of several releases share a store.
 *
 * Owns: that choice. Does not own: what the formats are (core's session/formats.ts), nor who lives (the store).
 *
 * FG1 A newer format is written only as far as all living nodes read it; what is not known is taken for the first. This
 *     spares the older nodes refusals; it is no lock: one that comes later leaves alone what it does not read.
 * FG2 A session's format never goes back, and another node's session keeps its own: who holds it may be of an older release.
 * FG3 With one format there is nothing to ask: no statement is spent on it.
 */

import type { Formats } from '@turnkeeper/core/session/formats';
import { firstFormat, type SessionState } from '@turnkeeper/core/session/state';
import type { SessionStore } from '../ports/session-store.ts';

export class FormatGate {
  readonly formats: Formats;
  readonly #store: Pick<SessionStore, 'lowestReads'>;
  #open = firstFormat;

  constructor(formats: Formats, store: Pick<SessionStore, 'lowestReads'>) {
    this.formats = formats;
    this.#store = store;
  }

  /** Asks again what the living nodes read. Rejects as the store does; what was known stays. */
  async look(): Promise<void> {
    if (this.formats.writes === firstFormat) return;
    this.#open = Math.min(this.formats.writes, await this.#store.lowestReads());
  }

  /** The format of the next write of a session; `ours`: this node holds it, or nobody. */
  next({ v }: Pick<SessionState, 'v'>, ours: boolean): number {
    return ours ? Math.max(v, this.#open) : v;
  }
}
