import { type ReactNode, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { PageBody } from '../ui/page-body.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { IngressList } from './ingress-list.tsx';
import { WebhookDetails } from './webhook-details.tsx';
import { WebhookList } from './webhook-list.tsx';

type DeliveriesPageProps = { readonly query: Query; readonly menuButton: ReactNode };

export const DeliveriesPage = ({ query, menuButton }: DeliveriesPageProps) => {
  const t = useText();
  const { webhook, session } = query;
  const tab = query['tab'] === 'in' ? 'in' : 'out';
  useEffect(() => {
    document.title = `${t('deliveriesTitle')} · ${t('appName')}`;
  }, [t]);
  const tabs = [
    { id: 'out', text: t('webhooksOut'), to: pageAt('deliveries') },
    { id: 'in', text: t('webhooksIn'), to: pageAt('deliveries', { tab: 'in' }) },
  ];
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('deliveriesTitle')} />
      <TabLinks label={t('deliveriesTitle')} current={tab} tabs={tabs} />
      <PageBody>
        {tab === 'in' ? <IngressList /> : webhook === undefined ? <WebhookList session={session} /> : <WebhookDetails key={webhook} id={webhook} />}
      </PageBody>
    </div>
  );
};
