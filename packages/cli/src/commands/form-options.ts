/** `--value name=value` of `turnkeeper answer`: the fields of a form, and the JSON of a signal. */
import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { formFields } from '@turnkeeper/core/protocol/form-fields';
import type { Json } from '@turnkeeper/core/protocol/json';
import { type FormValues, readField } from '../chat/fill-in-form.ts';
import { UsageError } from '../exit-codes.ts';

/** Throws UsageError for a name that no field has, and for what is no value of its field. What is missing the server says. */
export const formValues = ({ form }: OpenAction, given: readonly string[]): FormValues => {
  const fields = formFields(form?.schema ?? {});
  const values: { [name: string]: Json } = {};
  for (const text of given) {
    const [, name = '', typed = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
    const field = fields.find((each) => each.name === name);
    if (!field) throw new UsageError(`--value "${text}" names no field. Fields: ${fields.map((each) => each.name).join(', ')}`);
    const value = readField(field, typed);
    if (value === undefined) {
      const wanted = field.options.length === 0 ? `is no ${field.kind}` : `is none of: ${field.options.join(', ')}`;
      throw new UsageError(`--value for ${name}: "${typed}" ${wanted}`);
    }
    values[name] = value;
  }
  // As if nobody had touched them in the page.
  const untouched = fields.flatMap(({ name, initial }) => (initial === undefined || Object.hasOwn(values, name) ? [] : [[name, initial] as const]));
  return { ...Object.fromEntries(untouched), ...values };
};

export const signalPayload = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UsageError('--payload must be JSON; a text stands between quotes: --payload \'"arrived"\'');
  }
};
