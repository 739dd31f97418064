/** A node that keeps its lease: the time of a world is moved by hand, while a real store answers in real time. */
import type { SessionStore } from '../../ports/session-store.ts';

export const steadyStore = <Store extends { readonly sessions: SessionStore }>(store: Store): Store => {
  const announced = new Set<string>();
  const heartbeat: SessionStore['heartbeat'] = async (node) => {
    if (announced.has(node)) return true;
    announced.add(node);
    return store.sessions.heartbeat(node, 600_000);
  };
  return { ...store, sessions: { ...store.sessions, heartbeat } };
};
