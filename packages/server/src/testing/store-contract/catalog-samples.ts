/** Sample rows of the catalog. */
import type { AgentRow, AgentVersion, TokenRow, UserRow } from '../../ports/catalog.ts';
import { sampleTime, unique } from './samples.ts';

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

export const sampleUser = (over: Partial<UserRow> = {}): UserRow => ({
  id: unique('user_'),
  username: unique('name-'),
  displayName: 'Ada',
  roles: ['user'],
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
