/** What `add` is given: a folder or a packed package of this machine, or the name of an npm package. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { installMinitoolRequest } from '@turnkeeper/core/protocol/wire/minitools';
import { UsageError } from '../exit-codes.ts';

export type GivenSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'npm'; readonly source: string };

const looksLikePath = (text: string): boolean => /^(?:\.{0,2}\/|\.{1,2}$|~|[A-Za-z]:\\)/.test(text) || text.endsWith('.tgz');

/** Something that is there goes before a name that is spelt like it. Throws UsageError for a path that leads nowhere. */
export const sourceOf = (text: string, cwd: string): GivenSource => {
  const path = resolve(cwd, text);
  if (!text.startsWith('npm:') && existsSync(path)) return { kind: statSync(path).isDirectory() ? 'folder' : 'file', path };
  if (looksLikePath(text)) throw new UsageError(`There is no ${text.endsWith('.tgz') ? 'file' : 'folder'} ${path}.`);
  const source = text.startsWith('npm:') ? text : `npm:${text}`;
  if (!installMinitoolRequest.shape.source.safeParse(source).success)
    throw new UsageError(`There is no folder ${path}, and "${text}" is no name of an npm package.`);
  return { kind: 'npm', source };
};
