/**
 * Stands in for zod in the page (vite.config.ts). The page uses core's types and its reducer, never its schemas: they
 * would be a third of the first load. Defining a schema does nothing here; using one is a fault and says so.
 */
const parses = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync']);

const nothing: unknown = new Proxy(() => {}, {
  get: (_target, name) => {
    if (parses.has(name)) throw new Error('The console is built without schemas.');
    return nothing;
  },
  apply: () => nothing,
});

export const z = nothing;
