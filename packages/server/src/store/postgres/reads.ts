/** Single rows and the log. */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { Position, Quota, Receipt, ResourceRow, SessionStore } from '../../ports/session-store.ts';
import { checkpointOf, idRange, type StoredCheckpoint } from '../shared/checkpoint-pointer.ts';
import { listStatement, readItems, readNewest } from './lists.ts';
import { readOpenActions } from './open-actions.ts';
import type { Reader, Statement } from './reader.ts';
import { loadedOf, loadText, resourceOf, type StoredLoaded, type StoredResource, type StoredSession, sessionColumns, sessionOf } from './rows.ts';
import { storableText } from './storable-text.ts';

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
  configs: { name: 'configs', text: 'select ref, body from configs where ref = any($1::text[])' },
  receipt: { name: 'receipt', text: 'select scope, key, hash, answer, at from receipts where scope = $1 and key = $2' },
  payload: { name: 'payload', text: 'select body from payloads where sid = $1 and n = $2' },
  context: { name: 'context', text: 'select n, body from context where sid = $1 and n > $2 order by n desc limit $3' },
  checkpoints: {
    name: 'checkpoints',
    text: `select id, upto, turn, reason, at from checkpoints
      where sid = $1 and ($2::bigint is null or turn = $2) and ($3::bigint is null or (upto, id) < ($3, $4::text collate "C"))
      order by upto desc, id desc limit $5`,
  },
  checkpoint: {
    name: 'checkpoint',
    text: `select id, upto, turn, reason, at from checkpoints where sid = $1 and (id = $2 or (id >= $3 and id < $4)) order by upto desc limit 1`,
  },
  events: { name: 'events', text: eventsText('') },
  turnEvents: { name: 'turn_events', text: eventsText('and turn = $6') },
  quotas: {
    name: 'quotas',
    text: `select coalesce(count, 0) as unfinished, coalesce(running, 0) as running, coalesce(tokens, 0) as tokens
      from unnest($1::text[]) with ordinality as x(owner, k) left join quotas on quotas.owner = x.owner order by x.k`,
  },
  // Below a path stand those that begin with it and a `/`: up to the character after that.
  descendants: {
    name: 'descendants',
    text: `select ${sessionColumns} from sessions s where s.root = $1 and s.path <> '' and s.deleted_at is null and s.path > $2
      and ($3::text is null or s.path < $3) and s.sid > $4 order by s.sid limit $5`,
  },
  resource: { name: 'resource', text: 'select kind, id, n, last_seq, base_seq, last_at, body from resources where sid = $1 and id = $2' },
  resourcesOf: {
    name: 'resources_of',
    text: 'select kind, id, n, last_seq, base_seq, last_at, body from resources where sid = $1 and id = any($2::text[])',
  },
} as const satisfies Record<string, Statement>;

/** bigint's greatest safe stand-in for "no bound". */
const unbounded = Number.MAX_SAFE_INTEGER;

const quotasOf = (reader: Reader, owners: readonly string[]): Promise<readonly Quota[]> => reader.ask<Quota>(statements.quotas, [owners.map(storableText)]);

type Reads = Pick<
  SessionStore,
  | 'load'
  | 'loadBySid'
  | 'heads'
  | 'config'
  | 'configs'
  | 'receipt'
  | 'payload'
  | 'context'
  | 'checkpoints'
  | 'checkpoint'
  | 'events'
  | 'resource'
  | 'resourcesOf'
  | 'list'
  | 'items'
  | 'newest'
  | 'descendants'
  | 'openActions'
  | 'quota'
  | 'quotas'
>;

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
  configs: async (refs) => {
    const rows = await reader.ask<{ ref: string; body: string }>(statements.configs, [refs.map(storableText)]);
    return new Map(rows.map(({ ref, body }) => [ref, body]));
  },
  receipt: async (scope, key) => (await reader.ask<Receipt>(statements.receipt, [storableText(scope), storableText(key)]))[0],
  payload: async (sid, n) => (await reader.ask<{ body: string }>(statements.payload, [sid, n]))[0]?.body,
  context: async (sid, last, after = 0) => (await reader.ask<{ n: number; body: string }>(statements.context, [sid, after, last ?? unbounded])).toReversed(),
  checkpoints: async ({ sid, limit, turn, before }) => {
    const values = [sid, turn ?? null, before?.at ?? null, before ? storableText(before.id) : null, limit];
    return (await reader.ask<StoredCheckpoint>(statements.checkpoints, values)).map(checkpointOf);
  },
  checkpoint: async (sid, id) => {
    const { from, end } = idRange(storableText(id));
    const [row] = await reader.ask<StoredCheckpoint>(statements.checkpoint, [sid, storableText(id), from, end]);
    return row && checkpointOf(row);
  },
  events: ({ sid, after, upto, limit, turn, maxBytes }) => {
    const range = [sid, after, upto ?? unbounded, limit, maxBytes ?? unbounded];
    return turn === undefined ? reader.ask<LogRow>(statements.events, range) : reader.ask<LogRow>(statements.turnEvents, [...range, turn]);
  },
  resource: async (sid, id): Promise<ResourceRow | undefined> => {
    const [row] = await reader.ask<StoredResource>(statements.resource, [sid, storableText(id)]);
    return row && resourceOf(row);
  },
  resourcesOf: async (sid, ids) => (await reader.ask<StoredResource>(statements.resourcesOf, [sid, ids.map(storableText)])).map(resourceOf),
  descendants: async ({ root, under, after, limit }) => {
    const values = [storableText(root), under === '' ? '' : `${storableText(under)}/`, under === '' ? null : `${storableText(under)}0`, after ?? 0, limit];
    return (await reader.ask<StoredSession>(statements.descendants, values)).map(sessionOf);
  },
  list: async (query) => {
    const { statement, values } = listStatement(query);
    return (await reader.ask<StoredSession>(statement, values)).map(sessionOf);
  },
  items: (query) => readItems(reader, query),
  newest: (query) => readNewest(reader, query),
  openActions: (query) => readOpenActions(reader, query),
  quota: async (owner) => (await quotasOf(reader, [owner]))[0] ?? { unfinished: 0, running: 0, tokens: 0 },
  quotas: (owners) => quotasOf(reader, owners),
});
