import { type FormEvent, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Brand } from '../shell/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import type { SignIn, SignInStore } from './sign-in.ts';

export const SignInPage = ({ signIn, state }: { readonly signIn: SignInStore; readonly state: Extract<SignIn, { kind: 'signed_out' }> }) => {
  const t = useText();
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await signIn.signInWith(token.trim());
    setBusy(false);
  };
  return (
    <main className="grid min-h-full place-items-center p-4">
      <form onSubmit={submit} className="flex w-full max-w-md animate-rise flex-col gap-5 rounded-3xl border border-line bg-surface p-7 shadow-soft sm:p-9">
        <Brand />
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">{t('signInTitle')}</h1>
          <p className="mt-1.5 text-ink-soft">{t('signInIntro')}</p>
        </div>
        {state.problem === undefined ? null : <Notice tone="danger">{t(state.problem)}</Notice>}
        <Field label={t('tokenLabel')} hint={t('tokenHint', { path: '.turnkeeper/cli-token' })}>
          {(id) => (
            <TextInput
              id={id}
              type="password"
              autoComplete="off"
              spellCheck={false}
              autoFocus
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={busy || token.trim() === ''}>
          {busy ? t('signingIn') : t('signIn')}
        </Button>
      </form>
    </main>
  );
};
