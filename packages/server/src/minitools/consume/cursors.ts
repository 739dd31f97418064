/**
 * How far one consumer of a mini-tool has come, as the store keeps it.
 *
 * CU6 Beside the place in each session a mark is kept, under a session that cannot be: all events up to it are acknowledged, of
 *     whatever session. Places up to it are kept no longer. It spares reading what is done with, and says after a rest whether the
 *     store forgot anything that was not.
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { MinitoolStore } from '../../ports/minitools.ts';

export type CursorStore = Pick<MinitoolStore, 'cursors' | 'moveCursor' | 'dropCursors'>;

const everySession = '' as SessionId;

export class Cursors {
  readonly #store: CursorStore;
  readonly #minitoolId: string;
  readonly #name: string;
  readonly #after = new Map<SessionId, number>();
  #mark = 0;
  #isNew = true;

  constructor(store: CursorStore, minitoolId: string, name: string) {
    this.#store = store;
    this.#minitoolId = minitoolId;
    this.#name = name;
  }

  /** Nothing was acknowledged yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  get mark(): number {
    return this.#mark;
  }

  async load(): Promise<void> {
    const kept = await this.#store.cursors(this.#minitoolId, this.#name);
    this.#isNew = kept.length === 0;
    for (const { sessionId, after } of kept) {
      if (sessionId === everySession) this.#mark = after;
      else this.#after.set(sessionId, after);
    }
  }

  after(sessionId: SessionId): number {
    return Math.max(this.#after.get(sessionId) ?? 0, this.#mark);
  }

  /** Here at once, so that nobody is told again; kept when the promise resolves. */
  async move(sessionId: SessionId, after: number): Promise<void> {
    this.#after.set(sessionId, after);
    await this.#store.moveCursor(this.#minitoolId, { name: this.#name, sessionId, after });
  }

  async moveMark(mark: number): Promise<void> {
    if (mark <= this.#mark) return;
    await this.#store.moveCursor(this.#minitoolId, { name: this.#name, sessionId: everySession, after: mark });
    this.#mark = mark;
    for (const [sessionId, after] of this.#after) if (after <= mark) this.#after.delete(sessionId);
    await this.#store.dropCursors(this.#minitoolId, this.#name, mark);
  }
}
