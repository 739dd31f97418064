import type { DeliveryResource, TestedWebhook, WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { useAct } from '../ui/use-act.ts';
import { usePages } from '../ui/use-pages.ts';
import { Sendings } from './sendings.tsx';
import { Taken } from './webhook-actions.tsx';
import { webhookOf } from './webhook-of.ts';

type DeliveryProps = { readonly webhook: WebhookResource; readonly delivery: DeliveryResource };

const DeliveryRow = ({ webhook, delivery }: DeliveryProps) => {
  const t = useText();
  const locale = useLocale();
  const { webhooks } = useClient();
  const { busy, fault, act } = useAct();
  const [again, setAgain] = useState<TestedWebhook>();
  const [sentCount, setSentCount] = useState(0);
  const [open, setOpen] = useState(false);
  const sendAgain = async (): Promise<void> => {
    setAgain(await webhooks.redeliver(webhookOf(webhook), webhook.id, delivery.id));
    setSentCount((count) => count + 1);
  };
  const when = (at: number): string => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
  const isTaken = delivery.status === 'delivered';
  const status = delivery.response_status === null ? '' : ` · HTTP ${delivery.response_status}`;
  return (
    <Row
      id={delivery.id}
      title={<code className="text-[13px]">{delivery.event_type}</code>}
      marks={<Badge tone={isTaken ? 'good' : 'danger'}>{t(isTaken ? 'deliveryTaken' : 'deliveryFailing')}</Badge>}
      note={
        <>
          <span className="block">
            {when(delivery.last_attempt_at)}
            {status}
            {' · '}
            {t('attemptCount', { count: delivery.attempts })}
            {' · '}
            <PlaceLink
              to={{ kind: 'session', id: delivery.session_id }}
              className="rounded-md underline decoration-line-strong underline-offset-3 hover:text-accent"
            >
              {t('itsSession')}
            </PlaceLink>
          </span>
          {delivery.error === null ? null : <span className="block text-danger">{delivery.error}</span>}
        </>
      }
      actions={
        <Button size="sm" disabled={busy} onClick={() => void act(sendAgain)}>
          {t('redeliver')}
        </Button>
      }
    >
      {again ? <Taken answer={again} /> : null}
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <details className="text-[13px]" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit rounded-md text-ink-faint">{t('whatWasSent')}</summary>
        {/* Read anew with each attempt, and with what was just sent again. */}
        {open ? (
          <div className="mt-1.5">
            <Sendings key={`${delivery.attempts} ${sentCount}`} webhook={webhook} delivery={delivery} />
          </div>
        ) : null}
      </details>
    </Row>
  );
};

const everyMs = 5_000;

export const DeliveryList = ({ webhook }: { readonly webhook: WebhookResource }) => {
  const t = useText();
  const { webhooks } = useClient();
  const { id, session_id, turn_id, application_id } = webhook;
  const { first, items, hasMore, showMore } = usePages(
    useCallback(
      async (after) => {
        const page = await webhooks.deliveries(webhookOf({ session_id, turn_id, application_id }), id, { limit: 50, offset: Number(after ?? 0) });
        return { items: page.items, next: page.next_offset?.toString() };
      },
      [webhooks, id, session_id, turn_id, application_id],
    ),
    everyMs,
  );
  // A delivery may come in between two pages: then the second one has it, too.
  const shown = [...new Map(items.map((delivery) => [delivery.id, delivery])).values()];
  return (
    <Panel title={t('deliveryLog')} hint={t('deliveryLogHint')}>
      <LoadState loaded={first} />
      {first.data && shown.length === 0 ? <NothingYet>{t('noDeliveries')}</NothingYet> : null}
      {shown.length > 0 ? (
        <Rows label={t('deliveryLog')}>
          {shown.map((delivery) => (
            <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
          ))}
        </Rows>
      ) : null}
      <ShowMore hasMore={hasMore} showMore={showMore} />
    </Panel>
  );
};
