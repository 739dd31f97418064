import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useEffect } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';

type Told = {
  readonly session: SessionResource | undefined;
  /** As it is streamed: what the menu changed last does not cover it. */
  readonly status: string | undefined;
  readonly refused: { readonly code: string } | undefined;
  readonly onChanged: () => void;
};

/** What the page tells the rest: its title, its session's status to the list, a refused token to the sign-in. */
export const useToldOutside = ({ session, status, refused, onChanged }: Told): void => {
  const t = useText();
  const { signOut } = useSignedIn();
  const title = session && (session.title || t('untitled'));
  useEffect(() => {
    if (refused?.code === 'unauthenticated') signOut('tokenRefused');
  }, [refused, signOut]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list shows the status too, and is told when it moves
  useEffect(onChanged, [status]);
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${t('appName')}`;
  }, [title, t]);
};
