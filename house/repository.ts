/**
 * The files of this repository, as the house tests look at them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

const skipped = new Set(['node_modules', 'dist', '.git', '.turnkeeper', 'coverage', 'test-artifacts']);

const walk = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : walk(path);
    return entry.isFile() ? [path] : [];
  });

const inGit = (): readonly string[] | undefined => {
  try {
    const out = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.split('\0').filter((path) => path !== '');
  } catch {
    return undefined;
  }
};

/** What is on disk of `paths`: a file may be deleted and still be in git's index. */
const present = (paths: readonly string[]): readonly string[] => {
  const onDisk = new Set(walk(''));
  return paths.filter((path) => onDisk.has(path));
};

/**
 * Every file that is in git or would be added to it, relative to the root, with `/`. Without git (an unpacked archive)
 * every file but build output.
 */
export const repositoryFiles: readonly string[] = present(inGit() ?? walk('')).toSorted();

/** Folders that hold code of ours. */
const codeFolders = ['packages/', 'conformance/', 'examples/', 'bench/', 'house/'];

/** Every code file of ours, tests included. */
export const codeFiles: readonly string[] = repositoryFiles.filter(
  (path) => codeFolders.some((folder) => path.startsWith(folder)) && /\.(ts|tsx|js|mjs)$/.test(path),
);

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export type Manifest = {
  readonly name: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** Every package.json of the workspace, by path. */
export const manifests: ReadonlyMap<string, Manifest> = new Map(
  repositoryFiles.filter((path) => path === 'package.json' || path.endsWith('/package.json')).map((path) => [path, JSON.parse(read(path)) as Manifest]),
);
