import type { AgentAnswer } from '@turnkeeper/client/calls/agents';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { AgentForm } from './agent-form.tsx';
import { BackLink } from './back-link.tsx';
import { JsonBlock } from './json-block.tsx';
import { PinnedCount, SessionsLink } from './pinned-sessions.tsx';
import { StartButton } from './start-button.tsx';
import { usePinned } from './use-pinned.ts';

const Versions = ({ agent, shown }: { readonly agent: AgentAnswer['agent']; readonly shown: number }) => {
  const t = useText();
  const locale = useLocale();
  const now = useNow(30_000);
  const { client } = useSignedIn();
  const loaded = useLoaded(
    useCallback(async () => (await client.agents.versions(agent.id)).items.toSorted((a, b) => b.version - a.version), [client, agent.id]),
  );
  const pinned = usePinned('agent', agent.id);
  return (
    <Panel title={t('versionsTitle')} hint={t('versionsHint')} action={<SessionsLink target={agent.id} />}>
      <LoadState loaded={loaded} />
      {loaded.data ? (
        <Rows label={t('versionsTitle')}>
          {loaded.data.map(({ version, createdAt }) => (
            <Row
              key={version}
              id={`v${version}`}
              title={
                <PlaceLink to={pageAt('targets', { tab: 'agents', id: agent.id, version: String(version) })} className="rounded-md hover:text-accent">
                  {t('versionN', { n: version })}
                </PlaceLink>
              }
              marks={
                <>
                  {version === agent.version ? <Badge tone="good">{t('newest')}</Badge> : null}
                  {version === shown ? <Badge>{t('shownBelow')}</Badge> : null}
                </>
              }
              note={t('madeWhen', { time: formatAge(createdAt, locale, now) })}
              actions={<PinnedCount pinned={pinned} version={version} />}
            />
          ))}
        </Rows>
      ) : null}
    </Panel>
  );
};

export const AgentDetails = ({ id, version }: { readonly id: string; readonly version: string | undefined }) => {
  const t = useText();
  const { client, user } = useSignedIn();
  const loaded = useLoaded(useCallback(() => client.agents.get(id), [client, id]));
  const wanted = version === undefined ? undefined : Number(version);
  const older = useLoaded(useCallback(async () => (wanted === undefined ? undefined : client.agents.version(id, wanted)), [client, id, wanted]));
  const [editing, setEditing] = useState(false);
  const { data } = loaded;
  const shown = older.data?.version ?? data?.agent.version ?? 0;
  return (
    <>
      <BackLink tab="agents" text={t('tabAgents')} />
      <LoadState loaded={loaded} />
      {data ? (
        <>
          <Panel
            title={data.agent.displayName}
            hint={`${data.agent.description || data.agent.agentKey} · ${data.definition.model}`}
            action={
              <div className="flex flex-wrap gap-2">
                {user?.roles.includes('admin') ? (
                  <Button size="sm" onClick={() => setEditing(true)}>
                    {t('edit')}
                  </Button>
                ) : null}
                <StartButton target={{ type: 'agent', id: data.agent.id }} />
              </div>
            }
          />
          {data.warnings?.some(({ code }) => code === 'model_not_configured') ? (
            <Notice tone="warn">{t('modelNotThere', { model: data.definition.model })}</Notice>
          ) : null}
          <Versions key={data.agent.version} agent={data.agent} shown={shown} />
          <Panel title={`${t('definitionTitle')} · ${t('versionN', { n: shown })}`}>
            {older.fault === undefined ? null : <LoadState loaded={older} />}
            <JsonBlock label={t('definitionTitle')} value={older.data?.definition ?? data.definition} />
          </Panel>
          {editing ? (
            <AgentForm
              agent={data}
              onSaved={() => {
                setEditing(false);
                loaded.reload();
              }}
              onClose={() => setEditing(false)}
            />
          ) : null}
        </>
      ) : null}
    </>
  );
};
