/**
 * Copies the folder of a package.
 *
 * CP1 Nothing of the copy leads out of it: a link is kept where it leads to something inside, and refused where it does not. What is
 *     neither file, folder nor link is refused, too.
 * CP2 A package has at most `mostFiles` files and `mostBytes` bytes. What git keeps is left out.
 */
import { copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

export type PackageLimits = { readonly files: number; readonly bytes: number };
export const packageLimits: PackageLimits = { files: 20_000, bytes: 200 * 1024 * 1024 };

const refusal = (detail: string): TurnkeeperError => new TurnkeeperError('validation_failed', detail, { reason: 'package' });

export const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
};

export type PackageFile = { readonly path: string; readonly kind: 'folder' | 'file' | 'link'; readonly bytes: number };

/** Everything in a folder, folders before what is in them. Refuses what the rules above refuse. */
export const filesOf = async (root: string, limits: PackageLimits = packageLimits, leftOut?: string): Promise<readonly PackageFile[]> => {
  const files: PackageFile[] = [];
  let bytes = 0;
  const walk = async (folder: string): Promise<void> => {
    for (const name of (await readdir(folder)).toSorted()) {
      if (name === '.git' || join(folder, name) === leftOut) continue;
      const file = await lookAt(root, join(folder, name));
      files.push(file);
      bytes += file.bytes;
      if (files.length > limits.files) throw refusal(`The package has more than ${limits.files} files.`);
      if (bytes > limits.bytes) throw refusal(`The package has more than ${Math.round(limits.bytes / 1024 / 1024)} MB.`);
      if (file.kind === 'folder') await walk(file.path);
    }
  };
  await walk(root);
  return files;
};

const lookAt = async (root: string, path: string): Promise<PackageFile> => {
  const stats = await lstat(path);
  if (stats.isDirectory()) return { path, kind: 'folder', bytes: 0 };
  if (stats.isFile()) return { path, kind: 'file', bytes: stats.size };
  const name = relative(root, path);
  if (!stats.isSymbolicLink()) throw refusal(`${name} is neither a file nor a folder.`);
  const target = await readlink(path);
  if (!isInside(root, resolve(dirname(path), target))) throw refusal(`${name} is a link that leaves the package (${target}).`);
  return { path, kind: 'link', bytes: 0 };
};

/** Without `leftOut`: the server's data folder, which may lie in it. */
export const copyPackage = async (from: string, to: string, leftOut: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  for (const { path, kind } of await filesOf(from, packageLimits, leftOut)) {
    const copy = join(to, relative(from, path));
    if (kind === 'folder') await mkdir(copy, { recursive: true });
    else if (kind === 'file') await copyFile(path, copy);
    // A link that named its target absolutely would lead to the original.
    else await symlink(relative(dirname(path), resolve(dirname(path), await readlink(path))), copy);
  }
};
