/** Use case: the audit log, newest first, for admins. */
import { pageCursorOf, readPageCursor } from '@turnkeeper/core/protocol/cursors';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AuditEntry, AuditPage } from '@turnkeeper/core/protocol/wire/identity';
import type { AuditRow } from '../ports/catalog.ts';
import { requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

const list = 'audit';

export type AuditQuery = {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly session?: string | undefined;
};

/**
 * A cursor is an entry's id, and good for ever. Ids are drawn before the commit: an entry may come in among those that were
 * read already, and then no later page has it.
 */
const placeOf = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined;
  const read = readPageCursor(list, cursor);
  if (!read) throw new TurnkeeperError('invalid_cursor', 'This is not a page cursor of the audit log.');
  return read.after;
};

const auditEntry = (row: AuditRow): AuditEntry => ({ ...row, details: row.details as AuditEntry['details'] });

/** Throws `forbidden`, `invalid_cursor`. */
export const readAudit = async (app: App, caller: Caller, { limit, after, session, ...filters }: AuditQuery): Promise<AuditPage> => {
  requireAdmin(caller, 'read the audit log');
  const before = placeOf(after);
  const given = Object.fromEntries(Object.entries({ ...filters, before, sessionId: session }).filter(([, value]) => value !== undefined));
  const rows = await app.catalog.audit({ ...given, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const more = rows.length > limit;
  return { data: shown.map(auditEntry), next_cursor: more ? pageCursorOf(list, shown.at(-1)?.id ?? '', app.clock.now()) : null, has_more: more };
};
