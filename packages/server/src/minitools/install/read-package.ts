/** What an unpacked package says of itself. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { readManifest } from '@turnkeeper/minitool/manifest';
import type { Manifest } from '@turnkeeper/minitool/manifest/schema';
import { apiLevel, meets } from '../api-level.ts';

export type ReadPackage = { readonly id: string; readonly version: string; readonly manifest: Manifest; readonly kept: JsonObject };

const mostBytes = 1024 * 1024;

const textOf = async (path: string): Promise<string | undefined> => {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  if (stats.size > mostBytes) throw new TurnkeeperError('validation_failed', `${path} has more than ${mostBytes} bytes.`);
  return readFile(path, 'utf8');
};

type Faults = readonly { readonly pointer: string; readonly detail: string }[];

const refuse = (file: string, faults: Faults): never => {
  const lines = faults.map(({ pointer, detail }) => `  ${pointer || '/'}: ${detail}`).join('\n');
  throw new TurnkeeperError('validation_failed', `The manifest (${file}) cannot be used:\n${lines}`, { file, errors: faults });
};

/** Rejects with `validation_failed` and every fault (`pointer` into the file, `detail` what is wanted). */
export const readPackage = async (folder: string): Promise<ReadPackage> => {
  const [finchJson, packageJson] = await Promise.all(['finch.json', 'package.json'].map((name) => textOf(join(folder, name))));
  const read = readManifest({ finchJson, packageJson });
  if (!read.ok)
    return refuse(
      read.file,
      read.faults.map(({ pointer, wanted }) => ({ pointer, detail: wanted })),
    );
  const { manifest, version, file } = read;
  const at = file === 'finch.json' ? '' : '/finch';
  const faults: { readonly pointer: string; readonly detail: string }[] = [];
  if (manifest.minVersion !== undefined && !meets(manifest.minVersion))
    faults.push({ pointer: `${at}/minVersion`, detail: `at most ${apiLevel}: this server offers what that version does` });
  const main = await stat(join(folder, manifest.main)).catch(() => undefined);
  if (!main?.isFile()) faults.push({ pointer: `${at}/main`, detail: `a file of the package; ${manifest.main} is not there (was it built?)` });
  if (faults.length > 0) return refuse(file, faults);
  return { id: manifest.id, version, manifest, kept: JSON.parse(JSON.stringify(manifest)) as JsonObject };
};
