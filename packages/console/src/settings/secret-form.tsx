import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAct } from '../ui/use-act.ts';

type SecretFormProps = { readonly name: string | undefined; readonly title?: string; readonly onDone: () => void; readonly onClose: () => void };

/** Sets a secret, one of its own name or that of `name`. */
export const SecretForm = ({ name: given, title, onDone, onClose }: SecretFormProps) => {
  const t = useText();
  const { secrets } = useClient();
  const { busy, fault, act } = useAct();
  const [name, setName] = useState(given ?? '');
  const [value, setValue] = useState('');
  const save = async (): Promise<void> => {
    if (await act(() => secrets.put(name, value))) onDone();
  };
  return (
    <FormDialog
      title={title ?? (given === undefined ? t('newSecret') : t('replaceNamed', { name: given }))}
      submit={t('save')}
      busy={busy}
      incomplete={name === '' || value === ''}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {given === undefined ? (
        <Field label={t('nameLabel')} hint={t('secretNameHint')}>
          {(id) => (
            <TextInput id={id} value={name} autoFocus spellCheck={false} autoCapitalize="none" onChange={(event) => setName(event.target.value.trim())} />
          )}
        </Field>
      ) : null}
      <Field label={t('valueLabel')} hint={t('secretValueHint')}>
        {(id) => (
          <TextInput
            id={id}
            type="password"
            autoComplete="off"
            autoFocus={given !== undefined}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
};
