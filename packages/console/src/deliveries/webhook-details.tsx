import type { WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import { ArrowLeft } from 'lucide-react';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { DeliveryList } from './delivery-list.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookMarks, WebhookNote } from './webhook-marks.tsx';

const everyMs = 5_000;
const atOnce = 200;

/** What it is on stands in it and not in its id: it is looked for among all that one may change. */
const useWebhook = (id: string) => {
  const { webhooks } = useClient();
  return useLoaded(
    useCallback(async (): Promise<WebhookResource | null> => {
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Awaited<ReturnType<typeof webhooks.all>> = await webhooks.all({ offset, limit: atOnce });
        const found = page.items.find((webhook) => webhook.id === id);
        if (found) return found;
        offset = page.next_offset;
      }
      return null;
    }, [webhooks, id]),
    everyMs,
  );
};

export const WebhookDetails = ({ id }: { readonly id: string }) => {
  const t = useText();
  const now = useNow(1_000);
  const loaded = useWebhook(id);
  const { data: webhook } = loaded;
  return (
    <>
      <PlaceLink to={pageAt('deliveries')} className="flex items-center gap-1.5 self-start rounded-md px-1 text-sm text-ink-soft hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" /> {t('webhooksOut')}
      </PlaceLink>
      <LoadState loaded={loaded} />
      {webhook === null ? <Notice>{t('webhookGone')}</Notice> : null}
      {webhook ? (
        <>
          <Panel title={webhook.url} action={<WebhookActions webhook={webhook} onChanged={loaded.reload} />}>
            <div className="flex flex-col items-start gap-2 px-1 text-[13px] text-ink-faint">
              <WebhookMarks webhook={webhook} />
              <div className="[overflow-wrap:anywhere]">
                <WebhookNote webhook={webhook} now={now} />
              </div>
            </div>
          </Panel>
          <DeliveryList webhook={webhook} />
        </>
      ) : null}
    </>
  );
};
