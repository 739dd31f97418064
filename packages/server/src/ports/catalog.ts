/**
 * Port: what administration keeps — agents with their versions, teams, workflows, users, tokens, spaces, applications with their keys,
 * secrets, the audit log.
 *
 * Contract
 * G1 Writes are durable when their promise resolves. G2 A version is immutable once written.
 * G3 A stale `version` is refused (`version_conflict`), a name that is taken with `already_exists`: returned as values.
 * G4 Secrets and tokens are kept as hashes or ciphertext, never as themselves.
 * G5 An administrative write and its audit entry are one transaction: both are there or neither is. A write that was
 *    refused leaves no entry.
 * G6 There is always an active admin: a change that would leave none is refused with `last_admin`.
 * G7 Names of users differ by more than their case, and are found in whatever case.
 * G8 No credential comes from one that has gone: a token by a password that has been replaced, a key in the place of one
 *    that was revoked. The write that adds it looks, and returns false.
 * G9 Tokens that expired more than a day before are forgotten when their user gets another one.
 * G10 What is looked for in the audit log without an index costs no more than the entries that are looked through.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ClientScope } from '@turnkeeper/core/protocol/wire/client-tokens';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { TargetCatalog } from './catalog-targets.ts';

export type AgentRow = {
  readonly id: string;
  readonly key: string;
  readonly displayName: string;
  readonly description: string;
  readonly space: string;
  /** The newest version's number, from 1. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};
export type AgentVersion = {
  readonly agentId: string;
  readonly version: number;
  readonly definition: JsonObject;
  readonly createdAt: number;
  readonly createdBy: string;
};

export type UserRow = {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly roles: readonly ('admin' | 'user')[];
  readonly status: 'active' | 'disabled';
  /** As `app/passwords.ts` writes it; null = no password. */
  readonly passwordHash: string | null;
  readonly createdAt: number;
};
export type UserChanges = Partial<Pick<UserRow, 'displayName' | 'roles' | 'status'>>;
export type PasswordChange = {
  readonly userId: string;
  readonly hash: string;
  /** What was kept when the change was decided on: refused once it is another. Absent = whatever is kept. */
  readonly was?: string | null;
  /** The user's tokens go in the same transaction, but the one with this id; absent = all stay. */
  readonly revokeAllBut?: string | null;
};

/** `hash` is SHA-256 of the token's text, in hex: tokens are long and random, so a plain hash is enough. */
export type TokenRow = {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
};

/** `hash` as of a token. */
/** Made for a browser, for one session. `issuerHash`: of the credential that it was made with. */
export type ClientTokenRow = {
  readonly id: string;
  readonly hash: string;
  readonly issuerHash: string;
  readonly sid: number;
  readonly sessionId: SessionId;
  readonly scopes: readonly ClientScope[];
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type SignInLinkRow = { readonly hash: string; readonly userId: string; readonly expiresAt: number };

export type SpaceRow = { readonly id: string; readonly name: string; readonly createdAt: number };
export type SpaceMember = { readonly spaceId: string; readonly userId: string; readonly role: 'manager' | 'member' };

export type ApplicationRole = 'viewer' | 'operator' | 'approver';
/** A user's roles in one application. */
export type ApplicationRoles = { readonly applicationId: string; readonly roles: readonly ApplicationRole[] };
export type ApplicationMember = { readonly userId: string; readonly roles: readonly ApplicationRole[] };
export type ApplicationRow = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: 'active' | 'disabled';
  readonly maxConcurrent: number | null;
  readonly tokenBudget: number | null;
  readonly maxUnfinished: number | null;
  /** The user who made it: manages it beside the admins. */
  readonly ownerId: string;
  readonly members: readonly ApplicationMember[];
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};
export type ApplicationChanges = Partial<
  Pick<ApplicationRow, 'name' | 'description' | 'status' | 'maxConcurrent' | 'tokenBudget' | 'maxUnfinished' | 'members'>
>;

export type CredentialRow = {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  /** `id` is the target's id (never its key), or `*`. */
  readonly targets: readonly { readonly type: string; readonly id: string }[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly rotatedFrom: string | null;
};

export type SecretRow = { readonly name: string; readonly ciphertext: string; readonly updatedAt: number; readonly updatedBy: string };

/** One entry of the audit log. Later entries have later ids (they sort as text). */
export type AuditRow = {
  readonly id: string;
  readonly at: number;
  /** `user:<id>`, `app:<id>` or `system`. */
  readonly actor: string;
  readonly actorName: string;
  readonly credentialId: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly sessionId: string | null;
  readonly details: JsonObject;
};

/** Which answers to required actions are looked for. */
export type AnsweredQuery = {
  /** An entry's id: only older ones. */
  readonly before?: string;
  /** Only of sessions of one of these owners or in one of these placements; absent: of all. */
  readonly visible?: { readonly owners: readonly string[]; readonly placements: readonly string[] };
  readonly limit: number;
  /** So many entries of the log are looked through, at most. */
  readonly look: number;
};
/** `action.answered`, and the session as it is now. */
export type AnsweredAction = { readonly entry: AuditRow; readonly session: { readonly owner: string; readonly placement: string; readonly title: string } };
/** `next`: what is older than that was not looked at; null = there is nothing older. */
export type AnsweredPage = { readonly answers: readonly AnsweredAction[]; readonly next: string | null };

export type Page = { readonly offset: number; readonly limit: number };

export interface Catalog extends TargetCatalog {
  createAgent(agent: AgentRow, first: AgentVersion, audit: AuditRow): Promise<'created' | 'already_exists'>;
  /** Adds version `version.version`; refused unless the agent is at `version.version - 1`. */
  addAgentVersion(version: AgentVersion, audit: AuditRow): Promise<'added' | 'version_conflict' | 'not_found'>;
  /** By id or key. */
  agent(idOrKey: string): Promise<AgentRow | undefined>;
  /** Those that have one of the names for their id or key, in no order. */
  agentsNamed(idsOrKeys: readonly string[]): Promise<readonly AgentRow[]>;
  /** In the order of creation; with `spaces` only those in one of them, with `ids` only those. */
  agents(query: Page & { readonly spaces?: readonly string[]; readonly ids?: readonly string[] }): Promise<readonly AgentRow[]>;
  agentVersion(agentId: string, version: number): Promise<AgentVersion | undefined>;
  agentVersions(agentId: string): Promise<readonly AgentVersion[]>;

  createUser(user: UserRow, audit: AuditRow): Promise<'created' | 'already_exists'>;
  updateUser(id: string, changes: UserChanges, audit: AuditRow): Promise<'updated' | 'not_found' | 'last_admin'>;
  user(id: string): Promise<UserRow | undefined>;
  userByName(username: string): Promise<UserRow | undefined>;
  /** In the order of creation; with `ids` only those. */
  users(query: Page & { readonly ids?: readonly string[] }): Promise<readonly UserRow[]>;
  /** The active admin who was made first. */
  firstAdmin(): Promise<UserRow | undefined>;
  /** `revoked`: the entry of each token that goes with it; its id and subject get the token's id. */
  setPassword(change: PasswordChange, audit: AuditRow, revoked: AuditRow): Promise<'updated' | 'changed_meanwhile' | 'not_found'>;

  addToken(token: TokenRow, audit: AuditRow): Promise<void>;
  /** G8: false when the user is not active, or its password is kept as another hash by now. */
  addTokenByPassword(token: TokenRow, passwordHash: string, audit: AuditRow): Promise<boolean>;
  tokenByHash(hash: string): Promise<TokenRow | undefined>;
  token(userId: string, id: string): Promise<TokenRow | undefined>;
  /** In the order of creation; with `liveAt` only those that have not expired by then. */
  tokensOf(userId: string, query: Page & { readonly liveAt?: number }): Promise<readonly TokenRow[]>;
  /** Coarse: at most once a minute a token. */
  touchToken(id: string, at: number): Promise<void>;
  deleteToken(id: string, audit: AuditRow): Promise<boolean>;

  /** Also forgets those that expired more than a day before. */
  addClientToken(token: ClientTokenRow, audit: AuditRow): Promise<void>;
  /** Not when its session was deleted. */
  clientTokenByHash(hash: string): Promise<ClientTokenRow | undefined>;

  /** Also forgets those that expired more than a day before `at`. */
  addSignInLink(link: SignInLinkRow, at: number): Promise<void>;
  signInLink(hash: string): Promise<SignInLinkRow | undefined>;
  /** Uses the link up and adds the token in one transaction; false, and nothing is done, when it is not there (any more). */
  useSignInLink(hash: string, token: TokenRow, audit: AuditRow): Promise<boolean>;

  createSpace(space: SpaceRow, first: SpaceMember | undefined, audit: AuditRow): Promise<'created' | 'already_exists'>;
  renameSpace(id: string, name: string, audit: AuditRow): Promise<'updated' | 'not_found'>;
  space(id: string): Promise<SpaceRow | undefined>;
  /** In the order of creation; with `ids` only those. */
  spaces(query: Page & { readonly ids?: readonly string[] }): Promise<readonly SpaceRow[]>;
  /** Adds the member or changes its role. */
  putSpaceMember(member: SpaceMember, audit: AuditRow): Promise<void>;
  deleteSpaceMember(spaceId: string, userId: string, audit: AuditRow): Promise<boolean>;
  spaceMembers(spaceId: string, query: Page): Promise<readonly SpaceMember[]>;
  spacesOf(userId: string): Promise<readonly SpaceMember[]>;

  createApplication(application: ApplicationRow, audit: AuditRow): Promise<void>;
  /** Compare-and-set on `version`; `members` replace the ones before. */
  updateApplication(
    id: string,
    version: number,
    changes: ApplicationChanges,
    at: number,
    audit: AuditRow,
  ): Promise<'updated' | 'version_conflict' | 'not_found'>;
  application(id: string): Promise<ApplicationRow | undefined>;
  /** In the order of creation; with `userId` only those that this user owns or is a member of. */
  applications(query: Page & { readonly userId?: string }): Promise<readonly ApplicationRow[]>;
  /** What a user is in the applications that it is a member of. */
  applicationRolesOf(userId: string): Promise<readonly ApplicationRoles[]>;
  /** Ids of the mini-tools that a user may use (ports/minitools.ts). */
  minitoolsOf(userId: string): Promise<readonly string[]>;

  /** G8: false when `rotatedFrom` names a key that is not there, or was revoked. */
  addCredential(credential: CredentialRow, audit: AuditRow): Promise<boolean>;
  credentialByHash(hash: string): Promise<CredentialRow | undefined>;
  credential(applicationId: string, id: string): Promise<CredentialRow | undefined>;
  /** In the order of creation. */
  credentials(applicationId: string, query: Page): Promise<readonly CredentialRow[]>;
  /** False when there is no such key, or it was revoked before. */
  revokeCredential(applicationId: string, id: string, at: number, audit: AuditRow): Promise<boolean>;
  /** Coarse: at most once a minute a key. */
  touchCredential(id: string, at: number): Promise<void>;

  putSecret(secret: SecretRow, audit: AuditRow): Promise<void>;
  secret(name: string): Promise<SecretRow | undefined>;
  secrets(): Promise<readonly SecretRow[]>;
  deleteSecret(name: string, audit: AuditRow): Promise<boolean>;

  /** Keeps `body` (JSON text) under `key` unless something is kept there already; gives back what is kept. */
  keepToolList(key: string, body: string, at: number): Promise<string>;
  toolList(key: string): Promise<string | undefined>;

  addAudit(entry: AuditRow): Promise<void>;
  /** Newest first. `before` is an entry's id: only older ones. */
  audit(query: {
    readonly before?: string;
    readonly limit: number;
    readonly actor?: string;
    readonly action?: string;
    readonly subject?: string;
    readonly sessionId?: string;
  }): Promise<readonly AuditRow[]>;

  /** Answers to required actions of sessions that are there, the newest first (G10). */
  answeredActions(query: AnsweredQuery): Promise<AnsweredPage>;

  setting(name: string): Promise<string | undefined>;
  /** Null takes it back. With an entry of the audit log where a person sets it: both or neither. */
  setSetting(name: string, value: string | null, audit?: AuditRow): Promise<void>;
}
