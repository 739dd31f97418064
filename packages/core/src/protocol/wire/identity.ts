/**
 * People, keys and what they may do, on the wire: users, tokens, spaces, applications, credentials, secrets, audit.
 *
 * Requests are strict, as with agents: a misspelt scope or role that went unnoticed would leave a door open or shut.
 */
import { z } from 'zod';
import { limits } from './limits.ts';

const id = z.string().min(1).max(200);
const title = z.string().trim().min(1).max(200);
/** Lower case letters, digits and `. _ -`: names that stand in addresses. */
const slug = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: 'lower case letters, digits, . _ -, at most 64' });
const time = z.int();
/** Unix milliseconds; null = never. */
const timeOrNull = z.int().nullable();
const version = z.int().min(1).max(limits.version);

// ——— users ———

export const userRole = z.enum(['admin', 'user']);
export const userStatus = z.enum(['active', 'disabled']);
const username = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._@+-]{0,99}$/, { error: 'letters, digits, . _ @ + -, at most 100' });
/** Long rather than odd: length is what makes a password hard to guess. */
export const password = z.string().min(10, { error: 'at least 10 characters' }).max(1_000);

export const userResource = z.object({
  id: z.string(),
  username: z.string(),
  displayName: z.string(),
  roles: z.array(z.string()),
  status: userStatus,
  /** Whether a password is set: without one a user signs in by tokens only. */
  hasPassword: z.boolean(),
  createdAt: time,
});
export const createUserRequest = z.strictObject({
  username,
  displayName: title.optional(),
  roles: z.array(userRole).max(2).default(['user']),
  password: password.optional(),
});
export const patchUserRequest = z.strictObject({
  displayName: title.optional(),
  roles: z.array(userRole).min(1).max(2).optional(),
  status: userStatus.optional(),
});
/** Setting one's own password wants the present one, where there is one; an admin resets any other user's without. */
export const setPasswordRequest = z.strictObject({ password, currentPassword: z.string().max(1_000).optional() });
export const userAnswer = z.object({ user: userResource });

/** A single-use sign-in link's token, or a token that is already valid: both give a token for this browser. */
export const signInLinkRequest = z.object({ token: z.string().min(1) });
export const signInRequest = z.object({ username: z.string().min(1).max(200), password: z.string().min(1).max(1_000) });
export const signInAnswer = z.object({ token: z.string(), user: userResource });
/** Of an application's key: who it is and what it may. */
export const keyResource = z.object({
  id: z.string(),
  applicationId: z.string(),
  applicationName: z.string(),
  scopes: z.array(z.string()),
  targets: z.array(z.object({ type: z.string(), id: z.string() })),
});
/** A token for a browser: what it is for. */
const clientResource = z.object({ id: z.string(), sessionId: z.string(), scopes: z.array(z.string()) });
/** `user` for a user's token, `key` for an application's key, `client` for a token that was made for a browser. */
export const meAnswer = z.object({ user: userResource.optional(), key: keyResource.optional(), client: clientResource.optional() });

// ——— personal tokens ———

export const tokenResource = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  /** The token of this very request. */
  current: z.boolean(),
});
export const createTokenRequest = z.strictObject({ name: title, expiresAt: z.int().min(0).optional() });
/** `token` is shown here and never again. */
export const createdToken = z.object({ token: z.string(), personalToken: tokenResource });

// ——— spaces ———

/** A `manager` changes the space and its members; a `member` sees its sessions and agents. */
export const spaceRole = z.enum(['manager', 'member']);
export const spaceMember = z.strictObject({ userId: id, role: spaceRole.default('member') });
export const spaceResource = z.object({ id: z.string(), name: z.string(), createdAt: time, role: spaceRole.nullable() });
export const createSpaceRequest = z.strictObject({ id: slug, name: title.optional() });
export const patchSpaceRequest = z.strictObject({ name: title });
export const spaceAnswer = z.object({ space: spaceResource });
export const spaceMemberResource = z.object({ userId: z.string(), username: z.string(), displayName: z.string(), role: spaceRole });
export const putMemberRequest = z.strictObject({ role: spaceRole.default('member') });

// ——— applications and their keys ———

export const applicationRole = z.enum(['viewer', 'operator', 'approver']);
export const applicationMember = z.strictObject({ userId: id, roles: z.array(applicationRole).min(1).max(3) });
export const applicationStatus = z.enum(['active', 'disabled']);
/** Running root turns at once, over all keys and sessions. */
const maxConcurrent = z.int().min(1).max(1_000_000).nullable();
/** Tokens, by reported usage, after which new turns are refused. */
const tokenBudget = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();
/** Unfinished turns, over all sessions. */
const maxUnfinished = z.int().min(1).max(1_000_000).nullable();
const members = z
  .array(applicationMember)
  .max(200)
  .refine((list) => new Set(list.map((member) => member.userId)).size === list.length, { error: 'each user once' });

export const applicationResource = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: applicationStatus,
  /** Null = no limit. */
  maxConcurrent,
  tokenBudget,
  maxUnfinished,
  /** What is used of the limits now. */
  usage: z.object({ running: z.int(), unfinished: z.int(), tokens: z.int() }),
  members: z.array(applicationMember),
  ownerId: z.string(),
  version: z.int(),
  createdAt: time,
  updatedAt: time,
});
export const createApplicationRequest = z.strictObject({
  name: title,
  description: z.string().max(2_000).default(''),
  maxConcurrent: maxConcurrent.default(null),
  tokenBudget: tokenBudget.default(null),
  maxUnfinished: maxUnfinished.default(null),
  members: members.default([]),
});
export const patchApplicationRequest = z.strictObject({
  version,
  name: title.optional(),
  description: z.string().max(2_000).optional(),
  status: applicationStatus.optional(),
  maxConcurrent: maxConcurrent.optional(),
  tokenBudget: tokenBudget.optional(),
  maxUnfinished: maxUnfinished.optional(),
  members: members.optional(),
});
export const applicationAnswer = z.object({ application: applicationResource });

export const scopes = ['invoke', 'read', 'interact', 'cancel', 'webhooks:write'] as const;
export const scope = z.enum(scopes);
/** What a key may be used for. `id` names one target, by id or key; `*` = every one of its type that stands in the space "default". */
export const targetGrant = z.strictObject({ type: z.enum(['agent', 'team', 'workflow']), id });
export const credentialResource = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key, to tell keys apart. */
  prefix: z.string(),
  scopes: z.array(scope),
  targets: z.array(targetGrant),
  createdAt: time,
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
  /** The credential that this one was made from by rotation. */
  rotatedFrom: z.string().nullable(),
});
export const createCredentialRequest = z.strictObject({
  name: title,
  scopes: z.array(scope).min(1).max(scopes.length),
  targets: z.array(targetGrant).min(1).max(200),
  expiresAt: z.int().min(0).optional(),
});
/** Empty: the new key gets the old one's name, scopes, grants and expiry. */
export const rotateCredentialRequest = z.strictObject({ expiresAt: z.int().min(0).nullable().optional() });
/** `apiKey` is shown here and never again. */
export const createdCredential = z.object({ credential: credentialResource, apiKey: z.string() });

// ——— secrets ———

export const secretName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,99}$/, { error: 'a letter, then letters, digits, _ . -, at most 100' });
export const putSecretRequest = z.strictObject({ value: z.string().min(1).max(65_536) });
/** The value is never read back. */
export const secretResource = z.object({ name: z.string(), updatedAt: time, updatedBy: z.string() });

// ——— audit ———

export const auditEntry = z.object({
  id: z.string(),
  at: time,
  /** `user:<id>`, `app:<id>` or `system`. */
  actor: z.string(),
  /** The name that the actor had then. */
  actorName: z.string(),
  /** The token or key that was used. */
  credentialId: z.string().nullable(),
  /** The address that the request came from. */
  address: z.string().nullable(),
  /** What was done, e.g. `user.created`, `action.answered`. */
  action: z.string(),
  /** To what, e.g. `user:<id>`, `session:<id>`. */
  subject: z.string(),
  sessionId: z.string().nullable(),
  details: z.record(z.string(), z.json()),
});
/** Every `action` that there is. */
export const auditActions = [
  'user.created',
  'user.changed',
  'user.password_set',
  'user.signed_in',
  'token.created',
  'token.revoked',
  'space.created',
  'space.changed',
  'space.member_set',
  'space.member_removed',
  'application.created',
  'application.changed',
  'credential.created',
  'credential.rotated',
  'credential.revoked',
  'agent.created',
  'agent.changed',
  'team.created',
  'team.changed',
  'workflow.created',
  'workflow.changed',
  'workflow.published',
  'secret.set',
  'secret.deleted',
  'session.deleted',
  'session.context_restored',
  'session.forked',
  'session.imported',
  'budget.set',
  'action.answered',
  'schedule.created',
  'schedule.changed',
  'schedule.deleted',
  'client_token.created',
  'webhook.created',
  'webhook.resumed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'minitool.installed',
  'minitool.updated',
  'minitool.changed',
  'minitool.enabled',
  'minitool.disabled',
  'minitool.broken',
  'minitool.removed',
  'minitool.secret_set',
  'minitool.secret_deleted',
  'minitool.default_agent_set',
  'minitool.locale_set',
] as const;
export const auditQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .transform((value) => Math.min(value, limits.pageSize)),
  /** A page cursor: `next_cursor` of the page before. */
  after: z.string().optional(),
  actor: z.string().optional(),
  action: z.string().optional(),
  subject: z.string().optional(),
  session: z.string().optional(),
});
export const auditPage = z.object({ data: z.array(auditEntry), next_cursor: z.string().nullable(), has_more: z.boolean() });

export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  error: z.string(),
  request_id: z.string(),
});
export type UserResource = z.infer<typeof userResource>;
export type MeAnswer = z.infer<typeof meAnswer>;
export type CreateUserRequest = z.infer<typeof createUserRequest>;
export type PatchUserRequest = z.infer<typeof patchUserRequest>;
export type SetPasswordRequest = z.infer<typeof setPasswordRequest>;
export type TokenResource = z.infer<typeof tokenResource>;
export type CreateTokenRequest = z.infer<typeof createTokenRequest>;
export type CreatedToken = z.infer<typeof createdToken>;
export type SpaceRole = z.infer<typeof spaceRole>;
export type SpaceResource = z.infer<typeof spaceResource>;
export type CreateSpaceRequest = z.infer<typeof createSpaceRequest>;
export type SpaceMemberResource = z.infer<typeof spaceMemberResource>;
export type ApplicationRole = z.infer<typeof applicationRole>;
export type ApplicationMember = z.infer<typeof applicationMember>;
export type ApplicationResource = z.infer<typeof applicationResource>;
export type CreateApplicationRequest = z.infer<typeof createApplicationRequest>;
export type PatchApplicationRequest = z.infer<typeof patchApplicationRequest>;
export type Scope = z.infer<typeof scope>;
export type TargetGrant = z.infer<typeof targetGrant>;
export type CredentialResource = z.infer<typeof credentialResource>;
export type CreateCredentialRequest = z.infer<typeof createCredentialRequest>;
export type CreatedCredential = z.infer<typeof createdCredential>;
export type SecretResource = z.infer<typeof secretResource>;
export type AuditEntry = z.infer<typeof auditEntry>;
export type AuditPage = z.infer<typeof auditPage>;
