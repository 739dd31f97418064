/** Sample rows of the catalog. */
import type { AgentRow, AgentVersion, ApplicationRow, CredentialRow, SecretRow, TokenRow, UserRow } from '../../ports/catalog.ts';
import type { RevisionRow, TeamRow, TeamVersion, WorkflowRow } from '../../ports/catalog-targets.ts';
import { sampleTime, unique } from './samples.ts';

/** A page that holds all that a test makes. */
export const wholeList = { offset: 0, limit: 1_000 };

export const sampleAgent = (over: Partial<AgentRow> = {}): AgentRow => ({
  id: unique('agent_'),
  key: unique('key-'),
  displayName: 'Helper "ä"',
  description: '',
  space: 'default',
  version: 1,
  createdAt: sampleTime,
  updatedAt: sampleTime,
  ...over,
});

export const sampleVersion = (agentId: string, version: number): AgentVersion => ({
  agentId,
  version,
  definition: { model: 'demo', tools: [{ name: 'a', nested: [1, null, true, 'ü'] }] },
  createdAt: sampleTime + version,
  createdBy: 'user_1',
});

export const sampleTeam = (over: Partial<TeamRow> = {}): TeamRow => ({
  ...{ id: unique('team_'), name: 'Team "ä"', description: '', space: 'default', version: 1, createdAt: sampleTime, updatedAt: sampleTime },
  ...over,
});

export const sampleTeamVersion = (teamId: string, version: number): TeamVersion => ({
  ...{ teamId, version, createdAt: sampleTime + version, createdBy: 'user_1' },
  definition: { leader: { agentId: 'agent_1' }, members: [{ name: 'a', role: 'ü' }] },
});

export const sampleWorkflow = (over: Partial<WorkflowRow> = {}): WorkflowRow => ({
  ...{ id: unique('wf_'), name: 'Flow "ä"', space: 'default', version: 1, revisions: 0, createdAt: sampleTime, updatedAt: sampleTime },
  draftSpec: { nodes: [{ key: 'a', nested: [1, null, true, 'ü'] }] },
  faults: [{ pointer: '/nodes/0/type', code: 'shape', severity: 'error', detail: 'ü' }],
  ...over,
});

export const sampleRevision = (workflowId: string, n: number): RevisionRow => ({
  ...{ id: unique('wfr_'), workflowId, n, createdAt: sampleTime + n, createdBy: 'user_1' },
  spec: { nodes: [{ key: 'a', type: 'signal', signalName: 'ü' }], edges: [] },
});

export const sampleUser = (over: Partial<UserRow> = {}): UserRow => ({
  id: unique('user_'),
  username: unique('name-'),
  displayName: 'Ada',
  roles: ['user'],
  status: 'active',
  passwordHash: null,
  createdAt: sampleTime,
  ...over,
});

export const sampleToken = (userId: string, over: Partial<TokenRow> = {}): TokenRow => ({
  id: unique('tok_'),
  userId,
  name: 'laptop',
  hash: unique('hash'),
  createdAt: sampleTime,
  expiresAt: null,
  lastUsedAt: null,
  ...over,
});

export const sampleApplication = (over: Partial<ApplicationRow> = {}): ApplicationRow => ({
  id: unique('app_'),
  name: 'Billing "ß"',
  description: '',
  status: 'active',
  maxConcurrent: null,
  tokenBudget: null,
  maxUnfinished: null,
  ownerId: unique('user_'),
  members: [],
  version: 1,
  createdAt: sampleTime,
  updatedAt: sampleTime,
  ...over,
});

export const sampleCredential = (applicationId: string, over: Partial<CredentialRow> = {}): CredentialRow => ({
  id: unique('key_'),
  applicationId,
  name: 'production',
  prefix: 'tka_abc',
  hash: unique('hash'),
  scopes: ['invoke', 'read'],
  targets: [
    { type: 'agent', id: '*' },
    { type: 'team', id: 'team_1' },
  ],
  createdAt: sampleTime,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  rotatedFrom: null,
  ...over,
});

export const sampleSecret = (over: Partial<SecretRow> = {}): SecretRow => ({
  name: unique('secret_'),
  ciphertext: 'v1:AAAA',
  updatedAt: sampleTime,
  updatedBy: 'user_1',
  ...over,
});
