/**
 * Calls of a held session whose process ended while they ran.
 *
 * N24 What may not be repeated waits for a person, once nothing else of its step runs: what others do meanwhile is not cut off.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { isRunning, type ToolStep } from './running-call.ts';

/** Arguments by turn and call. */
export type LostCalls = Map<string, JsonObject>;

const keyOf = (turnId: string, callId: string): string => `${turnId}:${callId}`;

/** Resolves when the call's result is known to be unknown, or nobody asks for it any more. */
export const loseCall = async (step: ToolStep): Promise<void> => {
  const { turnId, callId, input, lost, watch, signal } = step;
  lost.set(keyOf(turnId, callId), input);
  try {
    for (let over = false; !over && !signal.aborted; ) {
      const moved = watch.next(signal);
      const taken = await step.report((state) => {
        over = true;
        if (!isRunning(state, step) || state.live?.cancelRequested) return [];
        const running = state.live?.calls.filter(({ status }) => status === 'requested' || status === 'dispatched').map(({ id }) => id) ?? [];
        over = running.every((id) => lost.has(keyOf(turnId, id)));
        const inputs = Object.fromEntries(running.map((id) => [id, lost.get(keyOf(turnId, id)) ?? {}]));
        return over ? [{ type: 'tools_lost', callIds: running, inputs }] : [];
      });
      if (!taken) return;
      if (!over) await moved;
    }
  } finally {
    lost.delete(keyOf(turnId, callId));
  }
};
