/**
 * The contract of the stores as tests: every sentence of ports/session-store.ts and ports/catalog.ts.
 *
 * A store's own test file calls `describeStoreContract` with a way to open an empty store; faults that only one
 * kind of store can have (a full disk, a lost connection, a power cut) are tested beside that store.
 */
import { describe } from 'vitest';
import { describeAudit } from './audit.ts';
import { describeBudgets } from './budgets.ts';
import { describeCatalog } from './catalog.ts';
import { describeCheckpoints } from './checkpoints.ts';
import { describeClaims } from './claims.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeCreate } from './create.ts';
import { describeDescendants } from './descendants.ts';
import { describeDurability } from './durability.ts';
import { describeFiles } from './files.ts';
import { describeFormats } from './formats.ts';
import { describeGuards } from './guards.ts';
import { describeList } from './list.ts';
import { describeListFilters } from './list-filters.ts';
import { describeMinitools } from './minitools.ts';
import { describeNodes } from './nodes.ts';
import { describeOpenActions } from './open-actions.ts';
import type { OpenStore } from './opened-store.ts';
import { describeQuotas } from './quotas.ts';
import { describeReads } from './reads.ts';
import { describeRebuild } from './rebuild.ts';
import { describeReceipts } from './receipts.ts';
import { describeResourceMoments } from './resource-moments.ts';
import { describeResources } from './resources.ts';
import { describeRetention } from './retention.ts';
import { describeSchedules } from './schedules.ts';
import { describeSessionArchive } from './session-archive.ts';
import { describeWebhooks } from './webhooks.ts';
import { describeWrites } from './writes.ts';

/** `outlives`: what it holds is there after its process has ended (all but stores in memory). */
export const describeStoreContract = (name: string, open: OpenStore, { outlives = true }: { readonly outlives?: boolean } = {}): void => {
  describe(`store contract: ${name}`, () => {
    describeCreate(open);
    describeCheckpoints(open);
    describeWrites(open);
    describeGuards(open);
    describeReceipts(open);
    describeQuotas(open);
    describeAudit(open);
    describeConcurrency(open);
    describeReads(open);
    describeResources(open);
    describeResourceMoments(open);
    describeList(open);
    describeListFilters(open);
    describeDescendants(open);
    describeOpenActions(open);
    describeClaims(open);
    describeNodes(open);
    describeFormats(open);
    describeRebuild(open);
    if (outlives) describeDurability(open);
    describeCatalog(open);
    describeWebhooks(open);
    describeRetention(open);
    describeSessionArchive(open);
    describeFiles(open);
    describeBudgets(open);
    describeSchedules(open);
    describeMinitools(open);
  });
};
