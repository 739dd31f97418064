/**
 * Reads the manifest of a mini-tool.
 *
 * MF1 A faulty manifest is refused with all of its faults, not with the first one: an author mends them in one go.
 * MF2 `finch.json` wins over the `finch` key of `package.json`; what neither knows is kept as it is.
 */
import { pointerOf, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import { crossFaults } from './manifest/cross-checks.ts';
import type { ManifestFault } from './manifest/fault.ts';
import { type Manifest, manifest as manifestSchema } from './manifest/schema.ts';

/** The texts of a package's files, as far as they exist. */
export type ManifestFiles = { readonly finchJson?: string | undefined; readonly packageJson?: string | undefined };

export type ReadManifest =
  | { readonly ok: true; readonly manifest: Manifest; readonly version: string; readonly file: ManifestFile }
  | { readonly ok: false; readonly file: ManifestFile; readonly faults: readonly ManifestFault[] };
export type ManifestFile = 'finch.json' | 'package.json';

type Parsed = { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: ManifestFault } | undefined;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string | undefined): Parsed => {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\u{feff}/u, ''));
    return isObject(value) ? { value } : { fault: { pointer: '', wanted: 'a JSON object' } };
  } catch (error) {
    return { fault: { pointer: '', wanted: `sound JSON (${error instanceof Error ? error.message : 'it cannot be read'})` } };
  }
};

/** `@acme/My_Tool` → `my-tool`. */
const idOfPackage = (name: unknown): string | undefined => {
  if (typeof name !== 'string') return undefined;
  const id = (name.split('/').at(-1) ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return id === '' ? undefined : id;
};

const shapeFaults = (value: unknown): readonly ManifestFault[] => {
  const parsed = manifestSchema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map((issue) => ({ pointer: pointerOf(issue.path), wanted: issue.message }));
};

const faultsOf = (value: unknown): readonly ManifestFault[] => {
  // What nests without an end or holds too much is looked at no further.
  const unkept = wireFaults(value).map(({ pointer, detail }) => ({ pointer, wanted: detail }));
  if (unkept.length > 0) return unkept;
  const faults = [...shapeFaults(value), ...crossFaults(value)];
  return faults.filter((fault, at) => faults.findIndex((other) => other.pointer === fault.pointer && other.wanted === fault.wanted) === at);
};

const refusal = (file: ManifestFile, faults: readonly ManifestFault[]): ReadManifest => ({ ok: false, file, faults });

/** Where the manifest stands: the value itself, the file, and the pointer to it. */
type Place = { readonly file: ManifestFile; readonly at: string; readonly value: unknown };

const placeOf = (finch: Parsed, pack: Parsed): Place | ReadManifest => {
  if (finch) return 'fault' in finch ? refusal('finch.json', [finch.fault]) : { file: 'finch.json', at: '', value: finch.value };
  if (pack && 'fault' in pack) return refusal('package.json', [pack.fault]);
  if (pack && 'finch' in pack.value) return { file: 'package.json', at: '/finch', value: pack.value['finch'] };
  return refusal(pack ? 'package.json' : 'finch.json', [
    { pointer: pack ? '/finch' : '', wanted: 'a manifest: a file finch.json, or the key "finch" in package.json' },
  ]);
};

const versionOf = (manifest: Manifest, pack: Parsed): string => {
  const own = manifest['version'];
  const packaged = pack && 'value' in pack ? pack.value['version'] : undefined;
  return [packaged, own].find((version): version is string => typeof version === 'string' && version !== '') ?? '0.0.0';
};

/** The manifest of a package, or every fault that it has. */
export const readManifest = (files: ManifestFiles): ReadManifest => {
  const finch = parse(files.finchJson);
  const pack = parse(files.packageJson);
  const place = placeOf(finch, pack);
  if ('ok' in place) return place;
  const packageName = pack && 'value' in pack ? pack.value['name'] : undefined;
  const value = isObject(place.value) && place.value['id'] === undefined ? { ...place.value, id: idOfPackage(packageName) } : place.value;
  const faults = isObject(value) ? faultsOf(value) : [{ pointer: '', wanted: 'a JSON object' }];
  if (faults.length > 0)
    return refusal(
      place.file,
      faults.map((fault) => ({ ...fault, pointer: `${place.at}${fault.pointer}` })),
    );
  const manifest = manifestSchema.parse(value);
  return { ok: true, manifest, version: versionOf(manifest, pack), file: place.file };
};

/** True when a mini-tool may ask for the secret: it is declared by name, or by a prefix like `mcp.*`. */
export const maySeeSecret = ({ permissions }: Pick<Manifest, 'permissions'>, name: string): boolean =>
  permissions.secrets.some((pattern) =>
    pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) && name.length > pattern.length - 1 : pattern === name,
  );
