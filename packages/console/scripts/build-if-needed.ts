/**
 * Builds the console unless `dist` was built from exactly this source: the sources of what goes into it and the lock
 * file are hashed, and the hash is kept beside the result.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';

const folder = join(import.meta.dirname, '..');
const packages = join(folder, '..');
const stampFile = join(folder, 'dist', '.source-hash');

const sources = [
  join(folder, 'src'),
  join(folder, 'public'),
  join(folder, 'index.html'),
  join(folder, 'chat.html'),
  join(folder, 'vite.config.ts'),
  join(folder, 'scripts'),
  join(folder, 'package.json'),
  join(packages, 'client', 'src'),
  join(packages, 'core', 'src'),
  join(packages, 'react', 'src'),
  join(packages, '..', 'package-lock.json'),
];

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

const filesOf = (path: string): string[] => {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
};

const hashSources = (): string => {
  const hash = createHash('sha256');
  for (const source of sources) {
    const files = /\.(html|ts|json)$/.test(source) ? [source] : filesOf(source);
    for (const file of files)
      hash
        .update(`${relative(packages, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
};

const hash = hashSources();
const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
if (built !== hash) {
  process.stdout.write('building the console …\n');
  const began = performance.now();
  await build({ root: folder, logLevel: 'warn' });
  writeFileSync(stampFile, hash);
  process.stdout.write(`console built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}
