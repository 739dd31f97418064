/**
 * Requests whose answer is held back (`?wait=`): each ends early when its client goes, or when the server closes.
 */
import type { ServerResponse } from 'node:http';

export class HeldRequests {
  readonly #open = new Set<AbortController>();
  #closed = false;

  get count(): number {
    return this.#open.size;
  }

  /** Runs `work` with a signal that says: answer now. */
  async hold<Answer>(response: ServerResponse, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const controller = new AbortController();
    if (this.#closed) controller.abort();
    const gone = (): void => controller.abort();
    response.once('close', gone);
    this.#open.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.#open.delete(controller);
      response.off('close', gone);
    }
  }

  close(): void {
    this.#closed = true;
    for (const controller of this.#open) controller.abort();
  }
}
