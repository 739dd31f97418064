/**
 * Who a credential is: a user's token or an application's key, by its hash, as the catalog has it now.
 *
 * A5 Whatever is wrong with a credential is answered alike: it is unknown, expired or revoked, or its user or
 *    application is disabled.
 */
import { timingSafeEqual } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TargetGrant } from '@turnkeeper/core/protocol/wire/identity';
import type { ApplicationRow, Catalog, CredentialRow, TokenRow, UserRow } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { ApplicationCaller, ClientCaller, UserCaller } from './caller.ts';
import type { KnownCaller } from './caller-cache.ts';
import { defaultSpace } from './spaces.ts';

const touchEveryMs = 60_000;

export const refusedCredential = (): TurnkeeperError =>
  new TurnkeeperError('unauthenticated', 'Send a valid token or key: Authorization: Bearer <token>, or X-API-Key: <key>.');

type Services = { readonly catalog: Catalog; readonly clock: Clock };
type Kept = Pick<TokenRow, 'hash' | 'expiresAt' | 'lastUsedAt'>;

const sameHash = (kept: string, given: string): boolean => kept.length === given.length && timingSafeEqual(Buffer.from(kept), Buffer.from(given));
const isLive = (kept: Kept, hash: string, now: number): boolean => sameHash(kept.hash, hash) && (kept.expiresAt === null || kept.expiresAt > now);
/** Coarsely: a write for each request would cost more than it tells. */
const wantsTouch = ({ lastUsedAt }: Kept, now: number): boolean => lastUsedAt === null || now - lastUsedAt > touchEveryMs;

/** The user of a token that is valid; throws `unauthenticated`. */
export const activeUser = async (catalog: Catalog, id: string): Promise<UserRow> => {
  const user = await catalog.user(id);
  if (user?.status !== 'active') throw refusedCredential();
  return user;
};

/** A token that is there and has not expired, or undefined. */
export const liveToken = async ({ catalog, clock }: Services, hash: string): Promise<TokenRow | undefined> => {
  const token = await catalog.tokenByHash(hash);
  return token && isLive(token, hash, clock.now()) ? token : undefined;
};

/** What a user is and belongs to, as it acts with this credential. */
export const callerOf = async (catalog: Catalog, user: UserRow, credentialId: string | null): Promise<UserCaller> => {
  const [spaces, applications, minitools] = await Promise.all([catalog.spacesOf(user.id), catalog.applicationRolesOf(user.id), catalog.minitoolsOf(user.id)]);
  return {
    type: 'user',
    id: user.id,
    name: user.username,
    admin: user.roles.includes('admin'),
    credentialId,
    spaces: new Map(spaces.filter(({ spaceId }) => spaceId !== defaultSpace).map(({ spaceId, role }) => [spaceId, role])),
    applications: new Map(applications.map(({ applicationId, roles }) => [applicationId, roles])),
    minitools: new Set(minitools),
  };
};

const keyOf = ({ id, name }: ApplicationRow, credential: CredentialRow): ApplicationCaller => ({
  type: 'application',
  id,
  name,
  credentialId: credential.id,
  scopes: new Set(credential.scopes),
  targets: credential.targets as readonly TargetGrant[],
});

const lookUpToken = async ({ catalog, clock }: Services, token: TokenRow): Promise<KnownIssuer> => {
  const now = clock.now();
  const user = await activeUser(catalog, token.userId);
  if (wantsTouch(token, now)) void catalog.touchToken(token.id, now).catch(() => {});
  return { caller: await callerOf(catalog, user, token.id), expiresAt: token.expiresAt };
};

/** Undefined where no key has this hash. */
const lookUpKey = async ({ catalog, clock }: Services, hash: string): Promise<KnownIssuer | undefined> => {
  const now = clock.now();
  const credential = await catalog.credentialByHash(hash);
  if (!credential) return undefined;
  if (credential.revokedAt !== null || !isLive(credential, hash, now)) throw refusedCredential();
  const application = await catalog.application(credential.applicationId);
  if (application?.status !== 'active') throw refusedCredential();
  if (wantsTouch(credential, now)) void catalog.touchCredential(credential.id, now).catch(() => {});
  return { caller: keyOf(application, credential), expiresAt: credential.expiresAt };
};

type KnownIssuer = { readonly caller: ClientCaller['issuer']; readonly expiresAt: number | null };

const lookUpHolder = async (services: Services, hash: string): Promise<KnownIssuer | undefined> => {
  const token = await liveToken(services, hash);
  return token ? lookUpToken(services, token) : lookUpKey(services, hash);
};

/** A token that was made for a browser: as good as the credential that made it, and no longer [CT3]. */
const lookUpClient = async (services: Services, hash: string): Promise<KnownCaller> => {
  const token = await services.catalog.clientTokenByHash(hash);
  if (!token || !isLive({ ...token, lastUsedAt: null }, hash, services.clock.now())) throw refusedCredential();
  const issuer = await lookUpHolder(services, token.issuerHash);
  if (!issuer) throw refusedCredential();
  const { id, sessionId, issuerHash } = token;
  const name = `a client of ${issuer.caller.name}`;
  const expiresAt = Math.min(token.expiresAt, issuer.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    caller: { type: 'client', id, name, credentialId: id, sessionId, scopes: new Set(token.scopes), issuer: issuer.caller, issuerHash, expiresAt },
    expiresAt,
  };
};

/** The caller of a credential, given by its hash; throws `unauthenticated` (A5). */
export const lookUpCaller = async (services: Services, hash: string): Promise<KnownCaller> =>
  (await lookUpHolder(services, hash)) ?? lookUpClient(services, hash);
