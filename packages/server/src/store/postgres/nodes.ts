/**
 * Nodes and their leases. The database's time decides: nodes' clocks may differ.
 *
 * A node is known by its name and its boot, which is new at each opening of a store: a process that comes back under
 * its old name did not keep what it held, so that goes to whoever claims next, as orphans.
 *
 * H1 What a name held before it is announced (again) is marked as nobody's by the same statement: a session is never
 *    held by a name that lives but no longer runs it. Until then its lease is over, and anybody may claim it.
 * HB1 A heartbeat is answered within a third of the lease, or fails: one that hangs must not outlast what it renews.
 */
import { firstFormat } from '@turnkeeper/core/session/state';
import type { Reader, Statement } from './reader.ts';

/** Stands before the name of a holder whose process lives, though it dropped what it held. */
export const droppedMark = '(dropped) ';

const statements = {
  renew: {
    name: 'node_renew',
    text: `update nodes set lease_until = clock_timestamp() + $3 * interval '1 ms' where id = $1 and boot = $2 and lease_until > clock_timestamp() returning id`,
  },
  // The mark tells what was held from what is free: its run was lost. Names that have been dead for long are forgotten.
  announce: {
    name: 'node_announce',
    text: `with orphaned as (update heads set node = '(lost) ' || node where node = $1),
      forgotten as (delete from nodes where id <> $1 and lease_until < clock_timestamp() - interval '1 day')
      insert into nodes (id, boot, lease_until, reads) values ($1, $2, clock_timestamp() + $3 * interval '1 ms', $4)
      on conflict (id) do update set boot = excluded.boot, lease_until = excluded.lease_until, reads = excluded.reads`,
  },
  leave: { name: 'node_leave', text: 'delete from nodes where id = $1 and boot = $2' },
  leaveAlive: {
    name: 'node_leave_alive',
    text: `with dropped as (update heads set node = '${droppedMark}' || node where node = $1) delete from nodes where id = $1 and boot = $2`,
  },
  lowestReads: { name: 'lowest_reads', text: 'select min(reads) as reads from nodes where lease_until > clock_timestamp()' },
} as const satisfies Record<string, Statement>;

export type Nodes = {
  heartbeat(node: string, leaseMs: number, reads?: number): Promise<boolean>;
  leave(node: string, alive?: boolean): Promise<void>;
  lowestReads(): Promise<number>;
};

/** Below this a busy machine would miss it. */
const leastPatienceMs = 1_000;

/** `renewed` is called after each heartbeat that the database took. */
export const createNodes = (reader: Reader, boot: string, renewed: () => void): Nodes => {
  const patient = (statement: Statement, leaseMs: number): Statement => ({ ...statement, answerMs: Math.max(leastPatienceMs, Math.floor(leaseMs / 3)) });
  /** Announced and, as far as is known, alive. */
  const announced = new Set<string>();
  return {
    heartbeat: async (node, leaseMs, reads = firstFormat) => {
      if (announced.has(node)) {
        const rows = await reader.change(patient(statements.renew, leaseMs), [node, boot, leaseMs]);
        renewed();
        if (rows.length > 0) return true;
        announced.delete(node);
        return false;
      }
      await reader.change(patient(statements.announce, leaseMs), [node, boot, leaseMs, reads]);
      renewed();
      announced.add(node);
      return true;
    },
    leave: async (node, alive = false) => {
      await reader.change(alive ? statements.leaveAlive : statements.leave, [node, boot]);
      announced.delete(node);
    },
    lowestReads: async () => (await reader.ask<{ reads: number | null }>(statements.lowestReads, []))[0]?.reads ?? firstFormat,
  };
};
