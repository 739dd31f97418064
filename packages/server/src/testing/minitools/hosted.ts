/** A host of mini-tools on an embedded store, with mini-tools that a test writes itself; they run in real processes. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { consentFor } from '../../minitools/consent.ts';
import { ProcessHost } from '../../minitools/host.ts';
import type { MinitoolHostOptions } from '../../minitools/host-options.ts';
import { manifestOf } from '../../minitools/kept-manifest.ts';
import type { AuditRow } from '../../ports/catalog.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { MinitoolRow } from '../../ports/minitools.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { createIds } from '../../system-ids.ts';
import { createRunningTools, type RunningTools } from './running-tools.ts';

export type HostedForTest = {
  readonly host: ProcessHost;
  readonly store: Awaited<ReturnType<typeof openSqliteStore>>;
  readonly dataFolder: string;
  readonly reports: readonly unknown[];
  readonly ids: ReturnType<typeof createIds>;
  readonly tools: RunningTools;
  /** Writes a package and gives its folder. `index.mjs` is its entry. */
  readonly write: (id: string, code: string, more?: { readonly manifest?: JsonObject; readonly files?: Readonly<Record<string, string>> }) => string;
  /** Writes, installs and enables it; resolves when it runs or has failed to. */
  readonly run: (id: string, code: string, manifest?: JsonObject) => Promise<MinitoolRow>;
  readonly enable: (id: string) => Promise<void>;
  readonly disable: (id: string) => Promise<void>;
  /** The messages of its log. */
  readonly log: (id: string) => Promise<readonly string[]>;
  /** Until its log has a message with this in it. */
  readonly logged: (id: string, text: string | RegExp) => Promise<string>;
  readonly close: () => Promise<void>;
};

export const entry = (action: string, id: string): AuditRow => ({
  id: `aud_${action}_${id}_${Math.random()}`,
  at: 0,
  actor: 'system',
  actorName: 'system',
  credentialId: null,
  address: null,
  action,
  subject: `minitool:${id}`,
  sessionId: null,
  details: {},
});

const untilLogged = (host: ProcessHost, id: string, text: string | RegExp): Promise<string> =>
  new Promise((resolve) => {
    const fits = (message: string): boolean => (typeof text === 'string' ? message.includes(text) : text.test(message));
    const end = host.follow(id, ({ message }) => {
      if (!fits(message)) return;
      end();
      resolve(message);
    });
    void host.tail(id, 1_000).then((entries) => {
      const found = entries.find(({ message }) => fits(message));
      if (!found) return;
      end();
      resolve(found.message);
    });
  });

export const openHost = async (options: Partial<MinitoolHostOptions> & { readonly clock?: Clock } = {}): Promise<HostedForTest> => {
  const clock = options.clock ?? systemClock;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'minitools-')));
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder);
  const store = await openSqliteStore({ folder: ':memory:', clock });
  const reports: unknown[] = [];
  const ids = createIds(clock);
  const host = new ProcessHost({
    store,
    clock,
    ids,
    dataFolder,
    node: () => 'node_test',
    shared: false,
    programEnvironment: { PATH: process.env['PATH'] ?? '', HOME: folder },
    api: {},
    version: '0.1.0',
    report: (error) => reports.push(error),
    ...options,
  });
  await host.start();
  const write: HostedForTest['write'] = (id, code, { manifest = {}, files = {} } = {}) => {
    const at = join(folder, 'packages', id);
    const all = { ...files, 'index.mjs': code, 'finch.json': JSON.stringify({ manifestVersion: 1, id, name: id, main: 'index.mjs', ...manifest }) };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(at, name)), { recursive: true });
      writeFileSync(join(at, name), text);
    }
    return at;
  };
  const set = async (id: string, changes: Parameters<typeof store.minitools.change>[1]): Promise<void> => {
    await store.minitools.change(id, changes, clock.now(), entry('minitool.changed', id));
    await host.look(id, true);
  };
  const enable = async (id: string): Promise<void> => {
    const row = await store.minitools.minitool(id);
    if (row) await set(id, { status: 'enabled', reason: null, consent: consentFor(manifestOf(row)) });
  };
  return {
    host,
    store,
    dataFolder,
    reports,
    ids,
    tools: createRunningTools(host),
    write,
    enable,
    run: async (id, code, manifest = {}) => {
      const placed = await host.place({ kind: 'folder', path: write(id, code, { manifest }), linked: false });
      const fresh = { status: 'disabled', reason: null, settings: {}, consent: null, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0 } as const;
      const row: MinitoolRow = { ...placed, ...fresh };
      await store.minitools.install(row, entry('minitool.installed', id));
      await enable(id);
      await host.tidy(id, placed.folder);
      return row;
    },
    disable: (id) => set(id, { status: 'disabled' }),
    log: async (id) => (await host.tail(id, 1_000)).map(({ message }) => message),
    logged: (id, text) => untilLogged(host, id, text),
    close: async () => {
      await host.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
