import { draftOf, type FormDrafts, valuesOf } from '@turnkeeper/client/view/form-values';
import { type FormPart, fieldsIn, formLabels, formParts } from '@turnkeeper/core/protocol/form-fields';
import type { Form } from '@turnkeeper/core/session/events';
import { type FormEvent, useMemo, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { FormFieldInput } from './form-field.tsx';
import { FormLinkLine } from './form-link.tsx';
import type { Answering } from './use-answer.ts';

/** A part of a row where there is room for one. */
const spanOf = (part: FormPart): string => {
  switch (part.kind === 'link' ? undefined : part.width) {
    case '1/2':
      return 'col-span-6 sm:col-span-3';
    case '1/3':
      return 'col-span-6 sm:col-span-2';
    case '2/3':
      return 'col-span-6 sm:col-span-4';
    case undefined:
      return 'col-span-6';
  }
};

/** A form that the agent asks somebody to fill in, or to hand back. */
export const FillInForm = ({ form, answering }: { readonly form: Form; readonly answering: Answering }) => {
  const t = useText();
  const parts = useMemo(() => formParts(form), [form]);
  const fields = useMemo(() => fieldsIn(parts), [parts]);
  const labels = formLabels(form);
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
        <h2 dir="auto" className="text-[15px] font-semibold break-words">
          {form.title}
        </h2>
        {form.description === undefined ? null : (
          <p dir="auto" className="text-[13px] break-words whitespace-pre-wrap text-ink-soft">
            {form.description}
          </p>
        )}
      </div>
      {parts.length === 0 ? null : (
        <div className="grid grid-cols-6 items-start gap-4">
          {parts.map((part) => (
            <div key={part.name} className={`min-w-0 ${spanOf(part)}`}>
              {part.kind === 'link' ? (
                <FormLinkLine link={part} />
              ) : (
                <FormFieldInput field={part} draft={draftOf(part, drafts)} onChange={(draft) => setDrafts((before) => ({ ...before, [part.name]: draft }))} />
              )}
            </div>
          ))}
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          type="button"
          className="max-w-full max-sm:h-12 max-sm:flex-1"
          disabled={answering.busy}
          onClick={() => void answering.answer({ submitted: false })}
        >
          <span dir="auto" className="truncate">
            {labels.cancel ?? t('declineForm')}
          </span>
        </Button>
        <Button type="submit" variant="primary" className="max-w-full max-sm:h-12 max-sm:flex-1" disabled={answering.busy || values === undefined}>
          <span dir="auto" className="truncate">
            {answering.busy ? t('answering') : (labels.submit ?? t('submitForm'))}
          </span>
        </Button>
      </div>
    </form>
  );
};
