import { type ReactNode, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { PageBody } from '../ui/page-body.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { AgentDetails } from './agent-details.tsx';
import { AgentList } from './agent-list.tsx';
import { TeamDetails, TeamList } from './teams.tsx';
import { WorkflowDetails, WorkflowList } from './workflows.tsx';

type TargetsPageProps = { readonly query: Query; readonly menuButton: ReactNode };

const tabs = [
  { id: 'agents', text: 'tabAgents' },
  { id: 'teams', text: 'tabTeams' },
  { id: 'workflows', text: 'tabWorkflows' },
] as const;
type Tab = (typeof tabs)[number]['id'];

const Shown = ({ tab, query }: { readonly tab: Tab; readonly query: Query }) => {
  const { id } = query;
  switch (tab) {
    case 'agents':
      return id === undefined ? <AgentList /> : <AgentDetails key={id} id={id} version={query['version']} />;
    case 'teams':
      return id === undefined ? <TeamList /> : <TeamDetails key={id} id={id} />;
    case 'workflows':
      return id === undefined ? <WorkflowList /> : <WorkflowDetails key={id} id={id} query={query} />;
  }
};

export const TargetsPage = ({ query, menuButton }: TargetsPageProps) => {
  const t = useText();
  const tab = tabs.find(({ id }) => id === query['tab'])?.id ?? 'agents';
  useEffect(() => {
    document.title = `${t('targetsTitle')} · ${t('appName')}`;
  }, [t]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('targetsTitle')} />
      <TabLinks label={t('targetsTitle')} current={tab} tabs={tabs.map(({ id, text }) => ({ id, text: t(text), to: pageAt('targets', { tab: id }) }))} />
      <PageBody>
        <Shown tab={tab} query={query} />
      </PageBody>
    </div>
  );
};
