/**
 * Makes a bundle of the program, unless there is one of exactly these sources (BN1).
 *
 * It is made aside and put in its place whole, so that who starts meanwhile finds all of it or nothing. Where none can be made (a
 * machine without a bundler's binary, a checkout that may not be written) that is said, and the sources run.
 */
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFolder, bundlesIn } from '../src/bundle.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const server = join(root, 'packages', 'server', 'src');

/** Threads are started by the names of their files (store/sqlite/threads.ts, tools/schema-checker.ts). */
const threads = ['store/sqlite/writer-thread.ts', 'store/sqlite/checkpoint-thread.ts', 'tools/schema-thread.ts'];
/** What other processes run, which may read nothing but it (minitools/process/minitool-process.ts). */
const copied = join(server, 'minitools', 'process', 'seal.ts');
/** Bundles that stay: this one, and those that servers may yet load from which were started before. */
const kept = 10;

const removeOld = (): void => {
  const made = (folder: string): number => statSync(folder).mtimeMs;
  for (const old of bundlesIn(root)
    .toSorted((a, b) => made(b) - made(a))
    .slice(kept))
    rmSync(old, { recursive: true, force: true });
};

const build = async (folder: string): Promise<void> => {
  const aside = `${folder}.${process.pid}`;
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: [join(root, 'packages', 'cli', 'src', 'main.ts'), ...threads.map((path) => join(server, path))],
    platform: 'node',
    // A faster driver that few have: pg asks for it and goes on without.
    external: ['pg-native'],
    // Of dependencies.
    checks: { eval: false },
  });
  await bundle.write({ dir: aside, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  copyFileSync(copied, join(aside, 'seal.ts'));
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true });
    // Another start has made the same meanwhile.
    if (!existsSync(folder)) throw error;
  }
  removeOld();
};

const folder = bundleFolder();
if (!existsSync(folder)) {
  const began = performance.now();
  try {
    await build(folder);
    process.stdout.write(`program built in ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
  } catch (error) {
    process.stderr.write(`The program could not be built, so it runs from its sources, which starts slower: ${String(error)}\n`);
  }
}
