/**
 * The settings of a mini-tool as they are kept.
 *
 * ST1 The value of a field that is secret is kept as ciphertext, to which the mini-tool and the field are bound; it is opened for the
 *     mini-tool's own process only, also where a later version calls the field secret no more.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { DescribedField } from '../../ports/minitool-host.ts';
import type { MinitoolRow } from '../../ports/minitools.ts';
import type { SecretBox } from '../secrets.ts';

type Sealed = { readonly $sealed: string };

const nameOf = (minitoolId: string, key: string): string => `minitool-setting:${minitoolId}:${key}`;

export const isSealed = (value: Json | undefined): value is Sealed => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.keys(value).length === 1 && typeof (value as JsonObject)['$sealed'] === 'string';
};

const mapped = (settings: JsonObject, change: (key: string, value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, change(key, value as Json)]));

/** The settings after a change: those of secret fields that were given just now are sealed, and those that were kept in plain text. */
export const sealedSettings = (
  box: SecretBox,
  { id, settings: before }: Pick<MinitoolRow, 'id' | 'settings'>,
  settings: JsonObject,
  fields: readonly DescribedField[],
): JsonObject => {
  const secret = new Set(fields.flatMap((field) => (field.secret ? [field.key] : [])));
  const isKept = (key: string, value: Json): boolean => value === before[key] && isSealed(value);
  return mapped(settings, (key, value) => (!secret.has(key) || isKept(key, value) ? value : { $sealed: box.seal(nameOf(id, key), JSON.stringify(value)) }));
};

/** Throws where this server's key does not open one (SE2). */
export const openedSettings = (box: SecretBox, { id, settings }: Pick<MinitoolRow, 'id' | 'settings'>): JsonObject =>
  mapped(settings, (key, value) => (isSealed(value) ? (JSON.parse(box.open(nameOf(id, key), value.$sealed)) as Json) : value));
