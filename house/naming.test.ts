/** Names say what is inside: no barrels, no catch-all files, named exports only, one reader of the environment. */
import { describe, expect, it } from 'vitest';
import { isTestSupport } from './import-table.ts';
import { codeFiles, isTest, read } from './repository.ts';

const sources = codeFiles.filter((file) => !/\.config\.(ts|js|mjs)$/.test(file));
/** Stands in for modules of a package that the bundle leaves out, so it exports what they export. */
const standIns = 'packages/console/src/left-out/';
/** The code alone, so that a comment or a text may speak of what the code must not do. */
const codeOf = (file: string): string =>
  read(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');

const environmentReaders = ['packages/server/src/config.ts', 'packages/cli/src/io.ts'];
/** The launcher runs before there is anything to read a configuration with. */
const launcher = 'packages/cli/bin/turnkeeper.js';

describe('names', () => {
  it('are kebab-case', () => {
    expect(sources.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|tsx|js|mjs)$/.test(file.split('/').at(-1) ?? ''))).toEqual([]);
  });

  it('say what a file holds', () => {
    const vague = /^(utils?|helpers?|managers?|misc|common)$|[-.](utils?|helpers?|manager)$/;
    expect(sources.filter((file) => file.split('/').some((part) => vague.test(part.replace(/(\.test)?\.\w+$/, ''))))).toEqual([]);
  });
});

describe('the launcher', () => {
  it('is plain to an older Node, which must get far enough to find the right one', () => {
    // An import by name of what a module does not export ends the process before its first line.
    const named = [...codeOf(launcher).matchAll(/^import \{([^}]*)\} from 'node:module'/gm)].map(([, names]) => names?.trim());
    expect(read(launcher)).toContain('enableCompileCache');
    expect(named).toEqual([]);
  });
});

describe('tests', () => {
  it('that put something in the place of a module say so by their name: the others share their modules', () => {
    const replacing = codeFiles.filter((file) => isTest(file) && /\bvi\.(do)?[mM]ock\(/.test(codeOf(file)));
    expect(replacing.length).toBeGreaterThan(0);
    expect(replacing.filter((file) => !file.endsWith('.isolated.test.ts'))).toEqual([]);
  });
});

describe('exports', () => {
  it('have names', () => {
    expect(sources.filter((file) => !file.startsWith(standIns) && /^export default\b|^export \{[^}]*\bas default\b/m.test(codeOf(file)))).toEqual([]);
  });

  it('come from the file that makes them: no barrels', () => {
    const passesOn = /^export (type )?(\*|\{[^}]*\})[^;]*\bfrom '/m;
    expect(sources.filter((file) => passesOn.test(codeOf(file)))).toEqual([]);
  });
});

describe('the environment', () => {
  const reads = /\bprocess\s*\.\s*env\b|\bprocess\[['"]env['"]\]|\{[^}]*\benv\b[^}]*\}\s*(=\s*process\b|from 'node:process')/;
  const inProduct = codeFiles.filter((file) => /^packages\/(core|server|client|cli|minitool)\//.test(file) && !isTest(file) && !isTestSupport(file));

  it('is read in one place a program', () => {
    expect(inProduct.length).toBeGreaterThan(30);
    const allowed = new Set([...environmentReaders, launcher]);
    expect(inProduct.filter((file) => !allowed.has(file) && reads.test(codeOf(file)))).toEqual([]);
  });
});
