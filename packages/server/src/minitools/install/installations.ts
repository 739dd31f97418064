/**
 * The files of installations on this machine, while several people install and mini-tools start in between.
 *
 * IF1 What was placed stays until it is known what became of it: it is let go of in the same turn in which the row is read that says
 *     what is in use, and nothing else is removed meanwhile.
 * IF2 What an installation that did not come to its end has left behind goes at a start, a day later.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MinitoolSource, PlacedMinitool } from '../../ports/minitool-host.ts';
import type { MinitoolRow } from '../../ports/minitools.ts';
import { foldersOf, installationOf } from '../folders.ts';
import { isStaging, placeMinitool, prune, removeFiles } from './install.ts';
import type { NpmOptions } from './npm.ts';

const abandonedMs = 24 * 3_600_000;

/** The folders in use, or that nothing is to be removed, or everything. */
export type Kept = readonly string[] | 'everything' | 'nothing';

export class Installations {
  readonly #dataFolder: string;
  readonly #rowOf: (id: string) => Promise<MinitoolRow | undefined>;
  /** Folders that have come to their place, or are about to, and that no row may name yet. */
  readonly #unsettled = new Set<string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(dataFolder: string, rowOf: (id: string) => Promise<MinitoolRow | undefined>) {
    this.#dataFolder = dataFolder;
    this.#rowOf = rowOf;
  }

  /** `tidy` is to be told what became of it. */
  async place(source: MinitoolSource, npm: NpmOptions): Promise<PlacedMinitool> {
    const taken: string[] = [];
    const take = (folder: string): boolean => {
      if (this.#unsettled.has(folder)) return false;
      this.#unsettled.add(folder);
      taken.push(folder);
      return true;
    };
    try {
      return await placeMinitool(this.#dataFolder, source, npm, take);
    } catch (error) {
      for (const folder of taken) this.#unsettled.delete(folder);
      throw error;
    }
  }

  /** `settled`: a folder that was placed, of which a row says by now whether it is in use. */
  tidy(id: string, settled: string | undefined, keep: (row: MinitoolRow | undefined) => Kept): Promise<void> {
    const done = this.#turn.then(async () => {
      if (settled !== undefined) this.#unsettled.delete(installationOf(this.#dataFolder, id, settled));
      const kept = keep(await this.#rowOf(id));
      if (kept === 'everything') return;
      if (kept !== 'nothing') return prune(this.#dataFolder, id, kept, this.#unsettled);
      const { root } = foldersOf(this.#dataFolder, id);
      const again = [...this.#unsettled].some((folder) => dirname(folder) === root);
      if (!again) return removeFiles(this.#dataFolder, id);
      // Somebody installs it anew at this moment: nothing else of what was kept is left to that one.
      for (const path of (await readdir(root)).map((name) => join(root, name)))
        if (!this.#unsettled.has(path)) await rm(path, { recursive: true, force: true });
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  async sweep(now: number): Promise<void> {
    const parent = join(this.#dataFolder, 'minitools');
    for (const name of (await readdir(parent).catch(() => [])).filter(isStaging)) {
      const stats = await stat(join(parent, name)).catch(() => undefined);
      if (stats && stats.mtimeMs < now - abandonedMs) await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}
