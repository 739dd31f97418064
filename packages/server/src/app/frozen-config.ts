/**
 * What a session froze at its creation: its target with all that it needs, and the session's own limits.
 *
 * Stored once by its hash, so that many sessions of one version share it. Secrets are never in it: definitions refer
 * to them by name, and they are resolved when they are used.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { defaultRules, type SessionRules } from '@turnkeeper/core/session/commands';

export type FrozenAgent = {
  readonly type: 'agent';
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly definition: AgentDefinition;
};

export type FrozenConfig = {
  readonly target: FrozenAgent;
  /** Running time of a turn; null = no limit. */
  readonly timeoutSeconds: number | null;
};

/** The hash by which a configuration is stored. */
export const configRef = (config: FrozenConfig): string => createHash('sha256').update(canonicalJson(config)).digest('base64url').slice(0, 32);

/** What decisions take from the configuration. */
export const rulesOf = (config: FrozenConfig): SessionRules => ({ ...defaultRules, maxSteps: config.target.definition.maxIters });
