import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Projects by what they need: `unit` needs nothing but the checkout; the others start what they need themselves. */
const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  test: { name, include, environment: 'node', testTimeout: 60_000, hookTimeout: 120_000, ...patience(30), ...options },
});

/**
 * How long a test waits for what must come, in seconds: long enough for a machine that has much else to do, because
 * only what never comes is a fault. A test says a time of its own where it is part of the promise.
 */
const patience = (seconds: number) => ({ expect: { poll: { timeout: seconds * 1_000 } } });

/** They put others in the place of modules, which whoever shares them would meet. */
const isolated = '**/*.isolated.test.ts';

const slow = ['**/*.measure.test.ts', '**/*.postgres.test.ts', '**/*.crash.test.ts', '**/*.browser.test.ts', 'conformance/**', '**/house/**'];

/** Each page of the console by itself; what goes through all of it is in the browser suite. Two suites run side by side. */
const pages = ['now', 'shell', 'session', 'settings', 'minitools', 'deliveries', 'usage', 'targets'].map(
  (page) => `packages/console/src/${page}.browser.test.ts`,
);

export default defineConfig({
  test: {
    // Named here and not in each project: it runs once, before any of them.
    globalSetup: ['./house/require-node.ts'],
    // Most of the tests wait for disks, processes and databases: one worker fewer than there are processors would leave those idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // Test files share a worker's modules: to load them anew for each takes longer than most of the tests.
      project('unit', ['{packages,bench}/**/*.test.{ts,tsx}'], { exclude: ['**/node_modules/**', '**/dist/**', isolated, ...slow], isolate: false }),
      project('isolated', [`packages/${isolated}`], { exclude: ['**/node_modules/**', '**/dist/**'] }),
      project('house', ['house/**/*.test.ts']),
      project('postgres', ['packages/**/*.postgres.test.ts'], { testTimeout: 120_000 }),
      project('conformance', ['conformance/**/*.test.ts'], { testTimeout: 120_000 }),
      project('crash', ['packages/**/*.crash.test.ts'], { testTimeout: 600_000, fileParallelism: false }),
      project('browser', ['packages/**/*.browser.test.ts'], { testTimeout: 240_000, ...patience(60), exclude: ['**/node_modules/**', ...pages] }),
      project('pages', pages, { testTimeout: 240_000, ...patience(60) }),
      // Measures, and asserts nothing: in no suite.
      project('measure', ['packages/**/*.measure.test.ts'], { testTimeout: 300_000 }),
    ],
  },
});
