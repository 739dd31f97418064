/**
 * How much of what mini-tools attach is in memory at once.
 *
 * AR1 Of one mini-tool so many bytes, from before a file is read until its message is dealt with; who wants more waits for its turn, in
 *     the order of asking, and holds up no other mini-tool. One message alone always fits.
 * AR2 Who waits and is taken back gives up its turn.
 */
type Waiting = { readonly bytes: number; readonly begin: () => void };
type Held = { bytes: number; readonly line: Waiting[] };

const usualBytes = 64 * 1_048_576;

export class AttachmentRoom {
  readonly #most: number;
  readonly #held = new Map<string, Held>();

  /** `most`: bytes of one mini-tool. */
  constructor(most: number = usualBytes) {
    this.#most = most;
  }

  /** Of this mini-tool, in memory now. */
  bytesOf(minitoolId: string): number {
    return this.#held.get(minitoolId)?.bytes ?? 0;
  }

  /** Rejects with the signal's reason when it is aborted before its turn has come. */
  async hold<Result>(minitoolId: string, bytes: number, signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
    if (bytes === 0) return act();
    await this.#enter(minitoolId, bytes, signal);
    try {
      return await act();
    } finally {
      this.#leave(minitoolId, bytes);
    }
  }

  #enter(minitoolId: string, bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const held = this.#held.get(minitoolId) ?? { bytes: 0, line: [] };
    this.#held.set(minitoolId, held);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        held.line.splice(held.line.indexOf(waiting), 1);
        this.#next(minitoolId, held);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting: Waiting = { bytes, begin };
      signal.addEventListener('abort', giveUp, { once: true });
      held.line.push(waiting);
      this.#next(minitoolId, held);
    });
  }

  #leave(minitoolId: string, bytes: number): void {
    const held = this.#held.get(minitoolId);
    if (!held) return;
    held.bytes -= bytes;
    this.#next(minitoolId, held);
  }

  #next(minitoolId: string, held: Held): void {
    for (let first = held.line[0]; first && (held.bytes === 0 || held.bytes + first.bytes <= this.#most); first = held.line[0]) {
      held.line.shift();
      held.bytes += first.bytes;
      first.begin();
    }
    if (held.bytes === 0 && held.line.length === 0) this.#held.delete(minitoolId);
  }
}
