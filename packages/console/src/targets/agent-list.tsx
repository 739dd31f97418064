import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { AgentForm } from './agent-form.tsx';
import { StartButton } from './start-button.tsx';

export const AgentList = () => {
  const t = useText();
  const { client, user } = useSignedIn();
  const loaded = useLoaded(useCallback(async () => (await client.agents.list({ limit: 200 })).items, [client]));
  const [making, setMaking] = useState(false);
  return (
    <Panel
      title={t('tabAgents')}
      hint={t('agentsHint')}
      action={user?.roles.includes('admin') ? <NewButton onClick={() => setMaking(true)}>{t('newAgent')}</NewButton> : null}
    >
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <NothingYet>{t('noAgentsYet')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('tabAgents')}>
          {loaded.data.map((agent) => (
            <Row
              key={agent.id}
              id={agent.id}
              title={
                <PlaceLink to={pageAt('targets', { tab: 'agents', id: agent.id })} className="rounded-md hover:text-accent">
                  {agent.displayName}
                </PlaceLink>
              }
              note={`${agent.description || agent.agentKey} · ${t('versionN', { n: agent.version })}`}
              actions={<StartButton isOneOfMany target={{ type: 'agent', id: agent.id }} />}
            />
          ))}
        </Rows>
      ) : null}
      {making ? <AgentForm onSaved={(id) => go(pageAt('targets', { tab: 'agents', id }))} onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
};
