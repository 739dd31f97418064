/**
 * Port: what tools the MCP servers of an agent's version were found to offer.
 *
 * L5 A list is found once for a version of an agent: whatever is kept first stands, and later sessions of the version see
 *    the same, whatever the server offers by then.
 */
export interface ToolLists {
  /** The list that is kept under `key` (JSON text). */
  get(key: string): Promise<string | undefined>;
  /** Keeps `list` unless one is kept already; gives back what is kept. Durable when it resolves. */
  keep(key: string, list: string): Promise<string>;
}

/** For engines without a catalog of their own: lists live as long as the process. */
export const createToolListsInMemory = (): ToolLists => {
  const lists = new Map<string, string>();
  return {
    get: async (key) => lists.get(key),
    keep: async (key, list) => {
      const kept = lists.get(key) ?? list;
      lists.set(key, kept);
      return kept;
    },
  };
};
