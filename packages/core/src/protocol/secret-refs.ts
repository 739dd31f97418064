/** References to secrets within a JSON value, such as the body of an HTTP tool: `{"$secret": "NAME"}` where a value may stand. */
import type { Json } from './json.ts';
import { secretName } from './wire/identity.ts';

export const soundSecretRefs = 'a reference to a secret is {"$secret": "NAME"} and nothing beside it';

/** The name that the value is a reference to; undefined when it is no reference. */
export const secretRefName = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { $secret: name, ...others } = value as { readonly [member: string]: unknown };
  return typeof name === 'string' && Object.keys(others).length === 0 ? name : undefined;
};

/** True when all that looks like a reference is one: what is not would be sent as it stands. */
export const hasSoundSecretRefs = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (!Object.hasOwn(value, '$secret')) return Object.values(value).every(hasSoundSecretRefs);
  const name = secretRefName(value);
  return name !== undefined && secretName.safeParse(name).success;
};

/** The value with each of its references replaced. */
export const replaceSecretRefs = (value: Json, by: (name: string) => Json): Json => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => replaceSecretRefs(entry, by));
  const name = secretRefName(value);
  if (name !== undefined) return by(name);
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, replaceSecretRefs(inner as Json, by)]));
};

/** The names that it refers to, each once. */
export const secretRefsIn = (value: Json): readonly string[] => {
  const names = new Set<string>();
  replaceSecretRefs(value, (name) => {
    names.add(name);
    return null;
  });
  return [...names];
};
