import type { CreatedWebhook } from '@turnkeeper/core/protocol/wire/webhooks';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useNow } from '../ui/use-now.ts';
import { usePages } from '../ui/use-pages.ts';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookMarks, WebhookNote } from './webhook-marks.tsx';
import { subjectQuery } from './webhook-of.ts';

const everyMs = 5_000;
const pageSize = 50;

/** All webhooks that one may change, or those of one session. */
export const WebhookList = ({ session }: { readonly session: string | undefined }) => {
  const t = useText();
  const { webhooks } = useClient();
  const now = useNow(5_000);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedWebhook>();
  const { first, items, hasMore, showMore } = usePages(
    useCallback(
      async (after) => {
        const query = { limit: pageSize, offset: Number(after ?? 0) };
        const page = await (session === undefined ? webhooks.all(query) : webhooks.list({ sessionId: session }, query));
        return { items: page.items, next: page.next_offset?.toString() };
      },
      [webhooks, session],
    ),
    everyMs,
  );
  return (
    <Panel title={t('webhooksOut')} hint={t('webhooksOutHint')} action={<NewButton onClick={() => setMaking(true)}>{t('newWebhook')}</NewButton>}>
      <LoadState loaded={first} />
      {first.data && items.length === 0 ? <NothingYet>{t('noWebhooks')}</NothingYet> : null}
      {items.length > 0 ? (
        <Rows label={t('webhooksOut')}>
          {items.map((webhook) => (
            <Row
              key={webhook.id}
              id={webhook.id}
              title={
                <PlaceLink to={pageAt('deliveries', { webhook: webhook.id, ...subjectQuery(webhook) })} className="rounded-md hover:text-accent">
                  {webhook.url}
                </PlaceLink>
              }
              marks={<WebhookMarks webhook={webhook} />}
              note={<WebhookNote webhook={webhook} now={now} />}
            />
          ))}
        </Rows>
      ) : null}
      <ShowMore hasMore={hasMore} showMore={showMore} />
      {making ? (
        <NewWebhook
          session={session}
          onMade={(created) => {
            setMaking(false);
            setMade(created);
            first.reload();
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {made?.signing_secret === undefined ? null : <ShownOnce title={t('signingSecret')} secret={made.signing_secret} onClose={() => setMade(undefined)} />}
    </Panel>
  );
};
