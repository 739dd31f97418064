/**
 * Nodes and their leases. The database's time decides: nodes' clocks may differ.
 *
 * A node is known by its name and its boot, which is new at each opening of a store: a process that comes back under
 * its old name did not keep what it held, so that goes to whoever claims next, as orphans.
 *
 * H1 What a node held when it lost its lease is marked as nobody's by the statement that takes its row away or renews
 *    it: a session is never held by a name that lives but no longer runs it.
 */
import type { Reader, Statement } from './reader.ts';

/** The mark tells these rows from free ones: their runs were lost. */
const orphan = `update heads set node = '(lost) ' || node`;

const statements = {
  renew: {
    name: 'node_renew',
    text: `update nodes set lease_until = clock_timestamp() + $3 * interval '1 ms' where id = $1 and boot = $2 and lease_until > clock_timestamp() returning id`,
  },
  announce: {
    name: 'node_announce',
    text: `with orphaned as (${orphan} where node = $1)
      insert into nodes (id, boot, lease_until) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
      on conflict (id) do update set boot = excluded.boot, lease_until = excluded.lease_until`,
  },
  // Another process that took the name keeps what it holds.
  lose: {
    name: 'node_lose',
    text: `with gone as (delete from nodes where id = $1 and boot = $2)
      ${orphan} where node = $1 and not exists (select from nodes where id = $1 and boot <> $2)`,
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
        await reader.change(statements.lose, [node, boot]);
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
