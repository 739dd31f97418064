/** What use cases of mini-tools work with. */
import type { Arrivals } from '../../ports/minitool-arrivals.ts';
import type { MinitoolLocale as Locale, MinitoolLogEntry as LogEntry, MinitoolHost } from '../../ports/minitool-host.ts';
import type { MinitoolShows } from '../../ports/minitool-shows.ts';
import type { MinitoolTools } from '../../ports/minitool-tools.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import type { Administration } from '../administration.ts';
import type { SecretBox } from '../secrets.ts';

/** What routes know of the host. */
export type MinitoolLocale = Locale;
export type MinitoolLogEntry = LogEntry;

export type Minitools = {
  readonly store: MinitoolStore;
  readonly host: MinitoolHost;
  readonly tools: MinitoolTools;
  readonly arrivals: Arrivals;
  readonly shows: MinitoolShows;
};

export type MinitoolServices = Administration & { readonly minitools: Minitools; readonly secretBox: SecretBox };
