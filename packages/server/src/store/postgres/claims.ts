/**
 * Which sessions a runner gets.
 *
 * Q1 Each session goes to one node: its head is locked (SKIP LOCKED, so nodes never wait for each other) and looked at
 *    again under the lock. Q2 Round-robin over owners, within a claim and from one claim of this store to the next.
 * Q3 Only a node that announced itself claims: what it took unannounced would be anybody's at once.
 * Q4 Sessions of a format that the node does not read, or that it is told to leave to another, are passed over as if they were held:
 *    the ones behind them are found.
 *
 * Due owners are found by hopping over the index from one to the next, so a claim costs as much as it looks at, not as
 * much as is waiting.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { firstFormat } from '@turnkeeper/core/session/state';
import type { Loaded, SessionStore, Workload } from '../../ports/session-store.ts';
import { unavailable } from './errors.ts';
import { droppedMark } from './nodes.ts';
import type { Reader, Statement } from './reader.ts';
import { loadedOf, loadText, type StoredLoaded } from './rows.ts';
import { storableText } from './storable-text.ts';

/** Free, or held by a name that has no lease. */
const unheld = '(h.node is null or not exists (select from nodes n where n.id = h.node and n.lease_until > clock_timestamp()))';

/** Not passed over: what is due at once, of an owner in `$6`, unless a node that died held it or it is a child session. */
const wanted = `(h.due > 0 or h.node is not null or h.owner <> all($6::text[])
  or exists (select from sessions s where s.sid = h.sid and s.path <> ''))`;

/** Not left to the node that hosts mini-tools, where `$8` says so. */
const mine = '(not $8 or not h.hosted)';

/** Every owner of a session that is due some time, one index probe each. */
const dueOwners = `with recursive owners as (
    (select owner from heads where due is not null order by owner limit 1)
    union all
    select (select h.owner from heads h where h.due is not null and h.owner > o.owner order by h.owner limit 1) from owners o where o.owner is not null
  )`;

const statements = {
  // More candidates than wanted: those that another node locks meanwhile are passed over.
  claim: {
    name: 'claim',
    text: `${dueOwners},
      candidates as materialized (
        select d.sid, d.due, o.owner, row_number() over (partition by o.owner order by d.due, d.sid) as turn
        from owners o cross join lateral (
          select h.sid, h.due from heads h where h.owner = o.owner and h.due <= $2 and ${unheld} and ${wanted} and ${mine} and h.v <= $7 and not h.gone order by h.due, h.sid limit $3 * 2
        ) d where o.owner is not null
      ),
      wanted as materialized (select sid, row_number() over (order by turn, owner <= $4, owner, due, sid) as place from candidates order by 2 limit $3 * 4),
      locked as materialized (
        select h.sid, h.node, w.place from wanted w join heads h using (sid)
        where h.due <= $2 and ${unheld} and ${wanted} and ${mine} and h.v <= $7 and exists (select from nodes n where n.id = $1 and n.boot = $5)
        order by w.place limit $3 for update of h skip locked
      )
      update heads set fence = heads.fence + 1, wn = 0, node = $1 from locked where heads.sid = locked.sid
      returning heads.sid, heads.fence, heads.owner, locked.node is not null as orphaned,
        coalesce(starts_with(locked.node, '${droppedMark}'), false) as dropped, locked.place`,
  },
  loadMany: { name: 'load_many', text: `${loadText} where s.sid = any($1::bigint[])` },
  workload: {
    name: 'workload',
    text: `select (select count(*) from heads where due is not null and due <= $1 and node is null and not gone) as queued,
       (select count(*) from heads where node is not null and not gone) as running, (select count(*) from open_actions) as waiting`,
  },
  nextDue: {
    name: 'next_due',
    text: `${dueOwners}
      select min(d.due) as due from owners o cross join lateral (
        select h.due from heads h where h.owner = o.owner and h.due > $1 and ${unheld} and h.v <= $2 and not h.gone order by h.due limit 1
      ) d where o.owner is not null`,
  },
} as const satisfies Record<string, Statement>;

type Claimed = { sid: number; fence: number; owner: string; orphaned: boolean; dropped: boolean; place: number };

type Claims = Pick<SessionStore, 'claim' | 'nextDue' | 'workload'>;

export const createClaims = (reader: Reader, boot: string): Claims => {
  /** The owner that was served last: the next claim begins behind it. */
  let lastOwner = '';
  return {
    claim: async ({ node, now, limit, except = [], reads = firstFormat, leaveHosted = false }) => {
      if (limit <= 0) return [];
      const values = [node, now, limit, lastOwner, boot, except.map(storableText), reads, leaveHosted];
      const claimed = (await reader.change<Claimed>(statements.claim, values)).toSorted((a, b) => a.place - b.place);
      if (claimed.length === 0) return [];
      lastOwner = claimed.at(-1)?.owner ?? lastOwner;
      // Read after the claim: a command may have been committed between the claim's snapshot and its locks.
      const rows = await reader.ask<StoredLoaded>(statements.loadMany, [claimed.map(({ sid }) => sid)]).catch((error: unknown) => {
        // Whoever claimed must know that it may hold what it never saw.
        throw error instanceof TurnkeeperError && error.code === 'storage_unavailable' ? unavailable(error, 'unknown') : error;
      });
      const loadedBySid = new Map(rows.map((row): [number, Loaded] => [row.sid, loadedOf(row)]));
      return claimed.flatMap(({ sid, fence, orphaned, dropped }) => {
        const loaded = loadedBySid.get(sid);
        return loaded?.head.fence === fence && loaded.head.node === node ? [{ loaded, orphaned, dropped }] : [];
      });
    },
    workload: async (now) => (await reader.ask<Workload>(statements.workload, [now]))[0] ?? { queued: 0, running: 0, waiting: 0 },
    nextDue: async (now, reads = firstFormat) => (await reader.ask<{ due: number | null }>(statements.nextDue, [now, reads]))[0]?.due ?? null,
  };
};
