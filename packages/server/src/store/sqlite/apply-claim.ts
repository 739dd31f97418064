/**
 * Claims and nodes inside the writer's transaction.
 *
 * One process owns the database, so that leases matter only between names of nodes within it; what an earlier boot
 * held is lost at once (`boot`).
 */
import type { Claimed, Operation } from './operations.ts';
import { loadedOf } from './session-rows.ts';
import type { WriteStatements } from './write-statements.ts';

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

/** Stands before the name of a holder whose process lives, though it dropped what it held. */
const droppedMark = 'dropped:';

/** Where the round over the owners goes on: after the owner that was served last. */
export type Round = { lastOwner: string };

const nextInRound = (on: WriteStatements, round: Round, { node, now, except, reads, leaveHosted }: Of<'claim'>) => {
  const terms = [now, node, except, reads, leaveHosted ? 1 : 0] as const;
  return on.nextClaim.get(round.lastOwner, ...terms) ?? on.nextClaim.get('', ...terms);
};

/** A session that was claimed is held, so that the search does not find it again and the loop comes to its end. */
export const applyClaim = (on: WriteStatements, round: Round, claim: Of<'claim'>): readonly Claimed[] => {
  on.loseNodes.run(claim.leaseNow, claim.node);
  const claimed: Claimed[] = [];
  while (claimed.length < claim.limit) {
    const found = nextInRound(on, round, claim);
    if (!found) break;
    const sid = found['sid'] as number;
    round.lastOwner = found['owner'] as string;
    on.claim.run(claim.node, sid);
    const row = on.loaded.get(sid);
    if (!row) throw new Error(`session ${sid} has a head and no row`);
    const holder = found['node'] as string | null;
    claimed.push({ loaded: loadedOf(row), orphaned: holder !== null, dropped: holder?.startsWith(droppedMark) === true });
  }
  return claimed;
};

/** A node that was found dead is told so once; after that its name may be announced anew. */
export const applyHeartbeat = (on: WriteStatements, { node, leaseMs, leaseNow, reads }: Of<'heartbeat'>): boolean => {
  if (on.node.get(node)?.['lost'] === 1) {
    on.deleteNode.run(node);
    return false;
  }
  on.renewNode.run(node, leaseNow + leaseMs, reads);
  return true;
};

export const applyLeave = (on: WriteStatements, { node, alive }: Of<'leave'>): null => {
  if (alive) on.dropAll.run(droppedMark, node);
  on.deleteNode.run(node);
  return null;
};

export const applyBoot = (on: WriteStatements): null => {
  on.forgetNodes.run();
  on.orphanAll.run();
  return null;
};
