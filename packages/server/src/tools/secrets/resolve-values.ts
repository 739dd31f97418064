/**
 * Headers and environments with their secrets put in.
 *
 * Y2 A secret that is missing fails what wanted it, by name; it is never sent as something else.
 */
import type { SecretRef } from '@turnkeeper/core/protocol/wire/agents';
import type { Secrets } from '../../ports/secrets.ts';
import { createRedaction, type Redaction } from './redaction.ts';

export type NamedValues = { readonly [name: string]: string | SecretRef };

export type ResolvedValues = {
  readonly values: Readonly<Record<string, string>>;
  /** Names of the values that came from a secret: these are never filled in from a call's input. */
  readonly secret: ReadonlySet<string>;
  readonly redaction: Redaction;
};

/** A secret that the definition names is not there. The message names it, and what wanted it. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

export const resolveValues = async (secrets: Secrets, named: NamedValues = {}): Promise<ResolvedValues> => {
  const used = new Map<string, string>();
  const values: Record<string, string> = {};
  const secret = new Set<string>();
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === 'string') {
      values[name] = value;
      continue;
    }
    const found = await secrets.resolve(value.$secret);
    if (found === undefined) throw new SecretMissing(`The secret "${value.$secret}", which "${name}" needs, is not set. An admin can set it.`);
    used.set(value.$secret, found);
    values[name] = found;
    secret.add(name);
  }
  return { values, secret, redaction: createRedaction(used) };
};
