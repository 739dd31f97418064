/**
 * Work that is done for mini-tools while their processes run: it begins when both the process has asked for it and `activate` has
 * answered, and ends with the process.
 *
 * WG1 Of one name there is one work for each mini-tool at a time; asked for again, it goes on. After a restart the process asks anew,
 *     and what it asks for begins when nothing of the work before goes on any more.
 * WG2 What has ended begins nothing more; `stop` resolves when nothing of it goes on.
 */
import type { RunningMinitools } from '../host-api.ts';

export interface Work {
  start(): void;
  /** Resolves when nothing of it goes on. What waits for the process ends with the process. */
  stop(): Promise<void>;
}

type Begun<Kind extends Work> = { readonly key: string; readonly work: Kind; state: 'new' | 'begun' | 'ended' };

const keyOf = (minitoolId: string, name: string): string => `${minitoolId}/${name}`;

export class WhileRunning<Kind extends Work> {
  readonly #minitools: RunningMinitools;
  readonly #works = new Map<string, Map<string, Begun<Kind>>>();
  /** By mini-tool and name. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #unlisten: readonly (() => void)[];
  #stopped = false;

  constructor(minitools: RunningMinitools) {
    this.#minitools = minitools;
    this.#unlisten = [minitools.onActivated((id) => this.#activated(id)), minitools.onEnded((id) => this.#ended(id))];
  }

  begin(minitoolId: string, name: string, make: () => Kind): void {
    if (this.#stopped) return;
    const own = this.#works.get(minitoolId) ?? new Map<string, Begun<Kind>>();
    this.#works.set(minitoolId, own);
    if (own.has(name)) return;
    const begun: Begun<Kind> = { key: keyOf(minitoolId, name), work: make(), state: 'new' };
    own.set(name, begun);
    if (this.#minitools.running().includes(minitoolId)) this.#start(begun);
  }

  end(minitoolId: string, name: string): void {
    const own = this.#works.get(minitoolId);
    const begun = own?.get(name);
    own?.delete(name);
    if (own?.size === 0) this.#works.delete(minitoolId);
    if (begun) this.#end(begun);
  }

  get(minitoolId: string, name: string): Kind | undefined {
    return this.#works.get(minitoolId)?.get(name)?.work;
  }

  of(minitoolId: string): readonly Kind[] {
    return [...(this.#works.get(minitoolId)?.values() ?? [])].map(({ work }) => work);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const unlisten of this.#unlisten) unlisten();
    for (const id of [...this.#works.keys()]) this.#ended(id);
    while (this.#ending.size > 0) await Promise.all(this.#ending.values());
  }

  #activated(minitoolId: string): void {
    for (const begun of this.#works.get(minitoolId)?.values() ?? []) this.#start(begun);
  }

  #start(begun: Begun<Kind>): void {
    if (begun.state !== 'new') return;
    begun.state = 'begun';
    const before = this.#ending.get(begun.key);
    if (!before) begun.work.start();
    else
      void before.then(() => {
        if (begun.state === 'begun') begun.work.start();
      });
  }

  #ended(minitoolId: string): void {
    const own = this.#works.get(minitoolId);
    this.#works.delete(minitoolId);
    for (const begun of own?.values() ?? []) this.#end(begun);
  }

  #end(begun: Begun<Kind>): void {
    const { key, work } = begun;
    begun.state = 'ended';
    const ending = Promise.all([this.#ending.get(key), work.stop()]).then(() => {
      if (this.#ending.get(key) === ending) this.#ending.delete(key);
    });
    this.#ending.set(key, ending);
  }
}
