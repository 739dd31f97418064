/**
 * Pages of resources with the deltas that their bodies do not hold yet.
 *
 * W9 All of one moment: one read-only transaction. The deltas are read only when an item or tool on the page is open,
 * and only from the oldest `baseSeq` of those on, so that a long session costs no more than a short one.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { ResourcePage, ResourceQuery, ResourceRow } from '../../ports/session-store.ts';
import { openResources, ownDeltas } from '../shared/open-deltas.ts';
import type { Ask, Reader, Statement } from './reader.ts';
import { loadedOf, loadText, resourceOf, type StoredLoaded, type StoredResource } from './rows.ts';
import { storableText } from './storable-text.ts';

const columns = 'kind, id, n, last_seq, base_seq, last_at, body';
const ofKind = `from resources where sid = $1 and kind = q.kind and n > q.after and n < q.before and (q.prefix is null or starts_with(id, q.prefix))`;

const statements = {
  load: { name: 'page_load', text: `${loadText} where s.sid = $1` },
  // Two branches, so that each walks the primary key in its own direction and stops at the limit.
  resources: {
    name: 'page_resources',
    text: `select q.k, r.* from unnest($2::text[], $3::int[], $4::boolean[], $5::bigint[], $6::bigint[], $7::text[], $8::int[])
      with ordinality as q(kind, count, newest, after, before, prefix, skip, k)
      cross join lateral (
        (select ${columns} ${ofKind} and not q.newest order by n limit q.count offset q.skip)
        union all
        (select ${columns} ${ofKind} and q.newest order by n desc limit q.count offset q.skip)
      ) r order by q.k, r.n`,
  },
  deltas: {
    name: 'page_deltas',
    text: `select sid, seq, turn, type, at, data from events where sid = $1 and seq > $2 and seq <= $3 and type in ('item.delta', 'tool.delta') order by seq`,
  },
} as const satisfies Record<string, Statement>;

const askResources = async (ask: Ask, sid: number, queries: readonly ResourceQuery[]): Promise<ResourceRow[][]> => {
  const lists = queries.map((): ResourceRow[] => []);
  if (queries.length === 0) return lists;
  const rows = await ask<StoredResource & { k: number }>(statements.resources, [
    sid,
    queries.map((query) => query.kind),
    queries.map((query) => query.limit),
    queries.map((query) => query.newest === true),
    queries.map((query) => query.afterN ?? -1),
    queries.map((query) => query.beforeN ?? Number.MAX_SAFE_INTEGER),
    queries.map((query) => (query.idPrefix === undefined ? null : storableText(query.idPrefix))),
    queries.map((query) => query.offset ?? 0),
  ]);
  for (const row of rows) lists[row.k - 1]?.push(resourceOf(row));
  return lists;
};

const askDeltas = async (ask: Ask, sid: number, upto: number, rows: readonly ResourceRow[]): Promise<readonly LogRow[]> => {
  const open = openResources(rows.filter((row) => row.baseSeq < upto));
  if (open.length === 0) return [];
  return ownDeltas(open, await ask<LogRow>(statements.deltas, [sid, Math.min(...open.map((row) => row.baseSeq)), upto]));
};

export const readResourcePage = (reader: Reader, sid: number, queries: readonly ResourceQuery[]): Promise<ResourcePage | undefined> =>
  reader.moment(async (ask) => {
    const [found] = await ask<StoredLoaded>(statements.load, [sid]);
    if (!found) return undefined;
    const { row, head, state } = loadedOf(found);
    const resources = await askResources(ask, sid, queries);
    return { asOf: head.seq, head, state, row, resources, deltas: await askDeltas(ask, sid, head.seq, resources.flat()) };
  });
