/** A mini-tool's settings as a form has them, and what of it has changed. */
import type { Json } from '@turnkeeper/core/protocol/json';
import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';

export type SettingsField = MinitoolDetails['settingsFields'][number];
export type SettingValues = { readonly [key: string]: Json };

export const isSwitch = ({ type }: SettingsField): boolean => type === 'boolean' || type === 'toggle';

/** What the form begins with: what was set, else the default. A secret begins empty: it is never read back. */
export const beginningOf = (field: SettingsField, set: SettingValues): Json => {
  if (field.secret) return '';
  const value = set[field.key] ?? field.default;
  if (value !== null && value !== undefined) return value;
  if (isSwitch(field)) return false;
  return field.type === 'multiselect' ? [] : '';
};

const sent = (field: SettingsField, value: Json): Json => {
  // Empty is the default again.
  if (value === '') return null;
  return field.type === 'number' ? Number(value) : value;
};

/** Only what was changed is sent; a secret that was left empty stays. */
export const changedValues = (fields: readonly SettingsField[], set: SettingValues, values: SettingValues): SettingValues =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const before = beginningOf(field, set);
      const value = values[field.key] ?? before;
      return JSON.stringify(before) === JSON.stringify(value) ? [] : [[field.key, sent(field, value)]];
    }),
  );

/** Numbers that are none. */
export const faultyFields = (fields: readonly SettingsField[], values: SettingValues): readonly string[] =>
  fields.flatMap(({ key, type }) =>
    type === 'number' && values[key] !== undefined && values[key] !== '' && !Number.isFinite(Number(values[key])) ? [key] : [],
  );
