/**
 * Who may import whom. ARCHITECTURE.md explains the house; this is the rule that is enforced.
 *
 * Each area may import itself. `main.ts` alone names concrete adapters; the two stores never see each other; `http`
 * has no rules of its own, so it sees use cases and not what lies beneath them.
 */

export type Area = {
  /** The files of the area, by the beginning of their path. */
  readonly at: string;
  /** Areas that it may import besides itself; `'*'` = every one. */
  readonly imports: readonly string[] | '*';
  /** Packages from outside: only these. Absent = all that its package.json names. */
  readonly packages?: readonly string[];
  /** Runs where Node is not: no `node:` modules. */
  readonly portable?: true;
};

const server = 'packages/server/src';

export const areas: Readonly<Record<string, Area>> = {
  core: { at: 'packages/core/src/', imports: [], packages: ['zod'], portable: true },
  'core/testing': { at: 'packages/core/src/testing/', imports: ['core'], packages: ['zod', 'fast-check', 'vitest'], portable: true },

  client: { at: 'packages/client/src/', imports: ['core'], packages: ['zod'], portable: true },
  'client/testing': { at: 'packages/client/src/testing/', imports: ['core', 'core/testing', 'client'] },
  minitool: { at: 'packages/minitool/src/', imports: ['core'] },
  console: { at: 'packages/console/src/', imports: ['client', 'core'], portable: true },
  'console/testing': { at: 'packages/console/src/testing/', imports: '*' },
  // A client plus `serve`, which starts the server through its front door.
  cli: { at: 'packages/cli/', imports: ['client', 'core', 'main', 'config'] },
  'cli/testing': { at: 'packages/cli/src/testing/', imports: '*' },

  ports: { at: `${server}/ports/`, imports: ['core'], packages: [] },
  app: { at: `${server}/app/`, imports: ['core', 'ports'] },
  'store/catalog': { at: `${server}/store/catalog/`, imports: ['core', 'ports'] },
  'store/sqlite': { at: `${server}/store/sqlite/`, imports: ['core', 'ports', 'store/catalog'] },
  'store/postgres': { at: `${server}/store/postgres/`, imports: ['core', 'ports', 'store/catalog'] },
  models: { at: `${server}/models/`, imports: ['core', 'ports'] },
  tools: { at: `${server}/tools/`, imports: ['core', 'ports'] },
  webhooks: { at: `${server}/webhooks/`, imports: ['core', 'ports'] },
  runner: { at: `${server}/runner/`, imports: ['core', 'ports', 'app', 'models', 'tools'] },
  minitools: { at: `${server}/minitools/`, imports: ['core', 'ports', 'app', 'minitool'] },
  http: { at: `${server}/http/`, imports: ['core', 'app'] },
  config: { at: `${server}/config.ts`, imports: ['core'] },
  main: { at: `${server}/main.ts`, imports: '*' },
  testing: { at: `${server}/testing/`, imports: '*' },

  // A black box: it knows the protocol and a URL, never the server's code.
  conformance: { at: 'conformance/', imports: ['core', 'core/testing', 'client'] },
  examples: { at: 'examples/', imports: ['core', 'client', 'minitool'] },
  bench: { at: 'bench/', imports: '*' },
  house: { at: 'house/', imports: ['core'] },
};

/** What only tests may import. */
export const testOnly: readonly string[] = ['testing', 'core/testing', 'client/testing', 'console/testing', 'cli/testing'];

/** The area of a file: the longest `at` that fits. A folder that is not in the table has none. */
export const areaOf = (path: string): string | undefined => {
  const fits = Object.entries(areas).filter(([, { at }]) => path.startsWith(at) || `${path}.ts` === at);
  return fits.toSorted(([, a], [, b]) => b.at.length - a.at.length)[0]?.[0];
};

const isConfig = (path: string): boolean => /(^|\/)[^/]+\.config\.(ts|js|mjs)$/.test(path);

/** Set-up of a build tool, no part of any area. */
export const isOutside = isConfig;

/** True when a file of `from` may import a file of `to`. */
export const mayImport = (from: string, to: string, inTest: boolean): boolean => {
  const allowed = areas[from]?.imports ?? [];
  return from === to || allowed === '*' || allowed.includes(to) || (inTest && testOnly.includes(to));
};
