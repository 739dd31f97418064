/** Personal tokens and sign-in links, by the hashes of their texts (G4). */
import { type Compilable, sql } from 'kysely';
import type { AuditRow, TokenRow } from '../../ports/catalog.ts';
import { auditInsert, auditValues } from './audit.ts';
import { type Access, held, type Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { number, numberOrNull, text } from './columns.ts';
import { touch } from './last-used.ts';
import type { CatalogTables } from './schema.ts';

const tokenOf = (row: SqlRow): TokenRow => ({
  id: text(row, 'id'),
  userId: text(row, 'user_id'),
  name: text(row, 'name'),
  hash: text(row, 'hash'),
  createdAt: number(row, 'created_at'),
  expiresAt: numberOrNull(row, 'expires_at'),
  lastUsedAt: numberOrNull(row, 'last_used_at'),
});
const tokenValues = (token: TokenRow): CatalogTables['tokens'] => ({
  id: token.id,
  user_id: token.userId,
  name: token.name,
  hash: token.hash,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt,
});

/** What has expired is kept for a while: a list of tokens may be a page behind, and whoever uses a link late is told why. */
const expiredMs = 86_400_000;

type Db = Access['db'];

/** Adds a token, and forgets those of its user that expired long before (G9). */
const insertToken = (db: Db, token: TokenRow): readonly Compilable[] => [
  db
    .deleteFrom('tokens')
    .where('user_id', '=', token.userId)
    .where('expires_at', '<', token.createdAt - expiredMs),
  db.insertInto('tokens').values(tokenValues(token)),
];

/** Deletes the tokens of a user, but one; each leaves the entry with an id and a subject of its own. */
export const revokeTokens = (db: Db, userId: string, but: string | null, entry: AuditRow): readonly Compilable[] => {
  const { id, at, subject: _subject, ...same } = auditValues(entry);
  const theirs = db
    .selectFrom('tokens')
    .where('user_id', '=', userId)
    .where('id', '<>', but ?? '');
  const columns = Object.keys(same) as (keyof typeof same)[];
  const entries = theirs.select([
    sql<string>`${id} || '.' || tokens.id`.as('id'),
    sql<number>`cast(${at} as bigint)`.as('at'),
    sql<string>`'token:' || tokens.id`.as('subject'),
    ...columns.map((column) => sql<string>`cast(${same[column]} as text)`.as(column)),
  ]);
  return [
    db
      .insertInto('audit')
      .columns(['id', 'at', 'subject', ...columns])
      .expression(entries),
    db
      .deleteFrom('tokens')
      .where('user_id', '=', userId)
      .where('id', '<>', but ?? ''),
  ];
};

type Names =
  | 'addToken'
  | 'addTokenByPassword'
  | 'tokenByHash'
  | 'token'
  | 'tokensOf'
  | 'touchToken'
  | 'deleteToken'
  | 'addSignInLink'
  | 'signInLink'
  | 'useSignInLink';

export const createTokens = (access: Access): Part<Names> => {
  const { db, all, one, write, change } = access;
  const every = () => db.selectFrom('tokens').selectAll();
  const only = async (query: Compilable): Promise<TokenRow | undefined> => {
    const row = await one(query);
    return row && tokenOf(row);
  };
  return {
    addToken: async (token, audit) => {
      await write(...insertToken(db, token), auditInsert(db, audit));
    },
    // G8
    addTokenByPassword: (token, passwordHash, audit) => {
      const user = db.selectFrom('users').select('id').where('id', '=', token.userId).where('status', '=', 'active').where('password_hash', '=', passwordHash);
      return change(held(access, user), [...insertToken(db, token), auditInsert(db, audit)]);
    },
    tokenByHash: (hash) => only(every().where('hash', '=', hash)),
    token: (userId, id) => only(every().where('user_id', '=', userId).where('id', '=', id)),
    tokensOf: async (userId, { offset, limit, liveAt }) => {
      const theirs = every().where('user_id', '=', userId);
      const live = liveAt === undefined ? theirs : theirs.where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', liveAt)]));
      return (await all(live.orderBy('created_at').orderBy('id').limit(limit).offset(offset))).map(tokenOf);
    },
    touchToken: (id, at) => touch(access, 'tokens', id, at),
    deleteToken: (id, audit) => change(db.deleteFrom('tokens').where('id', '=', id).returning('id'), [auditInsert(db, audit)]),
    addSignInLink: async ({ hash, userId, expiresAt }, at) => {
      await write(
        db.deleteFrom('sign_in_links').where('expires_at', '<', at - expiredMs),
        db.insertInto('sign_in_links').values({ hash, user_id: userId, expires_at: expiresAt }),
      );
    },
    signInLink: async (hash) => {
      const row = await one(db.selectFrom('sign_in_links').selectAll().where('hash', '=', hash));
      return row && { hash, userId: text(row, 'user_id'), expiresAt: number(row, 'expires_at') };
    },
    // Of two at once the second finds it gone: both lock the same row.
    useSignInLink: (hash, token, audit) =>
      change(db.deleteFrom('sign_in_links').where('hash', '=', hash).returning('hash'), [...insertToken(db, token), auditInsert(db, audit)]),
  };
};
