/**
 * What a file imports, and where that lies.
 */
import { posix } from 'node:path';
import ts from 'typescript';
import { read } from './repository.ts';

/** Every module named in the file by `import`, `export … from`, `import()` or `require()`; types count too. */
export const importsOf = (path: string): readonly string[] => ts.preProcessFile(read(path), true, true).importedFiles.map((file) => file.fileName);

export type Target =
  /** A file of ours, by path from the root (without extension where the import has none). */
  | { readonly kind: 'own'; readonly path: string }
  /** A module of Node. */
  | { readonly kind: 'node'; readonly name: string }
  /** A package from outside. */
  | { readonly kind: 'package'; readonly name: string };

const packageFolders: Readonly<Record<string, string>> = { turnkeeper: 'packages/cli' };

/** The name that the types of mini-tools are imported by. */
const typesOfMinitools = 'packages/minitool/src/finch';

const ownPackage = (specifier: string): string | undefined => {
  if (specifier === 'finch') return typesOfMinitools;
  const [scope, name, ...rest] = specifier.split('/');
  if (scope === '@turnkeeper' && name) return posix.join('packages', name, 'src', ...rest);
  const folder = packageFolders[scope ?? ''];
  return folder && posix.join(folder, 'src', ...[name ?? '', ...rest]);
};

/** Where an import of file `from` leads. */
export const targetOf = (from: string, specifier: string): Target => {
  if (specifier.startsWith('.')) return { kind: 'own', path: posix.join(posix.dirname(from), specifier) };
  if (specifier.startsWith('node:')) return { kind: 'node', name: specifier };
  const own = ownPackage(specifier);
  if (own) return { kind: 'own', path: own };
  const [first = '', second = ''] = specifier.split('/');
  return { kind: 'package', name: first.startsWith('@') ? `${first}/${second}` : first };
};
