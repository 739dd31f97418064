/** What somebody typed into a form, as the values that it is submitted with. */
import { type FormField, typedValue } from '@turnkeeper/core/protocol/form-fields';
import type { Json } from '@turnkeeper/core/protocol/json';

/** Of a list with options: those that are chosen; of all else what was typed. */
export type FieldDraft = string | readonly string[];
export type FormDrafts = { readonly [name: string]: FieldDraft };

/** A field before anybody touched it. */
export const firstDraft = ({ kind, options, initial }: FormField): FieldDraft => {
  if (kind === 'list' && options.length > 0) return Array.isArray(initial) ? initial.map(String) : [];
  if (initial === undefined) return '';
  return Array.isArray(initial) ? initial.join(', ') : String(initial);
};

const isEmpty = (draft: FieldDraft): boolean => (typeof draft === 'string' ? draft.trim() === '' : draft.length === 0);

export const draftOf = (field: FormField, drafts: FormDrafts): FieldDraft => drafts[field.name] ?? firstDraft(field);

/** Undefined while something is missing, or is no value of its field; what the schema says beyond that the server tells. */
export const valuesOf = (fields: readonly FormField[], drafts: FormDrafts): { readonly [name: string]: Json } | undefined => {
  const values: { [name: string]: Json } = {};
  for (const field of fields) {
    // Left as it was: as it was given, not as it is shown.
    if (drafts[field.name] === undefined && field.initial !== undefined) {
      values[field.name] = field.initial;
      continue;
    }
    const draft = draftOf(field, drafts);
    if (isEmpty(draft)) {
      if (field.required) return undefined;
      continue;
    }
    const value = typedValue(field, draft);
    if (value === undefined) return undefined;
    values[field.name] = value;
  }
  return values;
};
