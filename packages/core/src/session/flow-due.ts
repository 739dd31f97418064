import { childrenCounted } from './evolve-children.ts';
import { flowDue } from './flow.ts';
import type { SessionState } from './state.ts';

/** When the graph of the live turn is to be looked at (Unix ms, 0 = now); undefined while only others can move it on, a judge among them. */
export const flowDueOf = (state: SessionState): number | undefined => {
  const { flow, check } = state.live ?? {};
  if (!flow || check?.judge !== undefined) return undefined;
  if (check?.verdict !== undefined && !flow.paused) return 0;
  return flowDue(flow, childrenCounted(state));
};
