/** A form in the terminal: one line a field. */
import { type FormField, formFields, labelOf, typedValue } from '@turnkeeper/core/protocol/form-fields';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { Form } from '@turnkeeper/core/session/events';
import { oneLine, printable } from '../output/printable.ts';

export type FormValues = { readonly [name: string]: Json };
type Ask = (question: string) => Promise<string | undefined>;
type Show = (line: string) => void;

/** The lines above the first field. */
export const formLines = ({ title, description }: Form): readonly string[] => [printable(title), ...(description ? [printable(description)] : [])];

const wanted = ({ kind, options }: FormField): string => {
  switch (kind) {
    case 'choice':
      return 'number or words';
    case 'list':
      return options.length > 0 ? 'numbers or words, with commas between' : 'texts, with commas between';
    case 'boolean':
      return 'yes or no';
    case 'number':
      return 'a number';
    case 'text':
      return 'a text';
  }
};

/** An option by its words or, where none has these, by what people read for it, or by its number, as with questions. */
const named = (field: FormField, typed: string): string => {
  const text = typed.trim();
  const { options } = field;
  if (options.some((option) => String(option) === text)) return text;
  const option = options.find((each) => labelOf(field, each) === text) ?? (/^\d+$/.test(text) ? options[Number(text) - 1] : undefined);
  return option === undefined ? typed : String(option);
};

/** What was typed for a field; undefined where it is no value of it. */
export const readField = (field: FormField, text: string): Json | undefined => {
  if (field.options.length === 0) return typedValue(field, text);
  const chosen = readChosen(field, text);
  const isOffered = (value: Json): boolean => field.options.some((option) => option === value);
  return chosen !== undefined && (Array.isArray(chosen) ? chosen : [chosen]).every(isOffered) ? chosen : undefined;
};

const readChosen = (field: FormField, text: string): Json | undefined => {
  if (field.kind !== 'list') return typedValue(field, named(field, text));
  // One that has commas in its words is one all the same.
  const isOne = field.options.some((option) => [String(option), labelOf(field, option)].includes(text.trim()));
  return typedValue(
    field,
    isOne
      ? [named(field, text)]
      : text
          .split(',')
          .filter((part) => part.trim() !== '')
          .map((part) => named(field, part).trim()),
  );
};

const prompt = (field: FormField): string => {
  const { initial, label, required } = field;
  const empty = initial === undefined ? (required ? '' : ', empty = none') : `, empty = ${oneLine(JSON.stringify(initial), 40)}`;
  return `${oneLine(label, 80)} (${wanted(field)}${empty}): `;
};

const askField = async (ask: Ask, field: FormField, show: Show): Promise<{ readonly value?: Json } | undefined> => {
  if (field.description) show(`  ${printable(field.description)}`);
  for (const [at, option] of field.options.entries()) show(`  ${at + 1}  ${oneLine(labelOf(field, option), 80)}`);
  for (;;) {
    const text = await ask(prompt(field));
    if (text === undefined) return undefined;
    if (text.trim() === '') {
      if (field.initial !== undefined) return { value: field.initial };
      if (!field.required) return {};
    } else {
      const value = readField(field, text);
      if (value !== undefined) return { value };
    }
    show(`  please give ${wanted(field)}`);
  }
};

/** Asks for one field after the other. Undefined when nobody is left to ask. */
export const fillInForm = async (ask: Ask, form: Form, show: Show): Promise<FormValues | undefined> => {
  const values: { [name: string]: Json } = {};
  for (const field of formFields(form.schema)) {
    const given = await askField(ask, field, show);
    if (!given) return undefined;
    if (given.value !== undefined) values[field.name] = given.value;
  }
  return values;
};
