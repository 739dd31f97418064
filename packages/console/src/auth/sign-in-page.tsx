import { useText } from '../i18n/use-text.ts';
import { Brand } from '../shell/brand.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import type { SignIn, SignInStore } from './sign-in.ts';
import { TokenForm } from './token-form.tsx';

type SignInPageProps = { readonly signIn: SignInStore; readonly state: Extract<SignIn, { kind: 'signed_out' }> };

/** By name and password, or by a token; the cursor stands where the last attempt was made. */
export const SignInPage = ({ signIn, state }: SignInPageProps) => {
  const t = useText();
  const { problem } = state;
  const byToken = problem?.text === 'tokenRefused' || problem?.text === 'linkUsed';
  return (
    <main className="grid min-h-full place-items-center p-4">
      <div className="flex w-full max-w-md animate-rise flex-col gap-5 rounded-3xl border border-line bg-surface p-7 shadow-soft sm:p-9">
        <Brand />
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">{t('signInTitle')}</h1>
          <p className="mt-1.5 text-ink-soft">{t('signInIntro')}</p>
        </div>
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        <PasswordForm focused={!byToken} onSubmit={signIn.signInByPassword} />
        <div className="flex items-center gap-3 text-[13px] text-ink-faint">
          <span aria-hidden className="h-px flex-1 bg-line" />
          {t('or')}
          <span aria-hidden className="h-px flex-1 bg-line" />
        </div>
        <TokenForm focused={byToken} onSubmit={signIn.signInWith} />
      </div>
    </main>
  );
};
