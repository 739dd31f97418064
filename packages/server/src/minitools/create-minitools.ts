/**
 * Puts together what there is of mini-tools in a server: the host of their processes, what answers them, and what they are told.
 *
 * The tools that they register are wanted before there is anything to answer them with, so it comes in two steps: `createMinitools`
 * and, when the use cases are there, `join`.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { App } from '../app/app.ts';
import { localeSetting } from '../app/minitools/locale-setting.ts';
import { openedSettings } from '../app/minitools/sealed-settings.ts';
import type { SecretBox } from '../app/secrets.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { OpenedSession } from '../ports/minitool-host.ts';
import type { MinitoolShows } from '../ports/minitool-shows.ts';
import type { MinitoolTools } from '../ports/minitool-tools.ts';
import type { Stores } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Locale } from './beginning.ts';
import { DurableWays } from './durable-ways.ts';
import { Follower } from './follower/follower.ts';
import { requestForm } from './forms/request-form.ts';
import { ProcessHost } from './host.ts';
import type { HostApi } from './host-api.ts';
import type { WebhookIngress } from './ingress/webhook-ingress.ts';
import { createKeeping } from './keeping.ts';
import type { CallPlace } from './registered-tools.ts';
import { AttachmentRoom } from './sessions/attachment-room.ts';
import { createOwn } from './sessions/create.ts';
import { sharedSpaceOf } from './sessions/own-session.ts';
import type { SessionServices } from './sessions/services.ts';
import { createSessionCalls } from './sessions/session-calls.ts';
import { ShowRoom } from './shows/show-room.ts';

export type MinitoolsOptions = {
  /** Absolute. */
  readonly dataFolder: string;
  /** This server's release. */
  readonly version: string;
  /** The language of mini-tools where no admin set one; en-US unless given. */
  readonly locale?: Locale;
};

export type MinitoolsParts = {
  readonly store: Pick<Stores, 'minitools' | 'sessions' | 'catalog'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly box: SecretBox;
  readonly node: () => string;
  readonly shared: boolean;
  readonly hostChanged: () => void;
  readonly programEnvironment: Readonly<Record<string, string>>;
  readonly schemaFaults: (schema: JsonObject) => Promise<readonly string[]>;
  readonly telemetry: Telemetry;
  readonly report: (error: unknown) => void;
};

export type RunningServices = {
  readonly host: ProcessHost;
  readonly tools: MinitoolTools;
  /** Takes what comes in over webhooks. */
  readonly door: WebhookIngress;
  /** What mini-tools show people now. */
  readonly shows: MinitoolShows;
  readonly committed: Telemetry['committed'];
  /** Before `start`. */
  readonly join: (app: App) => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Where a session is, as far as its tools are told. */
const placeIn =
  (sessions: Stores['sessions']) =>
  async (sessionId: string): Promise<CallPlace> => {
    const loaded = await sessions.load(sessionId as Parameters<typeof sessions.load>[0]);
    const spaceId = loaded && sharedSpaceOf(loaded.row.placement ?? '');
    return spaceId === undefined ? {} : { spaceId };
  };

const wantedOptions = ({ containerId, title, text, key }: OpenedSession): JsonObject => ({
  containerId,
  ...(title === undefined ? {} : { title }),
  ...(text === undefined ? { externalKey: key } : { initialMessage: { text, idempotencyKey: key } }),
});

export const createMinitools = ({ dataFolder, version, locale }: MinitoolsOptions, parts: MinitoolsParts): RunningServices => {
  const { store, clock, ids, box, node, shared, hostChanged, programEnvironment, schemaFaults, telemetry, report } = parts;
  const ways = new DurableWays({ store: store.minitools, box, clock, ids, dataFolder, report });
  let joined: { readonly services: SessionServices; readonly calls: HostApi['sessions.call']; readonly follower: Follower } | undefined;
  const use = (): NonNullable<typeof joined> => {
    if (!joined) throw new Error('mini-tools are not joined to the service');
    return joined;
  };
  const host = new ProcessHost({
    store,
    clock,
    ids,
    dataFolder,
    node,
    shared,
    hostChanged,
    programEnvironment,
    version,
    ...(locale === undefined ? {} : { locale }),
    readLocale: () => store.catalog.setting(localeSetting),
    schemaFaults,
    telemetry,
    report,
    placeOf: placeIn(store.sessions),
    openSettings: (row) => openedSettings(box, row),
    openSession: async (id, wanted) => {
      const { sessionId, turnId } = await createOwn(use().services, await host.asking(id), [wantedOptions(wanted)]);
      return { sessionId, ...(turnId === undefined ? {} : { turnId }) };
    },
    api: {
      ...createKeeping({ store: store.minitools, box, clock }),
      ...ways.api,
      'form.request': requestForm,
      'sessions.call': (...asked) => use().calls(...asked),
    },
  });
  ways.join(host);
  const shows = new ShowRoom({ clock, ids });
  host.onUi((minitool, request) => shows.show(minitool, request));
  return {
    host,
    tools: host.tools,
    door: ways.door,
    shows,
    committed: (news) => host.saw(news),
    join: (app) => {
      const follower = new Follower({ app, report, hears: (minitoolId) => host.hears(minitoolId) });
      const services: SessionServices = { app, locale: () => host.locale, catchUp: (sid) => follower.catchUp(sid), room: new AttachmentRoom() };
      joined = { services, calls: createSessionCalls(services), follower };
      follower.onEvent((minitoolId, event) => {
        host.tell(minitoolId, 'event', event);
        if ('sequence' in event) ways.eventAdded(minitoolId);
      });
      host.onHosting((hosting) => {
        if (hosting) follower.start();
        else void follower.stop().catch(report);
      });
    },
    start: () => host.start(),
    stop: async () => {
      await Promise.all([ways.stop(), host.stop()]);
      await joined?.follower.stop();
    },
  };
};
