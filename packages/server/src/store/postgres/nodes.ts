/**
 * Nodes and their leases. The database's time decides: nodes' clocks may differ.
 *
 * A node is known by its name and its boot, which is new at each opening of a store: a process that comes back under
 * its old name did not keep what it held, so that goes to whoever claims next, as orphans.
 *
 * H1 What a node held when it lost its lease is marked as nobody's in the same transaction in which its row goes or is
 *    renewed: a session is never held by a name that lives but no longer runs it.
 */
import type { Reader, Statement } from './reader.ts';

const statements = {
  renew: {
    name: 'node_renew',
    text: `update nodes set lease_until = clock_timestamp() + $3 * interval '1 ms' where id = $1 and boot = $2 and lease_until > clock_timestamp() returning id`,
  },
  announce: {
    name: 'node_announce',
    text: `insert into nodes (id, boot, lease_until) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
      on conflict (id) do update set boot = excluded.boot, lease_until = excluded.lease_until`,
  },
  forget: { name: 'node_forget', text: 'delete from nodes where id = $1 and boot = $2' },
  find: { name: 'node_find', text: 'select id from nodes where id = $1' },
  // The mark keeps the rows told apart from free ones: their runs were lost.
  orphan: { name: 'node_orphan', text: `update heads set node = '(lost) ' || node where node = $1` },
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
        await reader.transaction(async (ask) => {
          await ask(statements.forget, [node, boot]);
          // Another process that took the name keeps what it holds.
          const other = await ask(statements.find, [node]);
          if (other.length === 0) await ask(statements.orphan, [node]);
        });
        announced.delete(node);
        return false;
      }
      await reader.transaction(async (ask) => {
        await ask(statements.announce, [node, boot, leaseMs]);
        await ask(statements.orphan, [node]);
      });
      announced.add(node);
      return true;
    },
    leave: async (node) => {
      await reader.change(statements.forget, [node, boot]);
      announced.delete(node);
    },
  };
};
