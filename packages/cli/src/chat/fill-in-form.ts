/**
 * A form in the terminal: one line a field, or more where its text has several.
 *
 * FT1 A secret is never shown: not while it is typed, nor where it was left as it stood.
 */
import { type FormField, formLabels, formParts, labelOf, typedValue } from '@turnkeeper/core/protocol/form-fields';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { Form } from '@turnkeeper/core/session/events';
import { oneLine, printable } from '../output/printable.ts';

export type FormValues = { readonly [name: string]: Json };
type Ask = (question: string, how?: { readonly hidden?: boolean }) => Promise<string | undefined>;
type Show = (line: string) => void;

/** The lines above the first field. */
export const formLines = ({ title, description }: Form): readonly string[] => [printable(title), ...(description ? [printable(description)] : [])];

/** Words for a button, quoted; what would look like a key of ours does not. */
const quoted = (label: string | undefined): string => (label === undefined ? '' : ` “${oneLine(label, 30).replaceAll(/[[\]]/g, '')}”`);

/** What can be done with it, in the form's own words where it has some. */
export const formChoices = (form: Form): string => {
  const { submit, cancel } = formLabels(form);
  return `[y] fill it in${submit === undefined ? '' : `, then${quoted(submit)}`}  [n]${quoted(cancel) || ' decline'}  [l]ater: `;
};

const wanted = ({ kind, options, multiline }: FormField): string => {
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
      return multiline ? 'a text; \\ at the end of a line goes on with another' : 'a text';
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
  const { initial, label, required, placeholder, secret } = field;
  const notes = [
    wanted(field),
    ...(secret ? ['not shown'] : []),
    ...(placeholder === undefined ? [] : [`e.g. ${oneLine(placeholder, 60)}`]),
    ...(initial === undefined ? (required ? [] : ['empty = none']) : [`empty = ${secret ? 'as it is' : oneLine(JSON.stringify(initial), 40)}`]),
  ];
  return `${oneLine(label, 80)} (${notes.join(', ')}): `;
};

/** What is typed for a field: a text of several lines goes on while its lines say so. */
const readText = async (ask: Ask, field: FormField): Promise<string | undefined> => {
  const how = { hidden: field.secret === true };
  let text = await ask(prompt(field), how);
  while (field.multiline && text?.endsWith('\\')) {
    const more = await ask('… ', how);
    if (more === undefined) return undefined;
    text = `${text.slice(0, -1)}\n${more}`;
  }
  return text;
};

const askField = async (ask: Ask, field: FormField, show: Show): Promise<{ readonly value?: Json } | undefined> => {
  if (field.description) show(`  ${printable(field.description)}`);
  for (const [at, option] of field.options.entries()) show(`  ${at + 1}  ${oneLine(labelOf(field, option), 80)}`);
  for (;;) {
    const text = await readText(ask, field);
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
  for (const part of formParts(form)) {
    if (part.kind === 'link') {
      show(`  ${oneLine(part.label, 200)}${part.label === part.href ? '' : `: ${printable(part.href)}`}`);
      if (part.description) show(`  ${printable(part.description)}`);
      continue;
    }
    const given = await askField(ask, part, show);
    if (!given) return undefined;
    if (given.value !== undefined) values[part.name] = given.value;
  }
  return values;
};
