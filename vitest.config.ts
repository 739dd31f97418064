import { defineConfig } from 'vitest/config';

/** Projects by what they need: `unit` needs nothing but the checkout; the others start what they need themselves. */
const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  test: { name, include, environment: 'node', testTimeout: 30_000, hookTimeout: 60_000, ...options },
});

const slow = ['**/*.postgres.test.ts', '**/*.crash.test.ts', '**/*.browser.test.ts', 'conformance/**', '**/house/**'];

export default defineConfig({
  test: {
    // Named here and not in each project: it runs once, before any of them.
    globalSetup: ['./house/require-node.ts'],
    projects: [
      project('unit', ['packages/**/*.test.ts', 'packages/**/*.test.tsx', 'bench/**/*.test.ts'], { exclude: ['**/node_modules/**', '**/dist/**', ...slow] }),
      project('house', ['house/**/*.test.ts']),
      project('postgres', ['packages/**/*.postgres.test.ts'], { testTimeout: 60_000 }),
      project('conformance', ['conformance/**/*.test.ts'], { testTimeout: 60_000 }),
      project('crash', ['packages/**/*.crash.test.ts'], { testTimeout: 600_000 }),
      project('browser', ['packages/**/*.browser.test.ts'], { testTimeout: 120_000 }),
    ],
  },
});
