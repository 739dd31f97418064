import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { type FieldDraft, firstDraft, valuesOf } from '@turnkeeper/client/view/form-values';
import { type FormField, type FormLink, fieldsIn, formLabels, formParts, labelOf } from '@turnkeeper/core/protocol/form-fields';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { useClient } from './client-context.ts';
import { useChatText } from './text-context.ts';
import type { Answering } from './use-answering.ts';

type FieldProps = { readonly field: FormField; readonly draft: FieldDraft; readonly onChange: (draft: FieldDraft) => void };

const inputTypes: { readonly [format: string]: string } = { email: 'email', uri: 'url', date: 'date' };

const Choices = ({ field, draft, onChange }: FieldProps) => {
  const chosen = typeof draft === 'string' ? [] : draft;
  return (
    <fieldset className="tk-question">
      <legend>{field.label}</legend>
      {field.options.map(String).map((option) => (
        <label key={option} className="tk-option">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={(event) => onChange(event.target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))}
          />
          <span>{labelOf(field, option)}</span>
        </label>
      ))}
    </fieldset>
  );
};

const Link = ({ link: { label, description, href } }: { readonly link: FormLink }) => (
  <div className="tk-field">
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{label}</bdi>
    </a>
    {/* Words could hide where it leads to. */}
    {label === href ? null : <small dir="ltr">{href}</small>}
    {description === '' ? null : <small>{description}</small>}
  </div>
);

const inputType = ({ kind, format = '', secret }: FormField): string => {
  if (secret) return 'password';
  return kind === 'number' ? 'number' : (inputTypes[format] ?? 'text');
};

const Field = ({ field, draft, onChange }: FieldProps) => {
  const t = useChatText();
  const id = useId();
  if (field.kind === 'list' && field.options.length > 0) return <Choices field={field} draft={draft} onChange={onChange} />;
  const options = field.kind === 'boolean' ? ['true', 'false'] : field.options.map(String);
  const hint = field.description !== '' ? field.description : field.kind === 'list' ? t('withCommas') : '';
  const { placeholder, secret, multiline } = field;
  const shared = { id, required: field.required, value: String(draft), className: secret && multiline ? 'tk-input tk-dots' : 'tk-input' };
  const typed = { ...shared, placeholder, ...(secret ? { autoComplete: 'off', spellCheck: false } : {}) };
  return (
    <div className="tk-field">
      <label htmlFor={id}>
        {field.label}
        {field.required ? ' *' : ''}
      </label>
      {field.kind === 'choice' || field.kind === 'boolean' ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          <option value="">{placeholder ?? t('choose')}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {field.kind === 'boolean' ? t(option === 'true' ? 'yes' : 'no') : labelOf(field, option)}
            </option>
          ))}
        </select>
      ) : multiline ? (
        <textarea {...typed} rows={3} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input {...typed} type={inputType(field)} step="any" onChange={(event) => onChange(event.target.value)} />
      )}
      {hint === '' ? null : <small>{hint}</small>}
    </div>
  );
};

const nothing = { schema: {}, description: undefined };

export const FillInForm = ({ action, answering }: { readonly action: OpenAction; readonly answering: Answering }) => {
  const t = useChatText();
  const { actions } = useClient();
  const [drafts, setDrafts] = useState<{ readonly [name: string]: FieldDraft }>({});
  const form = action.form ?? nothing;
  const parts = useMemo(() => formParts(form), [form]);
  const fields = useMemo(() => fieldsIn(parts), [parts]);
  const labels = formLabels(form);
  const values = valuesOf(fields, drafts);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (values && !answering.busy) answering.run(() => actions.fillIn(action, values));
  };
  return (
    <form onSubmit={submit}>
      {form.description ? <p className="tk-soft tk-lines">{form.description}</p> : null}
      {parts.length === 0 ? null : (
        <div className="tk-parts">
          {parts.map((part) => (
            <div key={part.name} data-width={part.kind === 'link' ? undefined : part.width}>
              {part.kind === 'link' ? (
                <Link link={part} />
              ) : (
                <Field
                  field={part}
                  draft={drafts[part.name] ?? firstDraft(part)}
                  onChange={(draft) => setDrafts((before) => ({ ...before, [part.name]: draft }))}
                />
              )}
            </div>
          ))}
        </div>
      )}
      <div className="tk-buttons">
        <button type="button" className="tk-button" disabled={answering.busy} onClick={() => answering.run(() => actions.decline(action))}>
          <bdi>{labels.cancel ?? t('decline')}</bdi>
        </button>
        <button type="submit" className="tk-button tk-primary" disabled={answering.busy || values === undefined}>
          <bdi>{answering.busy ? t('answering') : (labels.submit ?? t('submit'))}</bdi>
        </button>
      </div>
    </form>
  );
};
