/**
 * Nodes and their leases. The database's time decides: nodes' clocks may differ.
 *
 * A node is known by its name and its boot, which is new at each opening of a store: a process that comes back under
 * its old name did not keep what it held, so that goes to whoever claims next, as orphans.
 *
 * H1 What a name held before it is announced (again) is marked as nobody's by the same statement: a session is never
 *    held by a name that lives but no longer runs it. Until then its lease is over, and anybody may claim it.
 */
import type { Reader, Statement } from './reader.ts';

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
      insert into nodes (id, boot, lease_until) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
      on conflict (id) do update set boot = excluded.boot, lease_until = excluded.lease_until`,
  },
  leave: { name: 'node_leave', text: 'delete from nodes where id = $1 and boot = $2' },
} as const satisfies Record<string, Statement>;

export type Nodes = {
  heartbeat(node: string, leaseMs: number): Promise<boolean>;
  leave(node: string): Promise<void>;
};

export const createNodes = (reader: Reader, boot: string): Nodes => {
  /** Announced and, as far as is known, alive. */
  const announced = new Set<string>();
  return {
    heartbeat: async (node, leaseMs) => {
      if (announced.has(node)) {
        if ((await reader.change(statements.renew, [node, boot, leaseMs])).length > 0) return true;
        announced.delete(node);
        return false;
      }
      await reader.change(statements.announce, [node, boot, leaseMs]);
      announced.add(node);
      return true;
    },
    leave: async (node) => {
      await reader.change(statements.leave, [node, boot]);
      announced.delete(node);
    },
  };
};
