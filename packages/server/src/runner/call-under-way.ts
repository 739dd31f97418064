/**
 * The model call of a held session that was begun last, with what it has said so far.
 *
 * N23 A call that was stopped counts once, and what it said is kept once: not where it was committed while it was being stopped.
 */
import type { ModelAttempt } from '@turnkeeper/core/session/commands';
import { currentModelCall, type SessionState } from '@turnkeeper/core/session/state';

export class CallUnderWay {
  /** By its name; whether it is still under way, the state says (N23). */
  #call: { readonly id: string; readonly said: () => string } | undefined;

  begun(state: SessionState | undefined, said: () => string): void {
    if (state?.live) this.#call = { id: currentModelCall(state.live), said };
  }

  /** It counts though it is stopped. */
  attempt(state: SessionState, call: () => ModelAttempt | undefined): { readonly attempt?: ModelAttempt } {
    const attempt = this.#isOf(state) ? call() : undefined;
    return attempt ? { attempt } : {};
  }

  /** What the model has said of an answer that is not committed whole. */
  partialText(state: SessionState): string {
    return this.#isOf(state) ? (this.#call?.said() ?? '') : '';
  }

  #isOf({ live }: SessionState): boolean {
    return live !== undefined && this.#call?.id === currentModelCall(live);
  }
}
