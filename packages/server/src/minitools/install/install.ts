/**
 * Brings the files of a mini-tool to where it runs from: `<data>/minitools/<id>/<version>-<n>/`.
 *
 * IN1 They are put together in a folder of their own and checked there; only a package that is sound is moved to its place, in one
 *     step. One that is refused leaves nothing behind.
 * IN2 No code of the package runs while it is installed.
 * IN3 Another installation of the same mini-tool stays beside it until `prune` is told which one is in use.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { MinitoolSource, PlacedMinitool } from '../../ports/minitool-host.ts';
import { foldersOf, installationOf } from '../folders.ts';
import { checkTarball } from './check-tarball.ts';
import { copyPackage, filesOf } from './copy-package.ts';
import { isPackageSpec, type NpmOptions, runNpm } from './npm.ts';
import { type ReadPackage, readPackage } from './read-package.ts';

const mostTarballBytes = 50 * 1024 * 1024;

const linkedSource = (folder: string): string => `link:${folder}`;
/** It is run where it lies, and started again when something in it changes. */
export const isLinked = ({ source }: { readonly source: string }): boolean => source.startsWith('link:');

const wrong = (detail: string): TurnkeeperError => new TurnkeeperError('invalid_request', detail);

const folderAt = async (path: string): Promise<string> => {
  if (!isAbsolute(path)) throw wrong(`${path} is not an absolute path.`);
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory()) throw wrong(`There is no folder ${path} on the server.`);
  return realpath(path);
};

/** Writes what was sent, as far as a tarball may go. */
const receive = async (bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> => {
  let length = 0;
  const counted = async function* () {
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > mostTarballBytes) throw new TurnkeeperError('payload_too_large', `A package has at most ${mostTarballBytes / 1024 / 1024} MB.`);
      yield chunk;
    }
  };
  await writeFile(path, counted());
};

/** A dependency on a git repository is none: npm would run scripts of it, whatever else it is told. */
const installFlags = ['--ignore-scripts', '--allow-git=none', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock', '--install-strategy=hoisted'];

/** In a fresh project, so that what the package needs lies beside it; gives the package's folder. */
const unpackTarball = async (tarball: string, staging: string, npm: NpmOptions): Promise<string> => {
  await checkTarball(tarball);
  await writeFile(join(staging, 'package.json'), '{"private":true}\n');
  await runNpm(['install', ...installFlags, '--', tarball], staging, npm);
  const project = JSON.parse(await readFile(join(staging, 'package.json'), 'utf8')) as { readonly dependencies?: Readonly<Record<string, string>> };
  const [name] = Object.keys(project.dependencies ?? {});
  if (name === undefined) throw wrong('npm installed nothing.');
  return join(staging, 'node_modules', name);
};

const packFromNpm = async (spec: string, folder: string, npm: NpmOptions): Promise<string> => {
  if (!isPackageSpec(spec)) throw wrong(`${JSON.stringify(spec)} is not the name of an npm package (name, or name@version).`);
  await runNpm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, '--', spec], folder, npm);
  const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw wrong(`npm has no package ${spec}.`);
  return join(folder, file);
};

type Fetched = { readonly folder: string; readonly source: string };
/** `beside` is for what is needed only until then. */
type Places = { readonly staging: string; readonly beside: string; readonly dataFolder: string };

const fetchPackage = async (source: MinitoolSource, { staging, beside, dataFolder }: Places, npm: NpmOptions): Promise<Fetched> => {
  if (source.kind === 'folder') {
    const from = await folderAt(source.path);
    if (source.linked) return { folder: from, source: linkedSource(from) };
    await copyPackage(from, join(staging, 'package'), dataFolder);
    return { folder: join(staging, 'package'), source: `folder:${from}` };
  }
  if (source.kind === 'file') {
    const file = join(beside, 'package.tgz');
    await receive(source.bytes, file);
    return { folder: await unpackTarball(file, staging, npm), source: `file:${basename(source.name).slice(0, 200)}` };
  }
  const spec = source.version === undefined ? source.name : `${source.name}@${source.version}`;
  return { folder: await unpackTarball(await packFromNpm(spec, beside, npm), staging, npm), source: `npm:${spec}` };
};

/** Whether a folder may be had: false where somebody else is about to move there. */
type Take = (folder: string) => boolean;

const moveToPlace = async (dataFolder: string, { id, version }: ReadPackage, staging: string, take: Take): Promise<string> => {
  const { root } = foldersOf(dataFolder, id);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const name = version.replace(/[^\w.+-]/g, '_').slice(0, 64);
  for (let n = 1; ; n += 1) {
    const folder = join(root, `${name}-${n}`);
    if (existsSync(folder) || !take(folder)) continue;
    await rename(staging, folder);
    return folder;
  }
};

const stagingNames = ['.new-', '.packed-'] as const;
export const isStaging = (name: string): boolean => stagingNames.some((beginning) => name.startsWith(beginning));

/** The package where it is to run from. Rejects with what is wrong with it. */
export const placeMinitool = async (dataFolder: string, source: MinitoolSource, npm: NpmOptions, take: Take = () => true): Promise<PlacedMinitool> => {
  const parent = join(dataFolder, 'minitools');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const places: Places = {
    staging: await mkdtemp(join(parent, stagingNames[0])),
    beside: await mkdtemp(join(parent, stagingNames[1])),
    dataFolder: await realpath(dataFolder),
  };
  try {
    const fetched = await fetchPackage(source, places, npm);
    const read = await readPackage(fetched.folder);
    const placed = { id: read.id, version: read.version, source: fetched.source, manifest: read.kept };
    if (isLinked(fetched)) return { ...placed, folder: fetched.folder };
    await filesOf(places.staging);
    const inside = relative(places.staging, fetched.folder);
    return { ...placed, folder: join(await moveToPlace(dataFolder, read, places.staging, take), inside) };
  } finally {
    await Promise.all([places.staging, places.beside].map((folder) => rm(folder, { recursive: true, force: true })));
  }
};

/** Removes the installations that are neither in use nor among `spared`. */
export const prune = async (dataFolder: string, id: string, inUse: readonly string[], spared: ReadonlySet<string> = new Set()): Promise<void> => {
  const { root } = foldersOf(dataFolder, id);
  const used = new Set(inUse.map((folder) => basename(installationOf(dataFolder, id, folder))));
  for (const name of await readdir(root).catch(() => []))
    if (/-\d+$/.test(name) && !used.has(name) && !spared.has(join(root, name))) await rm(join(root, name), { recursive: true, force: true });
};

export const removeFiles = (dataFolder: string, id: string): Promise<void> => rm(foldersOf(dataFolder, id).root, { recursive: true, force: true });
