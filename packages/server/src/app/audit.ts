/**
 * Entries of the audit log: who did what, to what, by which credential and from where.
 *
 * AU1 Nothing secret is in an entry: no password, token, key or secret's value, no content of a session.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AuditRow } from '../ports/catalog.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';

export type AuditedAct = {
  /** What was done, e.g. `user.created` (docs/identity.md has the list). */
  readonly action: string;
  /** To what, e.g. `user:<id>`. */
  readonly subject: string;
  readonly sessionId?: string;
  readonly details?: JsonObject;
};

/** The entry of an act; `system` is the server itself, at a start. */
export const auditOf = (
  { clock, ids }: Pick<App, 'clock' | 'ids'>,
  caller: Caller | 'system',
  { action, subject, sessionId, details = {} }: AuditedAct,
): AuditRow => ({
  id: ids.next('aud'),
  at: clock.now(),
  ...(caller === 'system'
    ? { actor: 'system', actorName: 'system', credentialId: null, address: null }
    : { actor: ownerOf(caller), actorName: caller.name, credentialId: caller.credentialId, address: caller.address ?? null }),
  action,
  subject,
  sessionId: sessionId ?? null,
  details,
});
