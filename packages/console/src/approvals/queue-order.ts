/** The order in which one goes through what waits: what was put off comes after all that was not. */

type Entry = { readonly request_id: string };

/** `later`: put off, in the order of putting off. */
export const inOrder = <Action extends Entry>(open: readonly Action[], later: readonly string[]): readonly Action[] => {
  const put = later.flatMap((id) => open.filter(({ request_id }) => request_id === id));
  return [...open.filter(({ request_id }) => !later.includes(request_id)), ...put];
};

/** The entry `by` places on, or the last one before the edge. */
export const neighbour = (order: readonly Entry[], id: string | undefined, by: 1 | -1): string | undefined => {
  const at = order.findIndex(({ request_id }) => request_id === id);
  return (order[at + by] ?? order[at])?.request_id;
};

/** Which one to look at when `id` goes away or to the end: the one that takes its place, else the one before it. */
export const successor = (order: readonly Entry[], id: string): string | undefined => {
  const at = order.findIndex(({ request_id }) => request_id === id);
  return (order[at + 1] ?? order[at - 1])?.request_id;
};
