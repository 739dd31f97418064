/**
 * The program in few files: what `npm run build:program` made of these sources, so that a start loads a few dozen files instead of 2,000.
 *
 * BN1 A bundle is used only while it is of exactly these sources: their names, sizes and times stand in its folder's name. Whoever
 *     changes a source runs the sources, until the bundle is made anew.
 * BN2 Bundles lie as deep as the sources, so that what is found beside them is found the same way.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const checkout: string = join(import.meta.dirname, '..', '..', '..');
const bundlePrefix = 'bundle-';

const isSource = (name: string): boolean => name.endsWith('.ts') && !name.endsWith('.test.ts');

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const sourcesIn = (root: string): readonly string[] => [
  ...['cli', 'client', 'core', 'minitool', 'server'].flatMap((name) => filesIn(join(root, 'packages', name, 'src'))),
  ...filesIn(join(root, 'packages', 'cli', 'scripts')),
];

/** The folders of all bundles in a checkout. */
export const bundlesIn = (root: string): readonly string[] => {
  const folder = join(root, 'packages', 'cli');
  const names = readdirSync(folder).filter((name) => name.startsWith(bundlePrefix));
  return names.map((name) => join(folder, name));
};

/** Where the bundle of the sources as they are now lies, if there is one. Of the lock its content counts: npm writes it anew. */
export const bundleFolder = (root: string = checkout): string => {
  const hash = createHash('sha256')
    .update(process.version)
    .update(readFileSync(join(root, 'package-lock.json')));
  for (const file of sourcesIn(root)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`\0${relative(root, file)}\0${size}\0${Math.floor(mtimeMs)}`);
  }
  return join(root, 'packages', 'cli', `${bundlePrefix}${hash.digest('hex').slice(0, 16)}`);
};

/** The file that runs the program: of the bundle, where there is one of these sources, else the source. */
export const programFile = (root: string = checkout): string => {
  const built = bundlesIn(root).length > 0 ? join(bundleFolder(root), 'main.js') : '';
  return existsSync(built) ? built : join(root, 'packages', 'cli', 'src', 'main.ts');
};
