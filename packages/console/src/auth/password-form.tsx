import { type FormEvent, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';

type PasswordFormProps = { readonly focused: boolean; readonly onSubmit: (username: string, password: string) => Promise<void> };

export const PasswordForm = ({ focused, onSubmit }: PasswordFormProps) => {
  const t = useText();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await onSubmit(username.trim(), password);
    setBusy(false);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t('usernameLabel')}>
        {(id) => (
          <TextInput
            id={id}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={focused}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('passwordLabel')}>
        {(id) => (
          <TextInput
            id={id}
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy || username.trim() === '' || password === ''}>
        {busy ? t('signingIn') : t('signIn')}
      </Button>
    </form>
  );
};
