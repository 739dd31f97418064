/**
 * What mini-tools offer each other, across their processes.
 *
 * CB1 A capability has one provider at most, and goes with the provider's process: then nobody has it, and calls reject.
 * CB2 A process is told only of those that its manifest names.
 */
import { MinitoolDown, MinitoolFailure } from './host-api.ts';
import type { MinitoolProcess } from './process/minitool-process.ts';

type Provided = {
  readonly process: MinitoolProcess;
  readonly minitoolId: string;
  readonly methods: ReadonlySet<string>;
  readonly version?: string | undefined;
};

export class Capabilities {
  readonly #provided = new Map<string, Provided>();
  readonly #changed: () => void;

  /** `changed`: somebody began or ceased to provide something. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  provide(name: string, provided: Provided): void {
    const present = this.#provided.get(name);
    if (present && present.process !== provided.process)
      throw new MinitoolFailure('already_exists', `The mini-tool "${present.minitoolId}" provides "${name}" already.`);
    this.#provided.set(name, provided);
    this.#changed();
  }

  withdraw(name: string, process: MinitoolProcess): void {
    if (this.#provided.get(name)?.process !== process) return;
    this.#provided.delete(name);
    this.#changed();
  }

  drop(process: MinitoolProcess): void {
    const gone = [...this.#provided].filter(([, provided]) => provided.process === process);
    for (const [name] of gone) this.#provided.delete(name);
    if (gone.length > 0) this.#changed();
  }

  versionOf(name: string): string | undefined {
    return this.#provided.get(name)?.version;
  }

  /** Those of `names` that somebody provides now. */
  present(names: readonly string[]): readonly string[] {
    return [...new Set(names)].filter((name) => this.#provided.has(name));
  }

  async invoke(name: string, method: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const provided = this.#provided.get(name);
    if (!provided) throw new MinitoolFailure('not_found', `Nobody provides "${name}" now.`);
    if (!provided.methods.has(method)) throw new MinitoolFailure('not_found', `"${name}" has no method "${method}".`);
    try {
      return await provided.process.request('capabilities.call', { name, method, args }, signal);
    } catch (error) {
      if (error instanceof MinitoolDown)
        throw new MinitoolFailure('not_found', `Who provided "${name}" has ended; whether the call had its effect is not known.`);
      throw error instanceof MinitoolFailure ? error : new MinitoolFailure('internal_error', error instanceof Error ? error.message : String(error));
    }
  }
}
