import { type ReactNode, useEffect } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { PageBody } from '../ui/page-body.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { AccountTab } from './account-tab.tsx';
import { ApplicationsTab } from './applications-tab.tsx';
import { AuditTab } from './audit-tab.tsx';
import { ModelsTab } from './models-tab.tsx';
import { SecretsTab } from './secrets-tab.tsx';
import { ServerTab } from './server-tab.tsx';
import { SpacesTab } from './spaces-tab.tsx';
import { type SettingsTab, tabOf, tabsFor } from './tabs.ts';
import { TokensTab } from './tokens-tab.tsx';
import { UsersTab } from './users-tab.tsx';

type SettingsPageProps = { readonly query: Query; readonly menuButton: ReactNode };

const Shown = ({ tab, query }: { readonly tab: SettingsTab; readonly query: Query }) => {
  switch (tab) {
    case 'account':
      return <AccountTab />;
    case 'tokens':
      return <TokensTab />;
    case 'applications':
      return <ApplicationsTab selected={query['application']} />;
    case 'users':
      return <UsersTab />;
    case 'spaces':
      return <SpacesTab selected={query['space']} />;
    case 'secrets':
      return <SecretsTab />;
    case 'models':
      return <ModelsTab />;
    case 'server':
      return <ServerTab />;
    case 'audit':
      return <AuditTab query={query} />;
  }
};

export const SettingsPage = ({ query, menuButton }: SettingsPageProps) => {
  const t = useText();
  const { user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const tab = tabOf(query['tab'], isAdmin);
  useEffect(() => {
    document.title = `${t('settingsTitle')} · ${t('appName')}`;
  }, [t]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('settingsTitle')} />
      <TabLinks
        label={t('settingsTitle')}
        current={tab}
        tabs={tabsFor(isAdmin).map(({ id, text }) => ({ id, text: t(text), to: pageAt('settings', { tab: id }) }))}
      />
      <PageBody wide={tab === 'audit'}>
        <Shown tab={tab} query={query} />
      </PageBody>
    </div>
  );
};
