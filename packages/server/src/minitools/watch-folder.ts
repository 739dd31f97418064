/** Tells when something in a folder has changed and has been at rest for a moment: an author's build writes many files. */
import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import { isInside } from './install/copy-package.ts';

const restMs = 300;
const unwatched = /(?:^|[/\\])(?:node_modules|\.git)(?:[/\\]|$)/;

/** Without `leftOut`, the server's data folder: an author's server may have it there, and writes to it. The function ends it. A folder that cannot be watched is not: `failed` says so, once. */
export const watchFolder = (folder: string, clock: Clock, leftOut: string, changed: () => void, failed: (error: unknown) => void): (() => void) => {
  let stopTimer = (): void => {};
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, (_, name) => {
      if (name !== null && (unwatched.test(name) || isInside(leftOut, join(folder, name)))) return;
      stopTimer();
      stopTimer = clock.after(restMs, changed);
    });
    watcher.on('error', failed);
    return () => {
      stopTimer();
      watcher.close();
    };
  } catch (error) {
    failed(error);
    return () => {};
  }
};

type Folder = { readonly id: string; readonly folder: string };

/** The folders that are watched now, by mini-tool. */
export class WatchedFolders {
  readonly #watched = new Map<string, { readonly folder: string; readonly stop: () => void }>();
  readonly #watch: (folder: Folder) => () => void;

  constructor(watchOne: (folder: Folder) => () => void) {
    this.#watch = watchOne;
  }

  /** Watches these and no others. */
  keep(folders: readonly Folder[]): void {
    const wanted = new Map(folders.map(({ id, folder }) => [id, folder]));
    for (const [id, { folder, stop }] of this.#watched) {
      if (wanted.get(id) === folder) continue;
      stop();
      this.#watched.delete(id);
    }
    for (const { id, folder } of folders) if (!this.#watched.has(id)) this.#watched.set(id, { folder, stop: this.#watch({ id, folder }) });
  }

  get ids(): readonly string[] {
    return [...this.#watched.keys()];
  }
}
