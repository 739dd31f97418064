/**
 * What a store's test hands to the contract suite, and how the suite's topics get at it.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { BudgetStore } from '../../ports/budgets.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { FileIndex } from '../../ports/file-index.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import type { RetentionStore } from '../../ports/retention.ts';
import type { ScheduleStore } from '../../ports/schedules.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import type { WebhookStore } from '../../ports/webhooks.ts';

export type OpenedStore = {
  readonly sessions: SessionStore;
  readonly catalog: Catalog;
  readonly webhooks: WebhookStore;
  readonly retention: RetentionStore;
  readonly archive: SessionArchive;
  readonly files: FileIndex;
  readonly budgets: BudgetStore;
  readonly schedules: ScheduleStore;
  readonly minitools: MinitoolStore;
  /** Closes the store and opens it again on the same data, as after a restart. Absent where nothing outlives `close`. */
  readonly reopen?: () => Promise<OpenedStore>;
  readonly close: () => Promise<void>;
};

/** Opens an empty store (no sessions, nodes or agents of other tests in it). */
export type OpenStore = () => Promise<OpenedStore>;

/** The store of the running test. `renew` puts a reopened one in its place, so that it is the one that gets closed. */
export type StoreInUse = {
  readonly now: () => OpenedStore;
  readonly sessions: () => SessionStore;
  readonly catalog: () => Catalog;
  readonly webhooks: () => WebhookStore;
  readonly retention: () => RetentionStore;
  readonly archive: () => SessionArchive;
  readonly renew: (opened: OpenedStore) => void;
};

/** One store for all tests of a topic (`all`), or a fresh one for each test (`each`). */
export const useStore = (open: OpenStore, scope: 'all' | 'each'): StoreInUse => {
  let opened: OpenedStore | undefined;
  const begin = async (): Promise<void> => {
    opened = await open();
  };
  const end = async (): Promise<void> => {
    await opened?.close();
    opened = undefined;
  };
  if (scope === 'all') {
    beforeAll(begin);
    afterAll(end);
  } else {
    beforeEach(begin);
    afterEach(end);
  }
  const now = (): OpenedStore => {
    if (!opened) throw new Error('no store is open: use it inside a test');
    return opened;
  };
  return {
    now,
    sessions: () => now().sessions,
    catalog: () => now().catalog,
    webhooks: () => now().webhooks,
    retention: () => now().retention,
    archive: () => now().archive,
    renew: (next) => {
      opened = next;
    },
  };
};
