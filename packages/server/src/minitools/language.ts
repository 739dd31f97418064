/**
 * The language of mini-tools in this installation.
 *
 * LN1 What an admin set counts, else what the server was started with. It is read with every look at what is to run, on every node; what
 *     cannot be read leaves it as it was.
 */
import { type Locale, locales } from '@turnkeeper/minitool/messages';

export type LanguageOptions = {
  /** Where nothing is set. */
  readonly otherwise: Locale;
  /** What is set; undefined where nothing is. */
  readonly read?: (() => Promise<string | undefined>) | undefined;
  readonly report: (error: unknown) => void;
};

export class Language {
  readonly #options: LanguageOptions;
  #current: Locale;

  constructor(options: LanguageOptions) {
    this.#options = options;
    this.#current = options.otherwise;
  }

  get current(): Locale {
    return this.#current;
  }

  /** Reads it anew. True where it is another one now. */
  async look(): Promise<boolean> {
    const { read, otherwise, report } = this.#options;
    if (!read) return false;
    try {
      const set = await read();
      const before = this.#current;
      // One that this release does not know is none.
      this.#current = locales.find((locale) => locale === set) ?? otherwise;
      return this.#current !== before;
    } catch (error) {
      report(error);
      return false;
    }
  }
}
