import { useMemo, useSyncExternalStore } from 'react';
import type { SignInStore } from './auth/sign-in.ts';
import { SignInPage } from './auth/sign-in-page.tsx';
import { SignedInContext } from './auth/signed-in-context.ts';
import { useText } from './i18n/use-text.ts';
import { Shell } from './shell/shell.tsx';
import { Spinner } from './ui/spinner.tsx';

export const App = ({ signIn }: { readonly signIn: SignInStore }) => {
  const t = useText();
  const state = useSyncExternalStore(signIn.subscribe, signIn.get);
  const signedIn = useMemo(
    () => (state.kind === 'signed_in' ? { client: state.client, token: state.token, user: state.user, signOut: signIn.signOut } : undefined),
    [state, signIn],
  );
  switch (state.kind) {
    case 'checking':
      return (
        <main className="grid h-full place-items-center text-ink-faint">
          <span className="flex animate-late items-center gap-2">
            <Spinner /> {t('signingIn')}
          </span>
        </main>
      );
    case 'signed_out':
      return <SignInPage signIn={signIn} state={state} />;
    case 'signed_in':
      return (
        <SignedInContext value={signedIn}>
          <Shell />
        </SignedInContext>
      );
  }
};
