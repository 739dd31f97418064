/**
 * What `dev` does in place of a compiler: takes the types out of `src`, into `dist`.
 *
 * A mini-tool that was begun with `new` is seen at work before anything is installed; `npm run build`, which checks the types too, is
 * for who publishes it. Only what can be taken out is taken out: enums and parameter properties want a compiler.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { UsageError } from '../exit-codes.ts';

export type Build = { readonly sources: string; readonly output: string };

const mainOf = (folder: string): string => {
  const read = (name: string): Record<string, unknown> | undefined => {
    try {
      return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  };
  const manifest = read('finch.json') ?? (read('package.json')?.['finch'] as Record<string, unknown> | undefined);
  const main = manifest?.['main'];
  return typeof main === 'string' ? main : 'dist/index.js';
};

/** Where `dist/x.js` is the entry and `src/x.ts` is its source; undefined where the author has another way. */
export const buildOf = (folder: string): Build | undefined => {
  const [, name] = /^(?:\.\/)?dist\/([\w-]+)\.m?js$/.exec(mainOf(folder)) ?? [];
  if (name === undefined || !existsSync(join(folder, 'src', `${name}.ts`))) return undefined;
  return { sources: join(folder, 'src'), output: join(folder, 'dist') };
};

const isSource = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.endsWith('.test.ts');

/** `./x.ts` is `./x.js` in what is run. */
const withJs = (text: string): string => text.replaceAll(/(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/g, '$1$2$3.js$2');

/** Without Node's remark that this is new: nobody who calls it can do anything about that. */
const stripped = (text: string): string => {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
};

const compiled = (path: string): string => {
  try {
    return withJs(stripped(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}\nBuild it yourself, and say --no-build.`);
  }
};

/** Writes what has changed only: each file that is written starts the mini-tool again. Throws UsageError. */
export const buildSources = ({ sources, output }: Build): void => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(isSource);
  const texts = files.map((file) => [join(output, `${file.slice(0, -3)}.js`), compiled(join(sources, file))] as const);
  for (const [path, text] of texts) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
};
