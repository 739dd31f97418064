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
  minitool: { at: 'packages/minitool/src/', imports: ['core'], packages: ['croner', 'vscode-jsonrpc', 'zod'] },
  react: { at: 'packages/react/src/', imports: ['client', 'core'], packages: ['react'], portable: true },
  console: { at: 'packages/console/src/', imports: ['client', 'core', 'react'], portable: true },
  'console/scripts': { at: 'packages/console/scripts/', imports: [] },
  // A client plus `serve`, which starts the server through its front door, and what is done to stores and definitions without one.
  cli: { at: 'packages/cli/', imports: ['client', 'core', 'minitool', 'main', 'config', 'transfer', 'expressions'] },

  ports: { at: `${server}/ports/`, imports: ['core'], packages: [] },
  app: { at: `${server}/app/`, imports: ['core', 'ports'] },
  'store/catalog': { at: `${server}/store/catalog/`, imports: ['core', 'ports'] },
  // The bytes of files: a folder, or S3-compatible storage.
  'store/blobs': { at: `${server}/store/blobs/`, imports: ['core', 'ports'], packages: ['aws4fetch', 'undici'] },
  // What both stores do alike.
  'store/shared': { at: `${server}/store/shared/`, imports: ['core', 'ports'], packages: [] },
  'store/sqlite': { at: `${server}/store/sqlite/`, imports: ['core', 'ports', 'store/catalog', 'store/shared'] },
  'store/postgres': { at: `${server}/store/postgres/`, imports: ['core', 'ports', 'store/catalog', 'store/shared'] },
  // Moves, backups and restores: it stands beside both stores and reads their tables.
  transfer: {
    at: `${server}/transfer/`,
    imports: ['core', 'ports', 'store/catalog', 'store/shared', 'store/sqlite', 'store/postgres', 'store/blobs'],
    packages: ['pg'],
  },
  models: { at: `${server}/models/`, imports: ['core', 'ports'] },
  // The filter that every request passes whose address the server did not choose.
  outbound: { at: `${server}/outbound/`, imports: ['core', 'ports'] },
  // Programs that the server starts: their groups, and their end with it.
  processes: { at: `${server}/processes/`, imports: [], packages: [] },
  // The language of workflows' expressions.
  expressions: { at: `${server}/expressions/`, imports: ['core'] },
  tools: { at: `${server}/tools/`, imports: ['core', 'ports', 'outbound', 'processes'] },
  webhooks: { at: `${server}/webhooks/`, imports: ['core', 'ports', 'outbound'] },
  retention: { at: `${server}/retention/`, imports: ['core', 'ports'] },
  runner: { at: `${server}/runner/`, imports: ['core', 'ports', 'app', 'models', 'tools'] },
  minitools: { at: `${server}/minitools/`, imports: ['core', 'ports', 'app', 'minitool', 'processes'] },
  http: { at: `${server}/http/`, imports: ['core', 'app'] },
  // Who is told what happens, through a port: it knows none of those who tell.
  telemetry: { at: `${server}/telemetry/`, imports: ['core', 'ports'] },
  'system-ids': { at: `${server}/system-ids.`, imports: ['core', 'ports'] },
  // It reads what the providers, the outbound filter and the traces want to be told.
  config: { at: `${server}/config`, imports: ['core', 'models', 'store/blobs', 'outbound', 'retention', 'tools', 'telemetry'] },
  // Everything between the store and the doors, put together over ports.
  engine: {
    at: `${server}/engine.`,
    imports: ['core', 'ports', 'app', 'models', 'outbound', 'tools', 'runner', 'webhooks', 'retention', 'minitools', 'expressions', 'system-ids'],
  },
  'first-start': { at: `${server}/first-start.`, imports: ['core', 'ports', 'app'] },
  main: { at: `${server}/main.`, imports: '*' },
  testing: { at: `${server}/testing/`, imports: '*' },

  // A black box: it knows the protocol and a URL, never the server's code.
  conformance: { at: 'conformance/', imports: ['core', 'core/testing', 'client'] },
  examples: { at: 'examples/', imports: ['core', 'client', 'minitool', 'react'] },
  bench: { at: 'bench/', imports: '*' },
  house: { at: 'house/', imports: ['core'] },
};

/** What only tests use: folders of that name in any area, and what a test starts or cuts off. */
export const isTestSupport = (path: string): boolean => /\/(testing|power-cut)\//.test(path) || /\/test-[^/]+$/.test(path);

/** The area of a file: the longest `at` that fits. A folder that is not in the table has none. */
export const areaOf = (path: string): string | undefined => {
  const fits = Object.entries(areas).filter(([, { at }]) => path.startsWith(at) || `${path}.`.startsWith(at));
  return fits.toSorted(([, a], [, b]) => b.at.length - a.at.length)[0]?.[0];
};

const isConfig = (path: string): boolean => /(^|\/)[^/]+\.config\.(ts|js|mjs)$/.test(path);

/** Set-up of a build tool, no part of any area. */
export const isOutside = isConfig;

/** What tests may import besides what their area may: doubles, and of the server's parts the contracts that they stand in for. */
const forTesting = ({ at }: Area): readonly string[] => ['testing', 'core/testing', ...(at.startsWith(server) ? ['ports'] : [])];

/** True when a file of area `from` may import one of area `to`. */
export const mayImport = (from: string, to: string, inTest: boolean): boolean => {
  const area = areas[from];
  if (!area || from === to) return from === to;
  return area.imports === '*' || area.imports.includes(to) || (inTest && forTesting(area).includes(to));
};
