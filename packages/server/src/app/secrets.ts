/**
 * Secrets as they are kept, and as tools use them.
 *
 * SE1 A value is kept as ciphertext only (AES-256-GCM, a fresh nonce each time); its name is bound in, so that one value
 *     cannot be put in another's place. It leaves through `resolve` only: no route answers it.
 * SE2 What this server's key does not open is an error that names the secret, never an empty or a wrong value.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Catalog } from '../ports/catalog.ts';
import type { Secrets } from '../ports/secrets.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1';

const boundName = (name: string): Buffer => Buffer.from(`turnkeeper:secret:${name}`);

const cannotOpen = (name: string): TurnkeeperError =>
  new TurnkeeperError(
    'internal_error',
    `The secret ${name} cannot be opened with this server’s key (TURNKEEPER_SECRET_KEY, or secret.key in the data folder).`,
    {
      secret: name,
    },
  );

export type SecretBox = {
  readonly seal: (name: string, value: string) => string;
  /** Throws when the text was sealed with another key or under another name, or was changed (SE2). */
  readonly open: (name: string, sealed: string) => string;
};

/** `key`: 32 bytes. */
export const createSecretBox = (key: Buffer): SecretBox => ({
  seal: (name, value) => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(boundName(name));
    const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
  },
  open: (name, sealed) => {
    const [form, body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    if (form !== version || bytes.length < nonceBytes + tagBytes) throw cannotOpen(name);
    const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    cipher.setAAD(boundName(name));
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return Buffer.concat([cipher.update(bytes.subarray(nonceBytes + tagBytes)), cipher.final()]).toString('utf8');
    } catch {
      throw cannotOpen(name);
    }
  },
});

/** What tools get their secrets from, read anew at each use. */
export const createSecrets = (catalog: Pick<Catalog, 'secret'>, box: SecretBox): Secrets => ({
  resolve: async (name) => {
    const row = await catalog.secret(name);
    return row && box.open(name, row.ciphertext);
  },
});

/** The values of those of `names` that there are, and that this server's key opens. */
export const openedSecrets = async (catalog: Pick<Catalog, 'secrets'>, box: SecretBox, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const values = new Map<string, string>();
  for (const { name, ciphertext } of await catalog.secrets()) {
    if (!names.includes(name)) continue;
    try {
      values.set(name, box.open(name, ciphertext));
    } catch {
      // It is as if it were not there: a start says which those are (`unopenedSecrets`).
    }
  }
  return values;
};

/** The names of secrets that this server's key does not open: said at a start, when somebody looks. */
export const unopenedSecrets = async (catalog: Pick<Catalog, 'secrets'>, box: SecretBox): Promise<readonly string[]> => {
  const opens = (name: string, ciphertext: string): boolean => {
    try {
      box.open(name, ciphertext);
      return true;
    } catch {
      return false;
    }
  };
  return (await catalog.secrets()).filter(({ name, ciphertext }) => !opens(name, ciphertext)).map(({ name }) => name);
};
