import type { DeliveryDetails, DeliveryResource, WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { formatDuration } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { webhookOf } from './webhook-of.ts';

type Sending = DeliveryDetails['sendings'][number];

const requestText = ({ request: { url, headers, body } }: Sending): string =>
  [`POST ${url}`, 'content-type: application/json', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body].join('\n');

const OneSending = ({ sending }: { readonly sending: Sending }) => {
  const t = useText();
  const locale = useLocale();
  const text = requestText(sending);
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(sending.at);
  const status = sending.response_status === null ? t('noAnswer') : `HTTP ${sending.response_status}`;
  return (
    <li className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-center gap-x-2 text-ink-soft tabular-nums">
        {[when, status, formatDuration(sending.duration_ms, t), sending.again ? t('sentAgain') : ''].filter(Boolean).join(' · ')}
        <CopyButton label={t('copyRequest')} text={text} />
      </p>
      {sending.error === null ? null : <p className="text-danger">{sending.error}</p>}
      <pre className="rounded-xl whitespace-pre-wrap [overflow-wrap:anywhere] bg-sunken px-3 py-2 font-mono text-[12px] leading-relaxed text-ink-soft">
        {text}
      </pre>
    </li>
  );
};

/** Each request of a delivery as it went out, and what came of it; the newest first. */
export const Sendings = ({ webhook, delivery }: { readonly webhook: WebhookResource; readonly delivery: DeliveryResource }) => {
  const t = useText();
  const { webhooks } = useClient();
  const { session_id, turn_id, application_id, id: webhookId } = webhook;
  const { id } = delivery;
  const read = useCallback(
    async () => (await webhooks.delivery(webhookOf({ session_id, turn_id, application_id }), webhookId, id)).sendings.toReversed(),
    [webhooks, session_id, turn_id, application_id, webhookId, id],
  );
  const loaded = useLoaded(read);
  return (
    <>
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <p className="text-ink-faint">{t('sendingsNotKept')}</p> : null}
      <ol className="flex flex-col gap-3">
        {loaded.data?.map((sending) => (
          <OneSending key={`${sending.at} ${sending.request.headers['webhook-signature']}`} sending={sending} />
        ))}
      </ol>
    </>
  );
};
