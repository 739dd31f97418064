/**
 * A store with a mini-tool in it, its process as a double, and time by hand: for what is delivered at least once. The store outlives the
 * parts that a test makes on it, as it outlives a server.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { manifest as manifestSchema } from '@turnkeeper/minitool/manifest/schema';
import type { AskingMinitool } from '../../minitools/host-api.ts';
import type { AuditRow } from '../../ports/catalog.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { createIds } from '../../system-ids.ts';
import { ManualClock } from '../harness/manual-clock.ts';
import { RunningDouble } from './running-double.ts';

export type DurableWorld = {
  readonly clock: ManualClock;
  readonly store: MinitoolStore;
  /** Throws where it says so, before the store is asked. */
  readonly faults: { before: (method: keyof MinitoolStore, args: readonly unknown[]) => void };
  readonly ids: ReturnType<typeof createIds>;
  readonly minitools: RunningDouble;
  readonly log: string[];
  readonly reports: unknown[];
  readonly report: (error: unknown) => void;
  readonly asking: (id: string) => AskingMinitool;
  /** `parts`: of the manifest. */
  readonly install: (id: string, parts?: object) => Promise<void>;
  /** Adds an event to a session's; gives its number. */
  readonly event: (minitoolId: string, session: number, text?: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

const auditRow = (id: string): AuditRow => ({
  id,
  at: 0,
  actor: 'system',
  actorName: 'system',
  credentialId: null,
  address: null,
  action: 'minitool.installed',
  subject: id,
  sessionId: null,
  details: {},
});

const faulty = (store: MinitoolStore, faults: DurableWorld['faults']): MinitoolStore =>
  new Proxy(store, {
    get: (target, name: keyof MinitoolStore & string) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        faults.before(name, args);
        return method.apply(target, args);
      };
    },
  });

export const sessionName = (n: number): SessionId => `ses_${String(n).padStart(4, '0')}` as SessionId;

export const openDurableWorld = async (): Promise<DurableWorld> => {
  const clock = new ManualClock();
  const opened = await openSqliteStore({ folder: ':memory:', clock });
  const faults: DurableWorld['faults'] = { before: () => {} };
  const store = faulty(opened.minitools, faults);
  const ids = createIds(clock);
  const log: string[] = [];
  const reports: unknown[] = [];
  const places = new Map<number, number>();
  const manifests = new Map<string, JsonObject>();
  return {
    clock,
    store,
    faults,
    ids,
    minitools: new RunningDouble(),
    log,
    reports,
    report: (error) => void reports.push(error),
    asking: (id) =>
      ({
        id,
        manifest: manifestSchema.parse(manifests.get(id)),
        log: (_level: string, message: string) => void log.push(message),
      }) as unknown as AskingMinitool,
    install: async (id, parts = {}) => {
      const manifest = { manifestVersion: 1, id, name: id, ...parts } as JsonObject;
      manifests.set(id, manifest);
      const at = clock.now();
      const row = {
        id,
        version: '1.0.0',
        source: 'folder:/x',
        folder: '/x',
        manifest,
        status: 'enabled',
        reason: null,
        settings: {},
        consent: {},
        users: [],
      } as const;
      await opened.minitools.install({ ...row, containerAgents: {}, installedAt: at, updatedAt: at }, auditRow(ids.next('aud')));
    },
    event: async (minitoolId, session, text = '') => {
      const after = places.get(session) ?? 0;
      places.set(session, after + 1);
      const sessionId = sessionName(session);
      const body = JSON.stringify({ type: 'assistant.message', sessionId, turnId: 'turn_1', text });
      const added = await opened.minitools.addEvents({ sid: session, sessionId, minitoolId, after }, after + 1, [
        { sessionId, type: 'assistant.message', body, at: clock.now() },
      ]);
      return added?.[0]?.sequence ?? -1;
    },
    close: () => opened.close(),
  };
};
