/** Clients' tokens, by the hashes of their texts (G4). One of a session that was deleted is not there. */
import type { ClientScope } from '@turnkeeper/core/protocol/wire/client-tokens';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { sql } from 'kysely';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import { json, number, text } from './columns.ts';

/** So long one that has expired is kept. */
const expiredMs = 86_400_000;

export const createClientTokens = ({ db, one, write }: Access): Part<'addClientToken' | 'clientTokenByHash'> => ({
  addClientToken: async (token, audit) => {
    await write(
      db.deleteFrom('client_tokens').where('expires_at', '<', token.createdAt - expiredMs),
      db.insertInto('client_tokens').values({
        id: token.id,
        hash: token.hash,
        issuer_hash: token.issuerHash,
        sid: token.sid,
        session_id: token.sessionId,
        scopes: JSON.stringify(token.scopes),
        created_at: token.createdAt,
        expires_at: token.expiresAt,
      }),
      auditInsert(db, audit),
    );
  },
  clientTokenByHash: async (hash) => {
    const token = db.selectFrom('client_tokens').selectAll().where('hash', '=', hash);
    const row = await one(token.where(sql<boolean>`exists (select 1 from sessions s where s.sid = client_tokens.sid and s.deleted_at is null)`));
    return (
      row && {
        id: text(row, 'id'),
        hash,
        issuerHash: text(row, 'issuer_hash'),
        sid: number(row, 'sid'),
        sessionId: text(row, 'session_id') as SessionId,
        scopes: json<readonly ClientScope[]>(row, 'scopes'),
        createdAt: number(row, 'created_at'),
        expiresAt: number(row, 'expires_at'),
      }
    );
  },
});
