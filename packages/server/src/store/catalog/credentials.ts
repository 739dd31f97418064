/** Applications' keys, by the hashes of their texts (G4). A key that was revoked stays, as a record of who had it. */
import type { Compilable } from 'kysely';
import type { CredentialRow } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import { type Access, held, type Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, numberOrNull, text, textOrNull } from './columns.ts';
import { touch } from './last-used.ts';
import type { CatalogTables } from './schema.ts';

const credentialOf = (row: SqlRow): CredentialRow => ({
  id: text(row, 'id'),
  applicationId: text(row, 'application_id'),
  name: text(row, 'name'),
  prefix: text(row, 'prefix'),
  hash: text(row, 'hash'),
  scopes: json<CredentialRow['scopes']>(row, 'scopes'),
  targets: json<CredentialRow['targets']>(row, 'targets'),
  createdAt: number(row, 'created_at'),
  expiresAt: numberOrNull(row, 'expires_at'),
  lastUsedAt: numberOrNull(row, 'last_used_at'),
  revokedAt: numberOrNull(row, 'revoked_at'),
  rotatedFrom: textOrNull(row, 'rotated_from'),
});
const credentialValues = (credential: CredentialRow): CatalogTables['credentials'] => ({
  id: credential.id,
  application_id: credential.applicationId,
  name: credential.name,
  prefix: credential.prefix,
  hash: credential.hash,
  scopes: JSON.stringify(credential.scopes),
  targets: JSON.stringify(credential.targets),
  created_at: credential.createdAt,
  expires_at: credential.expiresAt,
  last_used_at: credential.lastUsedAt,
  revoked_at: credential.revokedAt,
  rotated_from: credential.rotatedFrom,
});

type Names = 'addCredential' | 'credentialByHash' | 'credential' | 'credentials' | 'revokeCredential' | 'touchCredential';

export const createCredentials = (access: Access): Part<Names> => {
  const { db, all, one, write, change } = access;
  const every = () => db.selectFrom('credentials').selectAll();
  const only = async (query: Compilable): Promise<CredentialRow | undefined> => {
    const row = await one(query);
    return row && credentialOf(row);
  };
  return {
    addCredential: async (credential, audit) => {
      const insert = [db.insertInto('credentials').values(credentialValues(credential)), auditInsert(db, audit)];
      const { applicationId, rotatedFrom } = credential;
      if (rotatedFrom === null) {
        await write(...insert);
        return true;
      }
      // G8: a revocation at the same moment waits, or was first.
      const before = db.selectFrom('credentials').select('id').where('id', '=', rotatedFrom).where('application_id', '=', applicationId);
      return change(held(access, before.where('revoked_at', 'is', null)), insert);
    },
    credentialByHash: (hash) => only(every().where('hash', '=', hash)),
    credential: (applicationId, id) => only(every().where('application_id', '=', applicationId).where('id', '=', id)),
    credentials: async (applicationId, { offset, limit }) => {
      const theirs = every().where('application_id', '=', applicationId).orderBy('created_at').orderBy('id');
      return (await all(theirs.limit(limit).offset(offset))).map(credentialOf);
    },
    revokeCredential: (applicationId, id, at, audit) => {
      const revoke = db
        .updateTable('credentials')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('application_id', '=', applicationId)
        .where('revoked_at', 'is', null)
        .returning('id');
      return change(revoke, [auditInsert(db, audit)]);
    },
    touchCredential: (id, at) => touch(access, 'credentials', id, at),
  };
};
