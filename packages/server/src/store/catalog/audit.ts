/** The audit log: entries are added, never changed. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Compilable, Kysely } from 'kysely';
import type { AuditRow } from '../../ports/catalog.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, text, textOrNull } from './columns.ts';
import type { CatalogTables } from './schema.ts';

export const auditOf = (row: SqlRow): AuditRow => ({
  id: text(row, 'id'),
  at: number(row, 'at'),
  actor: text(row, 'actor'),
  actorName: text(row, 'actor_name'),
  credentialId: textOrNull(row, 'credential_id'),
  address: textOrNull(row, 'address'),
  action: text(row, 'action'),
  subject: text(row, 'subject'),
  sessionId: textOrNull(row, 'session_id'),
  details: json<JsonObject>(row, 'details'),
});
export const auditValues = (entry: AuditRow): CatalogTables['audit'] => ({
  id: entry.id,
  at: entry.at,
  actor: entry.actor,
  actor_name: entry.actorName,
  credential_id: entry.credentialId,
  address: entry.address,
  action: entry.action,
  subject: entry.subject,
  session_id: entry.sessionId,
  details: JSON.stringify(entry.details),
});

/** The entry of an administrative write, to be carried out with it. */
export const auditInsert = (db: Kysely<CatalogTables>, entry: AuditRow): Compilable => db.insertInto('audit').values(auditValues(entry));

export const createAudit = ({ db, all, write }: Access): Part<'addAudit' | 'audit'> => ({
  addAudit: async (entry) => {
    await write(auditInsert(db, entry));
  },
  audit: async ({ before, limit, actor, action, subject, sessionId }) => {
    let query = db.selectFrom('audit').selectAll();
    if (before !== undefined) query = query.where('id', '<', before);
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (action !== undefined) query = query.where('action', '=', action);
    if (subject !== undefined) query = query.where('subject', '=', subject);
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    return (await all(query.orderBy('id', 'desc').limit(limit))).map(auditOf);
  },
});
