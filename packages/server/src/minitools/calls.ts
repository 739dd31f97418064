/**
 * Runs of tools that are under way, by their tokens.
 *
 * CT1 A token is random, belongs to one run of one mini-tool, and means nothing once that run has its answer or is abandoned.
 */
import { randomBytes } from 'node:crypto';
import { progressBlock, type ToolProgress } from '../ports/minitool-tools.ts';
import type { ToolRun } from '../ports/tool.ts';
import type { CallInProgress } from './host-api.ts';

type Open = CallInProgress & { readonly progress: ToolRun['progress']; readonly over: AbortController };

export class CallsInProgress {
  readonly #open = new Map<string, Open>();

  begin(minitoolId: string, { sessionId, turnId, callId, signal, progress, ask }: ToolRun): CallInProgress {
    const token = randomBytes(24).toString('base64url');
    const over = new AbortController();
    const call: Open = { token, minitoolId, sessionId, turnId, callId, signal: AbortSignal.any([signal, over.signal]), progress, ask, over };
    this.#open.set(token, call);
    return call;
  }

  end(token: string): void {
    this.#open.get(token)?.over.abort();
    this.#open.delete(token);
  }

  /** The run, where the token is one of this mini-tool's. */
  find(minitoolId: string, token: string): CallInProgress | undefined {
    const call = this.#open.get(token);
    return call?.minitoolId === minitoolId ? call : undefined;
  }

  /** Shows progress of a run that goes on; of any other, nothing. */
  progress(minitoolId: string, token: string, progress: ToolProgress): void {
    const call = this.#open.get(token);
    if (call?.minitoolId === minitoolId && !call.signal.aborted) call.progress([progressBlock(progress)]);
  }

  get size(): number {
    return this.#open.size;
  }
}
