/**
 * Port: what administration keeps — agents with their versions, users, tokens.
 *
 * Contract
 * G1 Writes are durable when their promise resolves. G2 A version is immutable once written.
 * G3 A stale `version` is refused (`version_conflict`), a name that is taken with `already_exists`: returned as values.
 * G4 Secrets and tokens are kept as hashes or ciphertext, never as themselves.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';

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
  readonly createdAt: number;
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

export interface Catalog {
  createAgent(agent: AgentRow, first: AgentVersion): Promise<'created' | 'already_exists'>;
  /** Adds version `version.version`; refused unless the agent is at `version.version - 1`. */
  addAgentVersion(version: AgentVersion): Promise<'added' | 'version_conflict' | 'not_found'>;
  /** By id or key. */
  agent(idOrKey: string): Promise<AgentRow | undefined>;
  agents(query: { readonly offset: number; readonly limit: number }): Promise<readonly AgentRow[]>;
  agentVersion(agentId: string, version: number): Promise<AgentVersion | undefined>;
  agentVersions(agentId: string): Promise<readonly AgentVersion[]>;

  createUser(user: UserRow): Promise<'created' | 'already_exists'>;
  user(id: string): Promise<UserRow | undefined>;
  userByName(username: string): Promise<UserRow | undefined>;
  users(): Promise<readonly UserRow[]>;

  addToken(token: TokenRow): Promise<void>;
  tokenByHash(hash: string): Promise<TokenRow | undefined>;
  tokensOf(userId: string): Promise<readonly TokenRow[]>;
  /** Coarse: at most once a minute a token. */
  touchToken(id: string, at: number): Promise<void>;
  deleteToken(id: string): Promise<boolean>;

  setting(name: string): Promise<string | undefined>;
  setSetting(name: string, value: string): Promise<void>;
}
