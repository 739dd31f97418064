/**
 * How the bodies of messages reach a mini-tool's process: small ones with the delivery, large ones as files, which do not block the
 * channel.
 *
 * LB1 A file is made in a folder that the process may read and not write: nothing that it does leads the server's write elsewhere. It is
 *     deleted when the delivery is over, and whatever an earlier server left there before the first.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentDelivery } from '@turnkeeper/minitool/protocol';

/** Of base64. */
const largeCharacters = 128 * 1024;

export type LentBody = { readonly said: Pick<SentDelivery, 'body' | 'file'>; readonly release: () => Promise<void> };

export class LargeBodies {
  readonly #folder: string;
  #swept: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `body`: base64. */
  async lend(id: string, body: string): Promise<LentBody> {
    if (body.length <= largeCharacters) return { said: { body }, release: async () => {} };
    this.#swept ??= this.#sweep();
    await this.#swept;
    const file = join(this.#folder, id);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(file, body, { encoding: 'base64', mode: 0o600 });
    return { said: { body: '', file }, release: () => rm(file, { force: true }) };
  }

  async #sweep(): Promise<void> {
    const left = await readdir(this.#folder).catch(() => []);
    for (const name of left) await rm(join(this.#folder, name), { force: true });
  }
}
