/**
 * Use case: a token for a browser. Whoever may submit to a session may give away a part of that, for a while.
 *
 * CB1 A token has no scope that its issuer lacks, and ends no later than the credential that made it.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { CreateClientTokenRequest, CreatedClientToken } from '@turnkeeper/core/protocol/wire/client-tokens';
import { accessRefusal } from './access.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { refuseClient } from './client-reach.ts';
import { findSession, subjectOf } from './find-session.ts';
import { isChild } from './is-child.ts';
import { lookUpCaller } from './look-up-caller.ts';
import { thrown } from './run-job.ts';
import { hashToken, newToken } from './tokens.ts';

/** `credential`: the hash of the one that the caller came with. Throws `forbidden`, `scope_missing`, and of a child session `not_supported`. */
export const createClientToken = async (
  app: App,
  caller: Caller,
  credential: string,
  sessionId: string,
  { scopes, expiresInSeconds }: CreateClientTokenRequest,
): Promise<CreatedClientToken> => {
  refuseClient(caller, 'makes no other token');
  const { session } = await findSession(app, caller, sessionId, 'invoke');
  if (isChild(session.row)) throw new TurnkeeperError('not_supported', 'A token is for a whole session: make it for the session that this one belongs to.');
  const subject = subjectOf(session.row, session.config);
  const refusal = scopes.map((scope) => accessRefusal(caller, subject, scope)).find((refused) => refused !== undefined);
  if (refusal) throw thrown(refusal);
  const issuer = await lookUpCaller(app, credential);
  const token = newToken('tkc');
  const createdAt = app.clock.now();
  const expiresAt = Math.min(createdAt + expiresInSeconds * 1_000, issuer.expiresAt ?? Number.POSITIVE_INFINITY);
  const { sid } = session.head;
  const row = { id: app.ids.next('ctok'), hash: hashToken(token), issuerHash: credential, sid, sessionId: session.row.id, scopes, createdAt, expiresAt };
  const entry = { action: 'client_token.created', subject: `client_token:${row.id}`, sessionId: session.row.id, details: { scopes, expires_at: expiresAt } };
  await app.catalog.addClientToken(row, auditOf(app, caller, entry));
  return { token, session_id: session.row.id, scopes, expires_at: expiresAt };
};
