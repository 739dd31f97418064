/** Rows of the catalog's tables and the port's types, both ways. Numbers may arrive as text (PostgreSQL's bigint). */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentRow, AgentVersion, TokenRow, UserRow } from '../../ports/catalog.ts';
import type { SqlRow } from './catalog-database.ts';
import type { CatalogTables } from './schema.ts';

const text = (row: SqlRow, column: string): string => String(row[column]);
const number = (row: SqlRow, column: string): number => Number(row[column]);
const numberOrNull = (row: SqlRow, column: string): number | null => (row[column] === null ? null : Number(row[column]));

export const agentOf = (row: SqlRow): AgentRow => ({
  id: text(row, 'id'),
  key: text(row, 'key'),
  displayName: text(row, 'display_name'),
  description: text(row, 'description'),
  space: text(row, 'space'),
  version: number(row, 'version'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
});
export const agentValues = (agent: AgentRow): CatalogTables['agents'] => ({
  id: agent.id,
  key: agent.key,
  display_name: agent.displayName,
  description: agent.description,
  space: agent.space,
  version: agent.version,
  created_at: agent.createdAt,
  updated_at: agent.updatedAt,
});

export const versionOf = (row: SqlRow): AgentVersion => ({
  agentId: text(row, 'agent_id'),
  version: number(row, 'version'),
  definition: JSON.parse(text(row, 'definition')) as JsonObject,
  createdAt: number(row, 'created_at'),
  createdBy: text(row, 'created_by'),
});
export const versionValues = (version: AgentVersion): CatalogTables['agent_versions'] => ({
  agent_id: version.agentId,
  version: version.version,
  definition: JSON.stringify(version.definition),
  created_at: version.createdAt,
  created_by: version.createdBy,
});

export const userOf = (row: SqlRow): UserRow => ({
  id: text(row, 'id'),
  username: text(row, 'username'),
  displayName: text(row, 'display_name'),
  roles: JSON.parse(text(row, 'roles')) as UserRow['roles'],
  createdAt: number(row, 'created_at'),
});
export const userValues = (user: UserRow): CatalogTables['users'] => ({
  id: user.id,
  username: user.username,
  display_name: user.displayName,
  roles: JSON.stringify(user.roles),
  created_at: user.createdAt,
});

export const tokenOf = (row: SqlRow): TokenRow => ({
  id: text(row, 'id'),
  userId: text(row, 'user_id'),
  name: text(row, 'name'),
  hash: text(row, 'hash'),
  createdAt: number(row, 'created_at'),
  expiresAt: numberOrNull(row, 'expires_at'),
  lastUsedAt: numberOrNull(row, 'last_used_at'),
});
export const tokenValues = (token: TokenRow): CatalogTables['tokens'] => ({
  id: token.id,
  user_id: token.userId,
  name: token.name,
  hash: token.hash,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt,
});
