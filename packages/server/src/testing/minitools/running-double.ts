/** Mini-tools' processes in a test's hand: what is delivered to them, what they answer, and their ends. */
import type { ToolRequests } from '@turnkeeper/minitool/protocol';
import { type Delivered, MinitoolDown, type RunningMinitools } from '../../minitools/host-api.ts';

export type DeliveredCall = { readonly minitoolId: string; readonly method: Delivered; readonly params: unknown };

type Answer = (call: DeliveredCall) => unknown;

export class RunningDouble implements RunningMinitools {
  /** All that was delivered, in order. */
  readonly calls: DeliveredCall[] = [];
  /** What the handlers do; what it throws is their rejection. */
  answer: Answer = () => {};
  readonly #running = new Set<string>();
  readonly #activated = new Set<(id: string) => void>();
  readonly #ended = new Set<(id: string) => void>();
  readonly #ends = new Map<string, AbortController>();

  activate(id: string): void {
    this.#running.add(id);
    this.#ends.set(id, new AbortController());
    for (const listener of this.#activated) listener(id);
  }

  /** Its process is gone: what it was told has no answer. */
  kill(id: string): void {
    this.#running.delete(id);
    this.#ends.get(id)?.abort();
    for (const listener of this.#ended) listener(id);
  }

  running(): readonly string[] {
    return [...this.#running];
  }

  tell(): void {}

  async deliver<Method extends Delivered>(minitoolId: string, method: Method, params: ToolRequests[Method][0]): Promise<void> {
    const end = this.#ends.get(minitoolId)?.signal;
    if (!this.#running.has(minitoolId) || !end) throw new MinitoolDown('It does not run.');
    const call = { minitoolId, method, params };
    this.calls.push(call);
    const ended = new Promise<never>((_, reject) => {
      end.addEventListener('abort', () => reject(new MinitoolDown('Its process has ended.')), { once: true });
    });
    await Promise.race([Promise.resolve().then(() => this.answer(call)), ended]);
  }

  onActivated(listener: (minitoolId: string) => void): () => void {
    this.#activated.add(listener);
    return () => this.#activated.delete(listener);
  }

  onEnded(listener: (minitoolId: string) => void): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }
}
