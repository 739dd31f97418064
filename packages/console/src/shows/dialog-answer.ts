/** How a dialog of a mini-tool can be answered. */
import { type FormField, formFields } from '@turnkeeper/core/protocol/form-fields';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { AnswerShowRequest, ShowContent } from '@turnkeeper/core/protocol/wire/minitool-shows';

export type DialogContent = Exclude<ShowContent, { kind: 'toast' }>;
/** `label`: null = the console's own word. */
export type Choice = { readonly id: string; readonly label: string | null; readonly variant: 'primary' | 'secondary' | 'danger' };
type Values = { readonly [name: string]: Json };

const isSecondary = ({ variant }: Choice): boolean => variant === 'secondary';

/** As they stand in a row: what does it is last, as everywhere in the console. */
export const choicesOf = (content: DialogContent): readonly Choice[] => {
  if (content.kind === 'modal') return [...content.actions.filter(isSecondary), ...content.actions.filter((action) => !isSecondary(action))];
  return [
    { id: 'no', label: content.cancelLabel, variant: 'secondary' },
    { id: 'yes', label: content.confirmLabel, variant: content.variant },
  ];
};

/** What Enter does in a field. */
export const mainOf = (choices: readonly Choice[]): Choice | undefined => choices.find((choice) => !isSecondary(choice));

export const fieldsOf = (content: DialogContent): readonly FormField[] => {
  if (content.kind !== 'modal' || content.form === null) return [];
  const { schema, multiline } = content.form;
  return formFields(schema).map((field) => (multiline.includes(field.name) ? { ...field, multiline: true } : field));
};

/** Undefined while it wants what is not filled in yet. `values`: undefined = something is missing. */
export const answerOf = (content: DialogContent, choice: Choice, values: Values | undefined): AnswerShowRequest | undefined => {
  if (content.kind === 'confirm') return { confirmed: choice.id === 'yes' };
  if (content.form === null) return { action: choice.id };
  if (values !== undefined) return { action: choice.id, values: values as NonNullable<AnswerShowRequest['values']> };
  return isSecondary(choice) ? { action: choice.id } : undefined;
};

export const dismissalOf = ({ kind }: DialogContent): AnswerShowRequest => (kind === 'confirm' ? { confirmed: false } : { action: 'dismissed' });
