/** The list of sessions, the items in which words are looked for, and the newest resources of many sessions. */
import type { ItemRow, ListQuery, NewestRow, SessionStore, TimeRange } from '../../ports/session-store.ts';
import { searchWord } from '../shared/search-word.ts';
import type { Reader, Statement } from './reader.ts';
import { sessionColumns } from './rows.ts';
import { storableText } from './storable-text.ts';

/** A value's place in the statement. */
type Place = (value: unknown) => string;

const byStatus = { active: 'and s.archived_at is null', archived: 'and s.archived_at is not null', all: '' } as const;
const orders = { created: 's.created_at desc, s.sid desc', updated: 's.updated_at desc, s.sid desc' } as const;

const contains = (q: string, place: Place): string => {
  const { folded, inJson } = searchWord(q);
  const word = `${place(storableText(folded))}::text`;
  return `and (position(${word} in s.title_folded) > 0 or position(${place(storableText(inJson))}::text in coalesce(s.metadata_folded, lower(s.metadata))) > 0
    or starts_with(lower(s.id), ${word}))`;
};

const within = (column: string, { from, before }: TimeRange, place: Place): readonly string[] => [
  ...(from === undefined ? [] : [`and ${column} >= ${place(from)}`]),
  ...(before === undefined ? [] : [`and ${column} < ${place(before)}`]),
];

const holds = (column: string, text: string, place: Place): string => `position(${place(storableText(text))}::text in ${column}) > 0`;

const visibleTo = ({ owners, placements }: NonNullable<ListQuery['visible']>, place: Place): string =>
  `and (s.owner = any(${place(owners.map(storableText))}::text[]) or s.placement = any(${place(placements.map(storableText))}::text[]))`;

/** What mini-tools put into spaces, of these mini-tools or into these spaces, is found with the owner's own. */
const mineOf = ({ owner, minitools, spaces }: NonNullable<ListQuery['mine']>, place: Place): string =>
  `and (s.owner = ${place(storableText(owner))}
    or (s.owner = any(${place(minitools.map(storableText))}::text[]) and starts_with(s.placement, 'space:'))
    or (s.placement = any(${place(spaces.map(storableText))}::text[]) and starts_with(s.owner, 'minitool:')))`;

/**
 * What is the same for all: how many values there are, and where, is said by which filters there are. Every name stays prepared
 * on each connection for its life, so only the few shapes of ordinary lists have one: rarer filters go without.
 */
const shapeOf = ({
  visible,
  owner,
  mine,
  placement,
  q,
  activity,
  configHolds,
  created,
  updated,
  metadataHolds = [],
  order = 'created',
  status,
}: ListQuery): string => {
  const rare = [activity, configHolds, created?.from, created?.before, updated?.from, updated?.before, ...metadataHolds];
  if (rare.some((filter) => filter !== undefined)) return '';
  const mask = [visible, owner, placement, q, mine].map((filter) => (filter === undefined ? 0 : 1)).join('');
  return `list_${status}_${order}_${mask}`;
};

/** One text for each combination of filters, so that each gets a plan of its own. */
export const listStatement = (query: ListQuery): { statement: Statement; values: unknown[] } => {
  const { visible, owner, mine, status, placement, q, activity, metadataHolds = [], configHolds, created = {}, updated = {}, order = 'created' } = query;
  const values: unknown[] = [];
  const place: Place = (value) => `$${values.push(value)}`;
  const filters = [
    visible === undefined ? '' : visibleTo(visible, place),
    owner === undefined ? '' : `and s.owner = ${place(storableText(owner))}`,
    mine === undefined ? '' : mineOf(mine, place),
    byStatus[status],
    placement === undefined ? '' : `and s.placement = ${place(storableText(placement))}`,
    activity === undefined ? '' : `and s.status = ${place(storableText(activity))}`,
    ...within('s.created_at', created, place),
    ...within('s.updated_at', updated, place),
    configHolds === undefined ? '' : `and s.config_ref in (select ref from configs where ${holds('body', configHolds, place)})`,
    ...metadataHolds.map((texts) => `and (${texts.map((text) => holds('s.metadata', text, place)).join(' or ')})`),
    q === undefined ? '' : contains(q, place),
  ];
  const where = filters.filter((filter) => filter !== '').join(' ');
  // Found and put into order first: whole rows are read of the page alone.
  const page = `select s.sid from sessions s where s.deleted_at is null and s.path = '' ${where}
    order by ${orders[order]} limit ${place(query.limit)} offset ${place(query.offset)}`;
  const text = `select ${sessionColumns} from (${page}) page join sessions s on s.sid = page.sid order by ${orders[order]}`;
  return { statement: { name: shapeOf(query), text }, values };
};

/** So many rows are looked at for one page: their sizes are known without reading them. */
const mostItems = 500;

const items: Statement = {
  name: 'items',
  text: `select sid, n, body from (
      select *, sum(octet_length(body)) over (order by k, n) - octet_length(body) as before from (
        select x.k, x.sid, r.n, r.body from unnest($1::bigint[]) with ordinality as x(sid, k)
          cross join lateral (select n, body from resources where sid = x.sid and kind = 'item' and n > case when x.k = 1 then $2::bigint else 0 end order by n limit ${mostItems}) r
          order by x.k, r.n limit ${mostItems}) page
    ) e where before < $3 order by k, n`,
};

export const readItems = (reader: Reader, { sids, afterN = 0, maxBytes }: Parameters<SessionStore['items']>[0]): Promise<readonly ItemRow[]> =>
  reader.ask<ItemRow>(items, [sids, afterN, maxBytes]);

const newest: Statement = {
  name: 'newest',
  text: `select s.id, s.root, s.path, r.body from (
      select sid, id, root, path from sessions where deleted_at is null and path = '' and id = any($1::text[])
      union all select sid, id, root, path from sessions where deleted_at is null and path <> '' and root = any($1::text[])
    ) s cross join lateral (select n, body from resources where sid = s.sid and kind = $2 order by n desc limit $3) r order by s.sid, r.n desc`,
};

export const readNewest = (reader: Reader, { roots, kind, each }: Parameters<SessionStore['newest']>[0]): Promise<readonly NewestRow[]> =>
  reader.ask<NewestRow>(newest, [roots.map(storableText), kind, each]);
