/**
 * Headers, environments and bodies with their secrets put in.
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
  /** The value of a secret that `others` names. */
  readonly other: (name: string) => string;
  readonly redaction: Redaction;
};

/** A secret that the definition names is not there. The message names it, and what wanted it. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

/** `others`: names of secrets that `place` needs besides. */
export const resolveValues = async (
  secrets: Secrets,
  named: NamedValues = {},
  { others = [], place = '' }: { readonly others?: readonly string[]; readonly place?: string } = {},
): Promise<ResolvedValues> => {
  const used = new Map<string, string>();
  const secretFor = async (secretName: string, wantedBy: string): Promise<string> => {
    const found = used.get(secretName) ?? (await secrets.resolve(secretName));
    if (found === undefined) throw new SecretMissing(`The secret "${secretName}", which "${wantedBy}" needs, is not set. An admin can set it.`);
    used.set(secretName, found);
    return found;
  };
  const values: Record<string, string> = {};
  const secret = new Set<string>();
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === 'string') {
      values[name] = value;
      continue;
    }
    values[name] = await secretFor(value.$secret, name);
    secret.add(name);
  }
  for (const name of others) await secretFor(name, place);
  return { values, secret, other: (name) => used.get(name) ?? '', redaction: createRedaction(used) };
};
