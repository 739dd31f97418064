/** Values of a mini-tool's settings, held to the fields that its manifest declares. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { DescribedField } from '../../ports/minitool-host.ts';

const isListOfTexts = (value: Json): boolean => Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** What is wrong with a value; types that are not known take everything, as packages are written for other hosts, too. */
const faultOf = (field: DescribedField, value: Json): string | undefined => {
  const known = new Set(field.options.map((option) => option.value));
  const choices = [...known].join(', ');
  switch (field.type) {
    case 'text':
    case 'password':
    case 'textarea':
      return typeof value === 'string' ? undefined : 'a text is wanted';
    case 'number':
      return typeof value === 'number' ? undefined : 'a number is wanted';
    case 'boolean':
    case 'toggle':
      return typeof value === 'boolean' ? undefined : 'true or false is wanted';
    case 'select':
      if (typeof value !== 'string') return 'a text is wanted';
      return known.size === 0 || known.has(value) ? undefined : `one of: ${choices}`;
    case 'multiselect':
      if (!isListOfTexts(value)) return 'a list of texts is wanted';
      return known.size === 0 || (value as readonly string[]).every((entry) => known.has(entry)) ? undefined : `some of: ${choices}`;
  }
  return undefined;
};

const pointerOf = (key: string): string => `/settings/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The settings after a change: null takes one back to its default. Throws `validation_failed` with every fault. */
export const changedSettings = (before: JsonObject, given: JsonObject, fields: readonly DescribedField[]): JsonObject => {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const errors = Object.entries(given).flatMap(([key, value]) => {
    const field = byKey.get(key);
    if (!field) return [{ pointer: pointerOf(key), detail: 'there is no such setting' }];
    const detail = value === null ? undefined : faultOf(field, value);
    return detail === undefined ? [] : [{ pointer: pointerOf(key), detail }];
  });
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '), { errors });
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== null));
};
