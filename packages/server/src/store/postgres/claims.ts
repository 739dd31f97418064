/**
 * Which sessions a runner gets.
 *
 * Q1 Each session goes to one node: its head is locked (SKIP LOCKED, so nodes never wait for each other) and looked at
 *    again under the lock. Q2 Round-robin over owners, within a claim and from one claim of this store to the next.
 * Q3 Only a node that announced itself claims: what it took unannounced would be anybody's at once.
 *
 * Due owners are found by hopping over the index from one to the next, so a claim costs as much as it looks at, not as
 * much as is waiting.
 */
import type { Loaded, SessionStore } from '../../ports/session-store.ts';
import type { Reader, Statement } from './reader.ts';
import { loadedOf, loadText, type StoredLoaded } from './rows.ts';

/** Free, or held by a name that has no lease. */
const unheld = '(h.node is null or not exists (select from nodes n where n.id = h.node and n.lease_until > clock_timestamp()))';

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
          select h.sid, h.due from heads h where h.owner = o.owner and h.due <= $2 and ${unheld} and not h.gone order by h.due, h.sid limit $3 * 2
        ) d where o.owner is not null
      ),
      wanted as materialized (select sid, row_number() over (order by turn, owner <= $4, owner, due, sid) as place from candidates order by 2 limit $3 * 4),
      locked as materialized (
        select h.sid, h.node, w.place from wanted w join heads h using (sid)
        where h.due <= $2 and ${unheld} and exists (select from nodes n where n.id = $1 and n.boot = $5)
        order by w.place limit $3 for update of h skip locked
      )
      update heads set fence = heads.fence + 1, wn = 0, node = $1 from locked where heads.sid = locked.sid
      returning heads.sid, heads.fence, heads.owner, locked.node is not null as orphaned, locked.place`,
  },
  loadMany: { name: 'load_many', text: `${loadText} where s.sid = any($1::bigint[])` },
  nextDue: {
    name: 'next_due',
    text: `${dueOwners}
      select min(d.due) as due from owners o cross join lateral (
        select h.due from heads h where h.owner = o.owner and h.due > $1 and ${unheld} and not h.gone order by h.due limit 1
      ) d where o.owner is not null`,
  },
} as const satisfies Record<string, Statement>;

type Claimed = { sid: number; fence: number; owner: string; orphaned: boolean; place: number };

type Claims = Pick<SessionStore, 'claim' | 'nextDue'>;

export const createClaims = (reader: Reader, boot: string): Claims => {
  /** The owner that was served last: the next claim begins behind it. */
  let lastOwner = '';
  return {
    claim: async ({ node, now, limit }) => {
      if (limit <= 0) return [];
      const claimed = (await reader.change<Claimed>(statements.claim, [node, now, limit, lastOwner, boot])).toSorted((a, b) => a.place - b.place);
      if (claimed.length === 0) return [];
      lastOwner = claimed.at(-1)?.owner ?? lastOwner;
      // Read after the claim: a command may have been committed between the claim's snapshot and its locks.
      const rows = await reader.ask<StoredLoaded>(statements.loadMany, [claimed.map(({ sid }) => sid)]);
      const loadedBySid = new Map(rows.map((row): [number, Loaded] => [row.sid, loadedOf(row)]));
      return claimed.flatMap(({ sid, fence, orphaned }) => {
        const loaded = loadedBySid.get(sid);
        return loaded?.head.fence === fence && loaded.head.node === node ? [{ loaded, orphaned }] : [];
      });
    },
    nextDue: async (now) => (await reader.ask<{ due: number | null }>(statements.nextDue, [now]))[0]?.due ?? null,
  };
};
