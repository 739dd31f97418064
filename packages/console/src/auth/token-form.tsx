import { type FormEvent, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';

export const TokenForm = ({ focused, onSubmit }: { readonly focused: boolean; readonly onSubmit: (token: string) => Promise<void> }) => {
  const t = useText();
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await onSubmit(token.trim());
    setBusy(false);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t('tokenLabel')} hint={t('tokenHint', { path: '.turnkeeper/cli-token' })}>
        {(id) => (
          <TextInput
            id={id}
            type="password"
            autoComplete="off"
            spellCheck={false}
            autoFocus={focused}
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={busy || token.trim() === ''}>
        {busy ? t('signingIn') : t('signInByToken')}
      </Button>
    </form>
  );
};
