/**
 * Use case: the sessions that the caller may read, by what is asked for.
 *
 * The store narrows by what its rows say; what stands inside a configuration or the metadata it finds as text only, and what was said
 * it does not look for at all. So every row is looked at here once more: a page may be short, and `next_offset` says where it goes on
 * all the same.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { MetadataFilter, SessionsPage } from '@turnkeeper/core/protocol/wire/session-list';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { UsageBody } from '@turnkeeper/core/view/usage';
import type { ListQuery, SessionRow, TimeRange } from '../ports/session-store.ts';
import { accessRefusal, scopeRefusal } from './access.ts';
import type { App } from './app.ts';
import { type ApplicationCaller, type Caller, type MinitoolCaller, ownerOf, type UserCaller } from './caller.ts';
import { refuseClient } from './client-reach.ts';
import { subjectOf } from './find-session.ts';
import type { FrozenConfig } from './frozen-config.ts';
import { thrown } from './run-job.ts';
import { ItemSearch } from './search-items.ts';
import { sessionResource } from './session-resource.ts';
import { unreadAmong } from './unread-sessions.ts';
import { visibleTo } from './visible-sessions.ts';

export type SessionsQuery = {
  readonly offset: number;
  readonly limit: number;
  readonly status: 'active' | 'archived' | 'all';
  /** `me`, `all`, `user:<id>`, `app:<id>` or `minitool:<id>`. */
  readonly owner?: string | undefined;
  readonly space?: string | undefined;
  readonly container?: string | undefined;
  readonly q?: string | undefined;
  readonly activity?: SessionResource['status'] | undefined;
  /** The id of the target. */
  readonly target?: string | undefined;
  readonly metadata?: readonly MetadataFilter[] | undefined;
  /** Looked for in what was said. */
  readonly text?: string | undefined;
  /** Of what was reported, with children. */
  readonly min_cost?: number | undefined;
  readonly created_from?: number | undefined;
  readonly created_before?: number | undefined;
  readonly updated_from?: number | undefined;
  readonly updated_before?: number | undefined;
  readonly order?: 'created' | 'updated' | undefined;
};

type Whose = Pick<ListQuery, 'visible' | 'owner' | 'mine'>;

/** What the caller may read, as the store is asked for it. `accessRefusal` says the same of one session. */
const whose = (caller: UserCaller | ApplicationCaller | MinitoolCaller, owner: string | undefined): Whose => {
  const admin = caller.type === 'user' && caller.admin;
  if (owner === 'all') {
    if (!admin) throw new TurnkeeperError('forbidden', 'Only admins may list the sessions of all.');
    return {};
  }
  if (owner === 'me') return mineOf(caller);
  if (admin && owner !== undefined) return { owner };
  const asked = owner === undefined ? {} : { owner };
  if (caller.type !== 'user') return { ...asked, visible: { owners: [ownerOf(caller)], placements: [] } };
  return { ...asked, visible: visibleTo(caller) };
};

/** One's own; and what mini-tools placed in spaces, which looks as if one had made it (SP2). */
const mineOf = (caller: UserCaller | ApplicationCaller | MinitoolCaller): Whose => {
  const owner = ownerOf(caller);
  if (caller.type !== 'user' || (caller.minitools.size === 0 && caller.spaces.size === 0)) return { owner };
  const { owners, placements } = visibleTo(caller);
  return { mine: { owner, minitools: owners.filter((each) => each.startsWith('minitool:')), spaces: placements } };
};

const placementOf = ({ space, container }: SessionsQuery): string | undefined => {
  if (container !== undefined) return `container:${container}`;
  return space === undefined ? undefined : `space:${space}`;
};

/** What JSON writes without quotes. */
const bare = /^(?:true|false|null|-?\d.*)$/;

/** A member as it stands in JSON text: as a text, or as what looks like this one. */
const memberTexts = ({ key, value }: MetadataFilter): readonly string[] => {
  const name = `${JSON.stringify(key)}:`;
  return [name + JSON.stringify(value), ...(bare.test(value) ? [name + value] : [])];
};

const hasMember = (metadata: { readonly [key: string]: unknown }, { key, value }: MetadataFilter): boolean => {
  if (!Object.hasOwn(metadata, key)) return false;
  const found = metadata[key];
  return typeof found === 'string' ? found === value : typeof found !== 'object' || found === null ? JSON.stringify(found) === value : false;
};

const range = (name: 'created' | 'updated', from: number | undefined, before: number | undefined): { readonly [name: string]: TimeRange } =>
  from === undefined && before === undefined ? {} : { [name]: { ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) } };

type Filters = Omit<ListQuery, 'offset' | 'limit'>;

const filtersOf = (caller: UserCaller | ApplicationCaller | MinitoolCaller, query: SessionsQuery): Filters => {
  const placement = placementOf(query);
  const { metadata = [] } = query;
  return {
    ...whose(caller, query.owner),
    status: query.status,
    order: query.order ?? 'created',
    ...(placement === undefined ? {} : { placement }),
    ...(query.q === undefined ? {} : { q: query.q }),
    ...(query.activity === undefined ? {} : { activity: query.activity }),
    ...(query.target === undefined ? {} : { configHolds: JSON.stringify(query.target) }),
    ...(metadata.length === 0 ? {} : { metadataHolds: metadata.map(memberTexts) }),
    ...range('created', query.created_from, query.created_before),
    ...range('updated', query.updated_from, query.updated_before),
  };
};

/** Rows are read at most so often for one page; with words to look for more of them, and not as often: they are found anew each time. */
const mostReads = 20;
const mostSearches = 4;
const searchedAtOnce = 500;

/** One page, newest first. Throws `forbidden`, for keys `scope_missing`. */
export const listSessions = async (app: App, caller: Caller, query: SessionsQuery): Promise<SessionsPage> => {
  refuseClient(caller, 'lists no sessions');
  const refusal = caller.type === 'application' ? scopeRefusal(caller, 'read') : undefined;
  if (refusal) throw thrown(refusal);
  const filters = filtersOf(caller, query);
  // A session stands in one place.
  if (query.space !== undefined && query.container !== undefined) return { items: [], next_offset: null };
  const search = query.text === undefined ? undefined : new ItemSearch(app.sessions.store, query.text);
  const limit = search ? searchedAtOnce : query.limit + 1;
  const items: SessionResource[] = [];
  let { offset } = query;
  let until: number | undefined;
  const page = (): SessionsPage => ({ items, next_offset: offset, ...(search && until !== undefined ? { searched_until: until } : {}) });
  for (let reads = 0; reads < (search ? mostSearches : mostReads); reads += 1) {
    const rows = await app.sessions.store.list({ ...filters, offset, limit });
    const fitting = await costingRows(app, query, await fittingRows(app, caller, query, rows));
    const { said, looked } = await lookedThrough(search, [...fitting.keys()]);
    const left = new Set([...fitting.keys()].slice(looked));
    for (const row of rows) {
      if (items.length === query.limit || left.has(row.sid)) return page();
      offset += 1;
      until = query.order === 'updated' ? row.updatedAt : row.createdAt;
      const shown = fitting.get(row.sid);
      if (shown && said.has(row.sid)) items.push(shown);
    }
    if (rows.length < limit) return { items, next_offset: null };
  }
  return page();
};

/** By sid, in their order: those that the caller may read, and that are what was asked for. */
const fittingRows = async (app: App, caller: Caller, query: SessionsQuery, rows: readonly SessionRow[]): Promise<ReadonlyMap<number, SessionResource>> => {
  const configs = await app.sessions.configs(rows.map(({ configRef }) => configRef));
  const { target, metadata = [] } = query;
  const fits = (row: SessionRow, config: FrozenConfig): SessionResource | undefined => {
    if (accessRefusal(caller, subjectOf(row, config), 'read')) return undefined;
    const shown = sessionResource(row, config);
    const asked = (target === undefined || shown.target.id === target) && metadata.every((filter) => hasMember(shown.metadata, filter));
    return asked ? shown : undefined;
  };
  const unread = await unreadAmong(app, rows);
  return new Map(
    rows.flatMap((row, n) => {
      const config = configs[n];
      const shown = config && fits(row, config);
      return shown ? [[row.sid, unread.has(row.sid) ? { ...shown, unread: true as const } : shown] as const] : [];
    }),
  );
};

/** Those of them that cost as much as is asked for. */
const costingRows = async (app: App, { min_cost }: SessionsQuery, shown: ReadonlyMap<number, SessionResource>): Promise<typeof shown> => {
  if (min_cost === undefined) return shown;
  const rows = await app.sessions.store.newest({ roots: [...shown.values()].map(({ id }) => id as SessionId), kind: 'usage', each: 1 });
  const costs = new Map<string, number>();
  for (const { root, body } of rows) costs.set(root, (costs.get(root) ?? 0) + (JSON.parse(body) as UsageBody).estimated_cost);
  return new Map([...shown].filter(([, { id }]) => (costs.get(id) ?? 0) >= min_cost));
};

/** Without words to look for, all are what is looked for. */
const lookedThrough = async (search: ItemSearch | undefined, sids: readonly number[]) =>
  search ? search.among(sids) : { said: new Set(sids), looked: sids.length };
