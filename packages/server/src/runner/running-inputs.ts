/** The arguments of calls that run: shown to whoever must say what became of them when their run is lost. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { Session } from '../app/lane.ts';
import type { SessionStore } from '../ports/session-store.ts';

/** By call id; only of calls that may not be run again by themselves. */
export const runningInputs = async (store: SessionStore, { head, state }: Session): Promise<{ readonly [callId: string]: JsonObject }> => {
  const { live } = state;
  if (!live) return {};
  const calls = live.calls.filter((call) => call.status === 'dispatched' && !call.replaySafe);
  const inputs = await Promise.all(
    calls.map(async ({ id }) => {
      const row = await store.resource(head.sid, `${live.id}:${id}`);
      return row ? ([[id, (JSON.parse(row.body) as ToolBody).input]] as const) : [];
    }),
  );
  return Object.fromEntries(inputs.flat());
};
