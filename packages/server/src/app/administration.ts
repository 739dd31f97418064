/** What administrative use cases work with, and who may begin with them. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { App } from './app.ts';
import type { Caller, UserCaller } from './caller.ts';
import type { Identity } from './identity.ts';

export type Administration = { readonly app: App; readonly identity: Identity };

export type Items<Item> = { readonly items: readonly Item[]; readonly next_offset: number | null };

/** All of a short list. */
export const allOf = <Item>(items: readonly Item[]): Items<Item> => ({ items, next_offset: null });

export type PageQuery = { readonly offset: number; readonly limit: number };

/** One page of a list of which one more than `limit` was read. */
export const pageOf = <Row, Item>(rows: readonly Row[], { offset, limit }: PageQuery, show: (row: Row) => Item): Items<Item> => ({
  items: rows.slice(0, limit).map(show),
  next_offset: rows.length > limit ? offset + limit : null,
});

const rowsAtOnce = 500;

/** All rows of a list, page by page: for what concerns every one of them. */
export const everyRow = async <Row>(read: (page: PageQuery) => Promise<readonly Row[]>): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (;;) {
    const page = await read({ offset: rows.length, limit: rowsAtOnce });
    rows.push(...page);
    if (page.length < rowsAtOnce) return rows;
  }
};

/** Those of the ids that no user has. */
export const unknownUsers = async ({ catalog }: Pick<App, 'catalog'>, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const wanted = new Set(ids);
  const found = await catalog.users({ ids: [...wanted], offset: 0, limit: wanted.size });
  for (const { id } of found) wanted.delete(id);
  return wanted;
};

/** Keys administer nothing: whoever has one must not be able to make another. Throws `forbidden`. */
export const requireUser = (caller: Caller): UserCaller => {
  if (caller.type === 'user') return caller;
  throw new TurnkeeperError('forbidden', 'This wants a user’s token: an application’s key administers nothing.');
};

/** Throws `forbidden`. */
export const requireAdmin = (caller: Caller, what: string): UserCaller => {
  const user = requireUser(caller);
  if (!user.admin) throw new TurnkeeperError('forbidden', `Only admins may ${what}.`);
  return user;
};

export const faultAt = (pointer: string, detail: string): TurnkeeperError =>
  new TurnkeeperError('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });

/** When a new credential is to end; null = never. Throws `validation_failed` for what is past. */
export const endOf = (app: App, expiresAt: number | null | undefined): number | null => {
  if (expiresAt === undefined || expiresAt === null) return null;
  if (expiresAt <= app.clock.now()) throw faultAt('/expiresAt', 'a time in the future is wanted, in Unix milliseconds');
  return expiresAt;
};
