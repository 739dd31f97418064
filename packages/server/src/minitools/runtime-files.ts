/**
 * What a mini-tool's process needs of this program: the entry that runs it, and everything that the entry imports.
 *
 * They are found where they are installed, however the packages lie: in one folder, or behind links.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type RuntimeFiles = { readonly entry: string; readonly readable: readonly string[] };

const needed = ['@turnkeeper/minitool', '@turnkeeper/core', 'vscode-jsonrpc', 'zod'];

/** The folders of `name` that a module in `from` may be looked for in: as named, and where a link leads. */
const foldersNamed = (name: string, from: string): readonly string[] => {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return [path, realpathSync(path)];
  }
  return [];
};

export const findRuntimeFiles = (): RuntimeFiles => {
  const protocol = realpathSync(createRequire(import.meta.url).resolve('@turnkeeper/minitool/protocol'));
  const entry = join(dirname(protocol), 'child', 'main.ts');
  return { entry, readable: [...new Set([dirname(protocol), ...needed.flatMap((name) => foldersNamed(name, dirname(protocol)))])] };
};
