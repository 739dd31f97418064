/** The mini-tool that a kit runs: its manifest and its entry. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Entry, entryOf, loadEntry } from '../child/entry.ts';
import { invalidArgument } from '../failure.ts';
import { localised } from '../manifest/localise.ts';
import type { Manifest } from '../manifest/schema.ts';
import { readManifest } from '../manifest.ts';
import { type Beginning, protocolVersion } from '../protocol.ts';
import type { KitOptions } from './kit.ts';

const readText = async (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

export type Loaded = { readonly manifest: Manifest; readonly version: string; readonly main: string; readonly load: (main: string) => Promise<Entry> };

/** Throws `invalid_argument` with every fault of a faulty manifest. */
export const loaded = async ({ folder, module, manifest }: KitOptions): Promise<Loaded> => {
  const files =
    manifest || folder === undefined
      ? { finchJson: JSON.stringify(manifest ?? {}) }
      : { finchJson: await readText(join(folder, 'finch.json')), packageJson: await readText(join(folder, 'package.json')) };
  const read = readManifest(files);
  if (!read.ok)
    throw invalidArgument(`The manifest is faulty:\n${read.faults.map(({ pointer, wanted }) => `  ${read.file}${pointer}: wanted is ${wanted}`).join('\n')}`);
  if (!module && folder === undefined) throw invalidArgument('startKit wants a folder, or a module with its manifest');
  const main = resolve(folder ?? '.', read.manifest.main);
  return { manifest: read.manifest, version: read.version, main, load: module ? async () => entryOf({ ...module }, main) : loadEntry };
};

export const beginningOf = ({ manifest, version, main }: Loaded, options: KitOptions, home: string): Beginning => ({
  protocolVersion,
  minitool: { id: manifest.id, displayName: localised(manifest.name, 'en-US'), version, extensionPath: resolve(options.folder ?? '.'), scope: 'global' },
  main,
  storagePath: join(home, 'storage'),
  outboxPath: join(home, 'outbox'),
  locale: 'en-US',
  messages: {},
  settings: options.settings ?? {},
  workspace: {},
  session: { id: 'none', model: 'kit' },
  contributions: {},
  declared: { provides: manifest.provides.capabilities, requires: manifest.requires.capabilities },
  capabilities: Object.keys(options.capabilities ?? {}),
});
