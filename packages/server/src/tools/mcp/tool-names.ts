/**
 * The names under which a model is told of the tools of MCP servers: `<server>_<tool>`, in the characters and the length
 * that providers accept, each name once. The same lists give the same names.
 */
const longestName = 64;

const fitName = (name: string, suffix: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longestName - suffix.length) + suffix;

/** Gives out names; `taken` are those of the agent's other tools. */
export const createToolNames = (taken: readonly string[]): ((server: string, tool: string) => string) => {
  const used = new Set(taken);
  return (server, tool) => {
    let name = fitName(`${server}_${tool}`, '');
    for (let n = 2; used.has(name); n += 1) name = fitName(`${server}_${tool}`, `_${n}`);
    used.add(name);
    return name;
  };
};
