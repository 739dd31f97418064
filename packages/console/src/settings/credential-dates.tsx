import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';

type CredentialDatesProps = { readonly expiresAt: number | null; readonly lastUsedAt: number | null; readonly now: number };

/** When a credential ends, and when somebody last came with it. */
export const CredentialDates = ({ expiresAt, lastUsedAt, now }: CredentialDatesProps) => {
  const t = useText();
  const locale = useLocale();
  const date = (at: number): string => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);
  return (
    <>
      {expiresAt === null ? t('neverExpires') : expiresAt <= now ? t('expiredOn', { date: date(expiresAt) }) : t('expiresOn', { date: date(expiresAt) })}
      {' · '}
      {lastUsedAt === null ? t('neverUsed') : t('lastUsed', { time: formatAge(lastUsedAt, locale, now) })}
    </>
  );
};
