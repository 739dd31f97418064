/** What the host of the mini-tools is put together from. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { MinitoolHost } from '../ports/minitool-host.ts';
import type { MinitoolRow, MinitoolStore } from '../ports/minitools.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Locale } from './beginning.ts';
import type { HostApi } from './host-api.ts';
import type { CallPlace } from './registered-tools.ts';
import type { RuntimeFiles } from './runtime-files.ts';

export type MinitoolHostOptions = {
  readonly store: { readonly minitools: MinitoolStore; readonly sessions: Pick<SessionStore, 'list'> };
  readonly clock: Clock;
  readonly ids: Ids;
  /** Absolute. */
  readonly dataFolder: string;
  readonly node: () => string;
  /** Other nodes are on the same database: one of them hosts. */
  readonly shared: boolean;
  /** Other nodes are to look who hosts now. */
  readonly hostChanged?: () => void;
  /** What npm finds in its environment. */
  readonly programEnvironment: Readonly<Record<string, string>>;
  readonly api: Partial<HostApi>;
  /** This server's release. */
  readonly version: string;
  /** The language of mini-tools where nobody set one; en-US unless given. */
  readonly locale?: Locale;
  /** The language that is set now, in place of that. */
  readonly readLocale?: () => Promise<string | undefined>;
  readonly schemaFaults?: (schema: JsonObject) => Promise<readonly string[]>;
  readonly placeOf?: (sessionId: string) => Promise<CallPlace>;
  readonly openSession?: MinitoolHost['openSession'];
  /** As its process is to know them. */
  readonly openSettings?: (row: MinitoolRow) => JsonObject;
  readonly report: (error: unknown) => void;
  readonly telemetry?: Pick<Telemetry, 'minitoolEnded' | 'minitoolCalled' | 'minitoolToolRan'>;
  /** In place of what runs mini-tools in their processes. */
  readonly runtime?: RuntimeFiles;
};
