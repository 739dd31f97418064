/**
 * The doctor: reads a mini-tool's folder and tells what will not work, without running any of it.
 *
 * MD2 It looks at characters, so it can be wrong either way: it says what it saw and where. An error is something that does not work
 *     when that code is reached; what only may be wrong is a warning.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../manifest/schema.ts';
import { readManifest } from '../manifest.ts';
import { undeclaredUses } from './declared.ts';
import type { Finding } from './finding.ts';
import { entryExports, isTypeScript, missingModules } from './imports.ts';
import { randomKeys } from './keys.ts';
import { manifestFindings } from './manifest-findings.ts';
import { pollings } from './polling.ts';
import { readSource, type Source } from './source.ts';

/** The texts of a folder by path, relative and with `/`. */
export type Folder = ReadonlyMap<string, string>;

const isCode = (path: string): boolean => /\.[mc]?[jt]sx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path);
const isTest = (path: string): boolean => /(?:^|\/)(?:tests?|__tests__|testing)\/|\.(?:test|spec)\.[^/]+$/.test(path);
const isBuilt = (path: string): boolean => /^(?:dist|build|out|lib)\//.test(path);

/** What an author wrote: sources where there are some, else what was built. */
const written = (sources: readonly Source[]): readonly Source[] => {
  const own = sources.filter(({ path }) => !isBuilt(path));
  return own.some(({ path }) => isTypeScript(path) || path.startsWith('src/')) ? own : sources;
};

/** The same use stands in a source and in what was built of it: the built one is told only of what no source has. */
const withoutRepetition = (findings: readonly Finding[]): readonly Finding[] => {
  const inSources = new Set(findings.filter(({ file }) => !isBuilt(file)).map(({ code }) => code));
  return findings.filter(({ file, code }) => !isBuilt(file) || !inSources.has(code));
};

const entryFindings = (sources: readonly Source[], manifest: Manifest): readonly Finding[] => {
  const main = manifest.main.replace(/^\.\//, '');
  const entry = sources.find(({ path }) => path === main);
  if (entry) return entryExports(entry);
  return [
    {
      code: 'entry_missing',
      level: 'error',
      file: main,
      line: 1,
      what: 'The entry does not exist',
      why: `The manifest says that the mini-tool begins in ${main}. Build it first, or name another file in "main".`,
    },
  ];
};

/** What is found in the texts of a folder, by file and line. */
export const examineTexts = (folder: Folder): readonly Finding[] => {
  const finchJson = folder.get('finch.json');
  const packageJson = folder.get('package.json');
  const read = readManifest({ finchJson, packageJson });
  const sources = [...folder].filter(([path]) => isCode(path) && !isTest(path)).map(([path, text]) => readSource(path, text));
  const own = written(sources);
  const built = read.ok ? sources.filter(({ path }) => path === read.manifest.main.replace(/^\.\//, '')) : [];
  const findings = [
    ...manifestFindings(read, folder.get(read.file)),
    ...(read.ok ? entryFindings(sources, read.manifest) : []),
    ...[...new Set([...own, ...built])].flatMap(missingModules),
    ...own.flatMap((source) => [...randomKeys(source), ...pollings(source), ...(read.ok ? undeclaredUses(source, read.manifest) : [])]),
  ];
  return withoutRepetition(findings).toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
};

const skipped: ReadonlySet<string> = new Set(['node_modules', '.git', 'coverage']);
/** A bundle may be large; what is larger than this was not written by hand. */
const largestFile = 2 * 1024 * 1024;
const mostFiles = 2_000;

const collect = async (root: string, inner: string, texts: Map<string, string>): Promise<void> => {
  for (const entry of await readdir(join(root, inner), { withFileTypes: true })) {
    const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) await collect(root, path, texts);
    else if (entry.isFile() && (isCode(path) || path === 'finch.json' || path === 'package.json') && texts.size < mostFiles) {
      const text = await readFile(join(root, path), 'utf8');
      if (text.length <= largestFile) texts.set(path, text);
    }
  }
};

/** What is found in a folder on disk, `node_modules` left out. Rejects where there is no such folder. */
export const examine = async (folder: string): Promise<readonly Finding[]> => {
  const texts = new Map<string, string>();
  await collect(folder, '', texts);
  return examineTexts(texts);
};
