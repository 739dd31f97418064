import type { FieldDraft } from '@turnkeeper/client/view/form-values';
import { type FormField, labelOf } from '@turnkeeper/core/protocol/form-fields';
import { useText } from '../i18n/use-text.ts';
import { Field, TextArea, TextInput } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';

type FormFieldProps = { readonly field: FormField; readonly draft: FieldDraft; readonly onChange: (draft: FieldDraft) => void };

const inputTypes: { readonly [format: string]: string } = { email: 'email', uri: 'url', date: 'date' };

const inputType = ({ kind, format = '', secret }: FormField): string => {
  if (secret) return 'password';
  return kind === 'number' ? 'number' : (inputTypes[format] ?? 'text');
};

/** What is typed or pasted: dots where it is a secret, also where that has several lines, of which a password field would make one. */
const Typed = ({ id, field, draft, onChange }: FormFieldProps & { readonly id: string }) => {
  const { required, placeholder, secret, multiline } = field;
  const shared = { id, required, placeholder, value: String(draft), ...(secret ? { autoComplete: 'off', spellCheck: false } : {}) };
  return multiline ? (
    <TextArea {...shared} {...(secret ? { className: '[-webkit-text-security:disc]' } : {})} onChange={(event) => onChange(event.target.value)} />
  ) : (
    <TextInput {...shared} type={inputType(field)} step="any" onChange={(event) => onChange(event.target.value)} />
  );
};

/** Several of what is offered. */
const Choices = ({ field, draft, onChange }: FormFieldProps) => {
  const chosen = typeof draft === 'string' ? [] : draft;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">{field.label}</legend>
      {field.options.map(String).map((option) => (
        <label key={option} className="flex min-h-9 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={(event) => onChange(event.target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))}
            className="size-4 accent-accent"
          />
          {labelOf(field, option)}
        </label>
      ))}
      {field.description === '' ? null : <p className="text-[13px] leading-snug text-ink-faint">{field.description}</p>}
    </fieldset>
  );
};

/** One of what is offered, or a yes or a no. */
const Choice = ({ id, field, draft, onChange }: FormFieldProps & { readonly id: string }) => {
  const t = useText();
  const options = field.kind === 'boolean' ? (['true', 'false'] as const) : field.options.map(String);
  const shown = (option: string): string => (field.kind === 'boolean' ? t(option === 'true' ? 'yes' : 'no') : labelOf(field, option));
  return (
    <Select id={id} required={field.required} value={String(draft)} onChange={(event) => onChange(event.target.value)}>
      <option value="">{field.placeholder ?? t('chooseOne')}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {shown(option)}
        </option>
      ))}
    </Select>
  );
};

/** One field of a form, as its kind wants it. */
export const FormFieldInput = ({ field, draft, onChange }: FormFieldProps) => {
  const t = useText();
  if (field.kind === 'list' && field.options.length > 0) return <Choices field={field} draft={draft} onChange={onChange} />;
  const hint = field.description !== '' ? field.description : field.kind === 'list' ? t('withCommas') : undefined;
  return (
    <Field label={field.required ? `${field.label} *` : field.label} {...(hint === undefined ? {} : { hint })}>
      {(id) =>
        field.kind === 'choice' || field.kind === 'boolean' ? (
          <Choice id={id} field={field} draft={draft} onChange={onChange} />
        ) : (
          <Typed id={id} field={field} draft={draft} onChange={onChange} />
        )
      }
    </Field>
  );
};
