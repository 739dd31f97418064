import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { type FieldDraft, firstDraft, valuesOf } from '@turnkeeper/client/view/form-values';
import { type FormField, formFields, labelOf } from '@turnkeeper/core/protocol/form-fields';
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

const Field = ({ field, draft, onChange }: FieldProps) => {
  const t = useChatText();
  const id = useId();
  if (field.kind === 'list' && field.options.length > 0) return <Choices field={field} draft={draft} onChange={onChange} />;
  const options = field.kind === 'boolean' ? ['true', 'false'] : field.options.map(String);
  const hint = field.description !== '' ? field.description : field.kind === 'list' ? t('withCommas') : '';
  const shared = { id, required: field.required, value: String(draft), className: 'tk-input' };
  return (
    <div className="tk-field">
      <label htmlFor={id}>
        {field.label}
        {field.required ? ' *' : ''}
      </label>
      {field.kind === 'choice' || field.kind === 'boolean' ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('choose')}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {field.kind === 'boolean' ? t(option === 'true' ? 'yes' : 'no') : labelOf(field, option)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={field.kind === 'number' ? 'number' : (inputTypes[field.format ?? ''] ?? 'text')}
          step="any"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {hint === '' ? null : <small>{hint}</small>}
    </div>
  );
};

export const FillInForm = ({ action, answering }: { readonly action: OpenAction; readonly answering: Answering }) => {
  const t = useChatText();
  const { actions } = useClient();
  const [drafts, setDrafts] = useState<{ readonly [name: string]: FieldDraft }>({});
  const schema = action.form?.schema;
  const fields = useMemo(() => (schema ? formFields(schema) : []), [schema]);
  const values = valuesOf(fields, drafts);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (values && !answering.busy) answering.run(() => actions.fillIn(action, values));
  };
  return (
    <form onSubmit={submit}>
      {action.form?.description ? <p className="tk-soft">{action.form.description}</p> : null}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          draft={drafts[field.name] ?? firstDraft(field)}
          onChange={(draft) => setDrafts((before) => ({ ...before, [field.name]: draft }))}
        />
      ))}
      <div className="tk-buttons">
        <button type="button" className="tk-button" disabled={answering.busy} onClick={() => answering.run(() => actions.decline(action))}>
          {t('decline')}
        </button>
        <button type="submit" className="tk-button tk-primary" disabled={answering.busy || values === undefined}>
          {t(answering.busy ? 'answering' : 'submit')}
        </button>
      </div>
    </form>
  );
};
