import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleFolder, bundlesIn, programFile } from './bundle.ts';

let root: string;
const at = (path: string): string => join(root, path);
const write = (path: string, text = path): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  utimesSync(at(path), 1_000, 1_000);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bundle-'));
  for (const name of ['cli', 'client', 'core', 'minitool', 'server']) write(`packages/${name}/src/main.ts`);
  write('packages/cli/scripts/build.ts');
  write('package-lock.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const source = () => at('packages/cli/src/main.ts');
const build = (): string => {
  const file = join(bundleFolder(root), 'main.js');
  mkdirSync(dirname(file));
  writeFileSync(file, '');
  return file;
};

test('BN1 without a bundle the source runs; with one of these sources that does', () => {
  expect(programFile(root)).toBe(source());
  const built = build();
  expect(programFile(root)).toBe(built);
  expect(bundlesIn(root)).toEqual([dirname(built)]);
});

test.each<[string, () => void]>([
  ['of another size', () => write('packages/core/src/main.ts', 'more than before')],
  ['of another time', () => utimesSync(at('packages/server/src/main.ts'), 1_000, 1_001)],
  ['that is new', () => write('packages/client/src/deep/new.ts')],
  ['that is gone', () => rmSync(at('packages/minitool/src/main.ts'))],
  ['among those that build it', () => write('packages/cli/scripts/build.ts', 'otherwise')],
  ['in the lock', () => write('package-lock.json', 'otherwise')],
])('BN1 a source %s: the bundle is not used', (_, change) => {
  build();
  change();
  expect(programFile(root)).toBe(source());
});

test('BN1 a test is no part of it', () => {
  const built = build();
  write('packages/core/src/main.test.ts');
  expect(programFile(root)).toBe(built);
});
