/**
 * What the enabled mini-tools contribute, told to those that run whenever it is something else.
 *
 * CO1 Who begins is told what holds then; who runs is told with the next look at what is to run. It may be told the same twice, and the
 *     newest comes last.
 */
import type { Beginning } from '@turnkeeper/minitool/protocol';
import { contributionsOf, type Installed, type Locale } from './beginning.ts';

type Contributions = Beginning['contributions'];

/** By what it is seen that they are others: also by the language, in which names are. */
const signOf = (enabled: readonly Installed[], locale: Locale): string =>
  JSON.stringify([locale, enabled.map(({ row: { id, folder, version, manifest } }) => [id, folder, version, manifest])]);

export class Contributed {
  readonly #tell: (contributions: Contributions) => void;
  #told: string | undefined;

  constructor(tell: (contributions: Contributions) => void) {
    this.#tell = tell;
  }

  async look(enabled: readonly Installed[], locale: Locale): Promise<void> {
    const sign = signOf(enabled, locale);
    if (sign === this.#told) return;
    const contributions = await contributionsOf(enabled, locale);
    this.#told = sign;
    this.#tell(contributions);
  }
}
