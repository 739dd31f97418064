import type { WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import { useNameOf } from '../directory/directory-context.ts';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';

export const WebhookMarks = ({ webhook }: { readonly webhook: WebhookResource }) => {
  const t = useText();
  if (webhook.status === 'paused') return <Badge tone="danger">{t('webhookPaused')}</Badge>;
  if (webhook.failures > 0) return <Badge tone="warn">{t('webhookFailing', { count: webhook.failures })}</Badge>;
  return <Badge tone="good">{t('webhookActive')}</Badge>;
};

/** What it is on, and how it does. */
export const WebhookNote = ({ webhook, now }: { readonly webhook: WebhookResource; readonly now: number }) => {
  const t = useText();
  const locale = useLocale();
  const nameOf = useNameOf(true);
  const { application_id: application, session_id: session, turn_id: turn } = webhook;
  const next = webhook.next_attempt_at;
  return (
    <>
      <span className="block">
        {application !== null ? (
          t('webhookOfApplication', { name: nameOf(`app:${application}`) })
        ) : (
          <PlaceLink to={{ kind: 'session', id: session ?? '' }} className="rounded-md underline decoration-line-strong underline-offset-3 hover:text-accent">
            {t(turn === null ? 'webhookOfSession' : 'webhookOfTurn')}
          </PlaceLink>
        )}
        {' · '}
        {webhook.event_types.length === 0 ? t('allEvents') : webhook.event_types.join(', ')}
      </span>
      {webhook.last_error === null ? null : <span className="block text-danger">{webhook.last_error}</span>}
      {next === null || webhook.status === 'paused' ? null : (
        <span className="block">
          {next > now ? t('nextAttemptAt', { time: new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(next) }) : t('nextAttemptNow')}
        </span>
      )}
      {webhook.previous_secret_until !== null && webhook.previous_secret_until > now ? (
        <span className="block">
          {t('oldSecretUntil', { time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(webhook.previous_secret_until) })}
        </span>
      ) : null}
      <span className="block">{t('madeWhen', { time: formatAge(webhook.created_at, locale, now) })}</span>
    </>
  );
};
