/**
 * What mini-tools keep: values and secrets.
 *
 * KP1 A value is JSON text of at most 1 MB, and all of a mini-tool's together have at most 50 MB, however many are set at once. It is
 *     durable when `set` is answered.
 * KP2 A secret has a name that the manifest declares. It is kept as ciphertext, to which the mini-tool's id and the name are bound: one
 *     cannot be put in another's place.
 */
import { maySeeSecret } from '@turnkeeper/minitool/manifest';
import { minitoolLimits } from '../app/minitool-limits.ts';
import { sealedName } from '../app/minitools/sealed-name.ts';
import type { SecretBox } from '../app/secrets.ts';
import type { Clock } from '../ports/clock.ts';
import type { MinitoolStore } from '../ports/minitools.ts';
import { type AskingMinitool, type HostApi, MinitoolFailure } from './host-api.ts';

export type KeepingServices = {
  readonly store: Pick<MinitoolStore, 'value' | 'setValue' | 'deleteValue' | 'clearValues' | 'keys' | 'secret' | 'setSecret'>;
  readonly box: SecretBox;
  readonly clock: Clock;
};

export type Keeping = Pick<
  HostApi,
  'storage.get' | 'storage.set' | 'storage.delete' | 'storage.clear' | 'storage.keys' | 'secrets.get' | 'secrets.set' | 'secrets.delete'
>;

const longestKey = 512;
const secretBytes = 64 * 1024;
const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

const invalid = (message: string, details: Record<string, string | number>): MinitoolFailure => new MinitoolFailure('invalid_argument', message, details);

const requireKey = (key: string): void => {
  if (key === '' || bytes(key) > longestKey || key.includes('\0'))
    throw invalid(`key: a text of 1 to ${longestKey} bytes`, { member: 'key', limit: longestKey });
};

const jsonOf = (value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw invalid('value: must be JSON; use delete to take a value away', { member: 'value' });
  if (bytes(text) > minitoolLimits.valueBytes)
    throw invalid(`value: at most ${minitoolLimits.valueBytes} bytes of JSON`, { member: 'value', limit: minitoolLimits.valueBytes });
  return text;
};

const requireDeclared = ({ manifest }: AskingMinitool, name: string): void => {
  if (!maySeeSecret(manifest, name))
    throw new MinitoolFailure('permission_denied', `The secret ${JSON.stringify(name)} is not declared in permissions.secrets.`, {
      field: 'permissions.secrets',
    });
};

export const createKeeping = ({ store, box, clock }: KeepingServices): Keeping => ({
  'storage.get': async ({ id }, { key }) => {
    const text = await store.value(id, key);
    return text === undefined ? {} : { value: JSON.parse(text) as unknown };
  },
  'storage.set': async ({ id }, { key, value }) => {
    requireKey(key);
    if ((await store.setValue(id, key, jsonOf(value), minitoolLimits.valuesBytes)) === 'full')
      throw new MinitoolFailure('payload_too_large', `All values together may have at most ${minitoolLimits.valuesBytes} bytes.`, {
        limit: minitoolLimits.valuesBytes,
      });
    return null;
  },
  'storage.delete': async ({ id }, { key }) => {
    await store.deleteValue(id, key);
    return null;
  },
  'storage.clear': async ({ id }) => {
    await store.clearValues(id);
    return null;
  },
  'storage.keys': ({ id }) => store.keys(id),
  'secrets.get': async (minitool, { key }) => {
    requireDeclared(minitool, key);
    const sealed = await store.secret(minitool.id, key);
    return sealed === undefined ? {} : { value: box.open(sealedName(minitool.id, key), sealed) };
  },
  'secrets.set': async (minitool, { key, value }) => {
    requireDeclared(minitool, key);
    if (bytes(value) > secretBytes) throw invalid(`value: at most ${secretBytes} bytes`, { member: 'value', limit: secretBytes });
    await store.setSecret(minitool.id, key, box.seal(sealedName(minitool.id, key), value), clock.now());
    return null;
  },
  'secrets.delete': async (minitool, { key }) => {
    requireDeclared(minitool, key);
    await store.setSecret(minitool.id, key, null, clock.now());
    return null;
  },
});
