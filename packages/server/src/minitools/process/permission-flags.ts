/**
 * What Node is told about a mini-tool's process, by the permissions of its manifest.
 *
 * PF1 Without permissions it reads its own folder, what runs it, its inbox, its storage and its outbox, and writes the last two. It starts no
 *     programs and no workers, loads no native code, and reaches no network.
 * PF2 The data folder is never in a list of what may be read or written, whatever the manifest says: its ancestors are given entry by
 *     entry, without the one that leads there. So are `/proc`, `/sys` and `/dev` left out: by `/proc/<pid>/root` any file has another name.
 * PF3 `node:sqlite` is switched off: it opens files past the permission model, the server's database among them. `node:ffi` likewise.
 *
 * Not enforced, and said so in the guide: with `shell` a program that it starts may do whatever the server's user may; with
 * `filesystem` a symbolic link that somebody else made leads where it leads.
 */
import { readdirSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';

export type GrantedPermissions = {
  readonly filesystem: 'none' | 'read' | 'readwrite';
  readonly network: boolean;
  readonly shell: boolean;
};

export type Folders = {
  /** Its own files. */
  readonly extension: string;
  readonly storage: string;
  readonly outbox: string;
  readonly inbox: string;
  /** What must be readable for the process to run at all: files and folders. */
  readonly runtime: readonly string[];
  /** The server's data. */
  readonly data: string;
};

const heapMb = 256;
/** More than this is no list to start a process with. */
const mostEntries = 4_000;
const hidden = new Set(['/proc', '/sys', '/dev']);
const harmlessDevices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];

type List = (folder: string) => readonly string[];

/** What lies in `within` beside `excluded` and its ancestors, as it is now: what appears there later is not in it. */
const beside = (excluded: string, within: string, list: List): readonly string[] => {
  const paths: string[] = [];
  for (let inner = excluded; inner !== within; inner = dirname(inner)) {
    const outer = dirname(inner);
    for (const name of list(outer)) {
      const path = join(outer, name);
      // A comma ends a path for Node, and a star stands for any names.
      if (path !== inner && !hidden.has(path) && !/[,*]/.test(path)) paths.push(path);
    }
  }
  if (paths.length > mostEntries)
    throw new Error(`The data folder ${excluded} has ${paths.length} neighbours, which are too many to name one by one. Move it to a folder of its own.`);
  return paths;
};

/** Everything but the data folder. */
export const everythingBut = (data: string, list: List = readdirSync): readonly string[] => {
  const paths = beside(data, parse(data).root, list);
  return sep === '/' ? [...paths, ...harmlessDevices] : paths;
};

/** Its own folder; one that is linked may have the data folder in it, which an author's server makes there. */
const ownFolder = ({ extension, data }: Folders): readonly string[] => {
  if (data === extension) throw new Error('The mini-tool lies in the server’s data folder itself.');
  return data.startsWith(extension + sep) ? beside(data, extension, readdirSync) : [extension];
};

export const permissionFlags = (permissions: GrantedPermissions, folders: Folders): readonly string[] => {
  const everything = permissions.filesystem === 'none' ? [] : everythingBut(folders.data);
  const reads = [...ownFolder(folders), folders.storage, folders.outbox, folders.inbox, ...folders.runtime, ...everything];
  const writes = [folders.storage, folders.outbox, ...(permissions.filesystem === 'readwrite' ? everything : [])];
  return [
    '--permission',
    '--no-addons',
    '--no-experimental-sqlite',
    '--no-experimental-ffi',
    ...reads.map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
    ...(permissions.network ? ['--allow-net'] : []),
    ...(permissions.shell ? ['--allow-child-process'] : []),
    `--max-old-space-size=${heapMb}`,
  ];
};
