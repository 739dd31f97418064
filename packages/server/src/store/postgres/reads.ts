/** Single rows, the log and the list of sessions. */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { Position, Receipt, ResourceRow, SessionStore } from '../../ports/session-store.ts';
import type { Reader, Statement } from './reader.ts';
import { loadedOf, loadText, resourceOf, type StoredLoaded, type StoredResource, type StoredSession, sessionColumns, sessionOf } from './rows.ts';
import { foldedTitle, storableText } from './storable-text.ts';

/** The sizes are known without reading the data: what lies beyond `$5` bytes is not fetched. */
const eventsText = (filter: '' | 'and turn = $6'): string =>
  `select sid, seq, turn, type, at, data from (
     select *, sum(octet_length(data)) over (order by seq) - octet_length(data) as before
       from (select * from events where sid = $1 and seq > $2 and seq <= $3 ${filter} order by seq limit $4) page
   ) e where before < $5 order by seq`;

const statements = {
  load: { name: 'load', text: `${loadText} where s.id = $1` },
  loadBySid: { name: 'load_by_sid', text: `${loadText} where s.sid = $1` },
  heads: {
    name: 'heads',
    text: `select h.sid, h.seq, s.deleted_at is not null as deleted from heads h join sessions s using (sid) where h.sid = any($1::bigint[])`,
  },
  config: { name: 'config', text: 'select body from configs where ref = $1' },
  receipt: { name: 'receipt', text: 'select scope, key, hash, answer, at from receipts where scope = $1 and key = $2' },
  payload: { name: 'payload', text: 'select body from payloads where sid = $1 and n = $2' },
  context: { name: 'context', text: 'select n, body from context where sid = $1 order by n desc limit $2' },
  events: { name: 'events', text: eventsText('') },
  turnEvents: { name: 'turn_events', text: eventsText('and turn = $6') },
  resource: { name: 'resource', text: 'select kind, id, n, last_seq, base_seq, last_at, body from resources where sid = $1 and id = $2' },
} as const satisfies Record<string, Statement>;

/** bigint's greatest safe stand-in for "no bound". */
const unbounded = Number.MAX_SAFE_INTEGER;

type ListQuery = Parameters<SessionStore['list']>[0];

const byStatus = { active: 'and s.archived_at is null', archived: 'and s.archived_at is not null', all: '' } as const;

/** One text for each combination of filters, so that each gets a plan of its own. */
const listStatement = (query: ListQuery): { statement: Statement; values: unknown[] } => {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const filters = [
    query.owners === undefined ? '' : `and s.owner = any(${place(query.owners.map(storableText))}::text[])`,
    byStatus[query.status],
    query.placement === undefined ? '' : `and s.placement = ${place(storableText(query.placement))}`,
    query.q === undefined ? '' : `and position(${place(foldedTitle(query.q))}::text in s.title_folded) > 0`,
  ];
  const where = filters.filter((filter) => filter !== '').join(' ');
  const text = `select ${sessionColumns} from sessions s where s.deleted_at is null ${where}
    order by s.created_at desc, s.sid desc limit ${place(query.limit)} offset ${place(query.offset)}`;
  const shape = [query.owners, query.placement, query.q].map((filter) => (filter === undefined ? 0 : 1)).join('');
  return { statement: { name: `list_${query.status}_${shape}`, text }, values };
};

type Reads = Pick<SessionStore, 'load' | 'loadBySid' | 'heads' | 'config' | 'receipt' | 'payload' | 'context' | 'events' | 'resource' | 'list'>;

export const createReads = (reader: Reader): Reads => ({
  load: async (id) => {
    const [row] = await reader.ask<StoredLoaded>(statements.load, [storableText(id)]);
    return row && loadedOf(row);
  },
  loadBySid: async (sid) => {
    const [row] = await reader.ask<StoredLoaded>(statements.loadBySid, [sid]);
    return row && loadedOf(row);
  },
  heads: (sids) => reader.ask<Position>(statements.heads, [sids]),
  config: async (ref) => (await reader.ask<{ body: string }>(statements.config, [storableText(ref)]))[0]?.body,
  receipt: async (scope, key) => (await reader.ask<Receipt>(statements.receipt, [storableText(scope), storableText(key)]))[0],
  payload: async (sid, n) => (await reader.ask<{ body: string }>(statements.payload, [sid, n]))[0]?.body,
  context: async (sid, last) => (await reader.ask<{ n: number; body: string }>(statements.context, [sid, last ?? unbounded])).toReversed(),
  events: ({ sid, after, upto, limit, turn, maxBytes }) => {
    const range = [sid, after, upto ?? unbounded, limit, maxBytes ?? unbounded];
    return turn === undefined ? reader.ask<LogRow>(statements.events, range) : reader.ask<LogRow>(statements.turnEvents, [...range, turn]);
  },
  resource: async (sid, id): Promise<ResourceRow | undefined> => {
    const [row] = await reader.ask<StoredResource>(statements.resource, [sid, storableText(id)]);
    return row && resourceOf(row);
  },
  list: async (query) => {
    const { statement, values } = listStatement(query);
    return (await reader.ask<StoredSession>(statement, values)).map(sessionOf);
  },
});
