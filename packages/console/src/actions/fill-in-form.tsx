import { draftOf, type FormDrafts, valuesOf } from '@turnkeeper/client/view/form-values';
import { formFields } from '@turnkeeper/core/protocol/form-fields';
import type { Form } from '@turnkeeper/core/session/events';
import { type FormEvent, useMemo, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { FormFieldInput } from './form-field.tsx';
import type { Answering } from './use-answer.ts';

/** A form that the agent asks somebody to fill in, or to hand back. */
export const FillInForm = ({ form, answering }: { readonly form: Form; readonly answering: Answering }) => {
  const t = useText();
  const fields = useMemo(() => formFields(form.schema), [form.schema]);
  const [drafts, setDrafts] = useState<FormDrafts>({});
  const values = valuesOf(fields, drafts);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (values && !answering.busy) void answering.answer({ submitted: true, values });
  };
  return (
    // The server is who refuses: what a browser finds wrong with an address must not keep anybody from sending it.
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div>
        <h2 className="text-[15px] font-semibold break-words">{form.title}</h2>
        {form.description === undefined ? null : <p className="text-[13px] whitespace-pre-wrap text-ink-soft">{form.description}</p>}
      </div>
      {fields.map((field) => (
        <FormFieldInput
          key={field.name}
          field={field}
          draft={draftOf(field, drafts)}
          onChange={(draft) => setDrafts((before) => ({ ...before, [field.name]: draft }))}
        />
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <Button type="button" className="max-sm:h-12 max-sm:flex-1" disabled={answering.busy} onClick={() => void answering.answer({ submitted: false })}>
          {t('declineForm')}
        </Button>
        <Button type="submit" variant="primary" className="max-sm:h-12 max-sm:flex-1" disabled={answering.busy || values === undefined}>
          {answering.busy ? t('answering') : t('submitForm')}
        </Button>
      </div>
    </form>
  );
};
