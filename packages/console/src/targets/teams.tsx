import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { BackLink } from './back-link.tsx';
import { PinnedCount, SessionsLink } from './pinned-sessions.tsx';
import { StartButton } from './start-button.tsx';
import { usePinned } from './use-pinned.ts';

export const TeamList = () => {
  const t = useText();
  const { teams } = useClient();
  const loaded = useLoaded(useCallback(async () => (await teams.list({ limit: 200 })).items, [teams]));
  return (
    <Panel title={t('tabTeams')} hint={t('teamsHint')}>
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <NothingYet>{t('noTeams')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('tabTeams')}>
          {loaded.data.map((team) => (
            <Row
              key={team.id}
              id={team.id}
              title={
                <PlaceLink to={pageAt('targets', { tab: 'teams', id: team.id })} className="rounded-md hover:text-accent">
                  {team.name}
                </PlaceLink>
              }
              note={`${team.description || team.members.map(({ name }) => name).join(', ')} · ${t('versionN', { n: team.version })}`}
              actions={<StartButton isOneOfMany target={{ type: 'team', id: team.id }} />}
            />
          ))}
        </Rows>
      ) : null}
    </Panel>
  );
};

export const TeamDetails = ({ id }: { readonly id: string }) => {
  const t = useText();
  const { teams, agents } = useClient();
  const loaded = useLoaded(useCallback(async () => (await teams.get(id)).team, [teams, id]));
  const { data: known = [] } = useLoaded(useCallback(async () => (await agents.list({ limit: 200 })).items, [agents]));
  const versions = useLoaded(useCallback(async () => (await teams.versions(id)).items.toSorted((a, b) => b.version - a.version), [teams, id]));
  const pinned = usePinned('team', id);
  const nameOf = (agentId: string): string => known.find((agent) => agent.id === agentId || agent.agentKey === agentId)?.displayName ?? agentId;
  const { data: team } = loaded;
  return (
    <>
      <BackLink tab="teams" text={t('tabTeams')} />
      <LoadState loaded={loaded} />
      {team ? (
        <>
          <Panel title={team.name} hint={team.description} action={<StartButton target={{ type: 'team', id: team.id }} />}>
            <Rows label={team.name}>
              <Row title={nameOf(team.leader.agentId)} note={t('teamLeader')} />
              {team.members.map((member) => (
                <Row key={member.name} title={member.name} note={`${nameOf(member.agentId)} · ${member.role}`} />
              ))}
            </Rows>
          </Panel>
          <Panel title={t('versionsTitle')} hint={t('versionsHint')} action={<SessionsLink target={team.id} />}>
            <Rows label={t('versionsTitle')}>
              {(versions.data ?? []).map(({ version, definition }) => (
                <Row
                  key={version}
                  id={`v${version}`}
                  title={t('versionN', { n: version })}
                  marks={version === team.version ? <Badge tone="good">{t('newest')}</Badge> : null}
                  note={definition.members.map(({ name }) => name).join(', ')}
                  actions={<PinnedCount pinned={pinned} version={version} />}
                />
              ))}
            </Rows>
          </Panel>
        </>
      ) : null}
    </>
  );
};
