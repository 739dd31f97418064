/** Port: all that is kept in one database. Both stores open the same set; who closes it closes all of it. */
import type { BudgetStore } from './budgets.ts';
import type { Catalog } from './catalog.ts';
import type { FileIndex } from './file-index.ts';
import type { MinitoolStore } from './minitools.ts';
import type { RetentionStore } from './retention.ts';
import type { ScheduleStore } from './schedules.ts';
import type { SessionArchive } from './session-archive.ts';
import type { SessionStore } from './session-store.ts';
import type { WebhookStore } from './webhooks.ts';

export type Stores = {
  readonly sessions: SessionStore;
  readonly catalog: Catalog;
  readonly files: FileIndex;
  readonly webhooks: WebhookStore;
  readonly retention: RetentionStore;
  readonly archive: SessionArchive;
  readonly budgets: BudgetStore;
  readonly schedules: ScheduleStore;
  readonly minitools: MinitoolStore;
};
