/**
 * Use cases: an application's keys. Their states are in docs/identity.md.
 *
 * CR1 A rotation ends nothing: the old key works until it is revoked, so that a service can change over without a gap.
 * CR2 A key that was revoked is not rotated, also not at the same moment: what takes its place would outlive it.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { CreateCredentialRequest, CreatedCredential, CredentialResource, Scope, TargetGrant } from '@turnkeeper/core/protocol/wire/identity';
import type { CredentialRow } from '../ports/catalog.ts';
import { type Administration, endOf, type Items, type PageQuery, pageOf } from './administration.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { findApplication, findManagedApplication } from './manage-applications.ts';
import { resolveGrants } from './target-grants.ts';
import { hashToken, newToken, shownPrefix } from './tokens.ts';

const credentialResource = ({ applicationId: _application, hash: _hash, scopes, targets, ...row }: CredentialRow): CredentialResource => ({
  ...row,
  scopes: [...scopes] as Scope[],
  targets: targets.map(({ type, id }) => ({ type, id })) as TargetGrant[],
});

const noSuchKey = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such key, or it was revoked.');

type Given = Pick<CredentialRow, 'applicationId' | 'name' | 'scopes' | 'targets' | 'expiresAt' | 'rotatedFrom'>;

/** A new key; its text is returned here only. */
const make = async ({ app }: Administration, caller: Caller, given: Given): Promise<CreatedCredential> => {
  const apiKey = newToken('tkk');
  const row: CredentialRow = {
    ...given,
    id: app.ids.next('key'),
    prefix: shownPrefix(apiKey),
    hash: hashToken(apiKey),
    createdAt: app.clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  const details = {
    application: row.applicationId,
    name: row.name,
    scopes: [...row.scopes],
    targets: row.targets.map(({ type, id }) => ({ type, id })),
    expiresAt: row.expiresAt,
    ...(row.rotatedFrom === null ? {} : { rotatedFrom: row.rotatedFrom }),
  };
  const action = row.rotatedFrom === null ? 'credential.created' : 'credential.rotated';
  if (!(await app.catalog.addCredential(row, auditOf(app, caller, { action, subject: `credential:${row.id}`, details })))) throw noSuchKey();
  return { credential: credentialResource(row), apiKey };
};

export const listCredentials = async (
  administration: Administration,
  caller: Caller,
  applicationId: string,
  page: PageQuery,
): Promise<Items<CredentialResource>> => {
  await findApplication(administration, caller, applicationId);
  const rows = await administration.app.catalog.credentials(applicationId, { offset: page.offset, limit: page.limit + 1 });
  return pageOf(rows, page, credentialResource);
};

/** Throws `not_found`, `forbidden`, `validation_failed` for a target that cannot be granted and an end that is past. */
export const createCredential = async (
  administration: Administration,
  caller: Caller,
  applicationId: string,
  body: CreateCredentialRequest,
): Promise<CreatedCredential> => {
  const { user } = await findManagedApplication(administration, caller, applicationId);
  const targets = await resolveGrants(administration.app, user, body.targets);
  const expiresAt = endOf(administration.app, body.expiresAt);
  return make(administration, user, { applicationId, name: body.name, scopes: [...new Set(body.scopes)], targets, expiresAt, rotatedFrom: null });
};

const findCredential = async ({ app }: Administration, applicationId: string, id: string): Promise<CredentialRow> => {
  const found = await app.catalog.credential(applicationId, id);
  if (!found || found.revokedAt !== null) throw noSuchKey();
  return found;
};

/** A second key with the first one's name, scopes and grants (CR1, TG1); `expiresAt`: undefined = the first one's, null = never. */
export const rotateCredential = async (
  administration: Administration,
  caller: Caller,
  applicationId: string,
  id: string,
  body: { readonly expiresAt?: number | null | undefined },
): Promise<CreatedCredential> => {
  const { user } = await findManagedApplication(administration, caller, applicationId);
  const { name, scopes, targets, expiresAt } = await findCredential(administration, applicationId, id);
  const end = endOf(administration.app, body.expiresAt === undefined ? expiresAt : body.expiresAt);
  return make(administration, user, { applicationId, name, scopes, targets, expiresAt: end, rotatedFrom: id });
};

/** Throws `not_found`, `forbidden`. */
export const revokeCredential = async (administration: Administration, caller: Caller, applicationId: string, id: string): Promise<void> => {
  const { user } = await findManagedApplication(administration, caller, applicationId);
  const { hash, name } = await findCredential(administration, applicationId, id);
  const { app, identity } = administration;
  const entry = auditOf(app, user, { action: 'credential.revoked', subject: `credential:${id}`, details: { application: applicationId, name } });
  const revoked = await identity.whileRevoking([hash], () => app.catalog.revokeCredential(applicationId, id, app.clock.now(), entry));
  if (!revoked) throw noSuchKey();
};
