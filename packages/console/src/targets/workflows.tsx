import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { WorkflowGraph } from '../graph/workflow-graph.tsx';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import type { Query } from '../shell/query.ts';
import { Badge } from '../ui/badge.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { BackLink } from './back-link.tsx';
import { JsonBlock } from './json-block.tsx';
import { PinnedCount, SessionsLink } from './pinned-sessions.tsx';
import { StartButton } from './start-button.tsx';
import { usePinned } from './use-pinned.ts';

export const WorkflowList = () => {
  const t = useText();
  const { workflows } = useClient();
  const loaded = useLoaded(useCallback(async () => (await workflows.list({ limit: 200 })).items, [workflows]));
  return (
    <Panel title={t('tabWorkflows')} hint={t('workflowsHint')}>
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <NothingYet>{t('noWorkflows')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('tabWorkflows')}>
          {loaded.data.map(({ id, name, faults, revisions }) => (
            <Row
              key={id}
              id={id}
              title={
                <PlaceLink to={pageAt('targets', { tab: 'workflows', id })} className="rounded-md hover:text-accent">
                  {name}
                </PlaceLink>
              }
              marks={faults.some(({ severity }) => severity === 'error') ? <Badge tone="warn">{t('draftHasFaults')}</Badge> : null}
              note={revisions === 0 ? t('notPublished') : t('revisionN', { n: revisions })}
              actions={revisions === 0 ? null : <StartButton isOneOfMany target={{ type: 'workflow', id }} />}
            />
          ))}
        </Rows>
      ) : null}
    </Panel>
  );
};

type Node = { readonly key?: unknown };

/** The draft or a revision of it, drawn; what is chosen in the picture is shown as it is written. */
export const WorkflowDetails = ({ id, query }: { readonly id: string; readonly query: Query }) => {
  const t = useText();
  const { workflows } = useClient();
  const loaded = useLoaded(useCallback(async () => (await workflows.get(id)).workflow, [workflows, id]));
  const revisions = useLoaded(useCallback(async () => (await workflows.revisions(id, { limit: 200 })).items, [workflows, id]));
  const pinned = usePinned('workflow', id);
  const { data: workflow } = loaded;
  const revision = revisions.data?.find(({ n }) => String(n) === query['revision']);
  const spec: unknown = revision?.spec ?? workflow?.draftSpec;
  const selected = query['node'];
  const nodes = (spec as { readonly nodes?: unknown } | undefined)?.nodes;
  const node = Array.isArray(nodes) ? (nodes as readonly Node[]).find(({ key }) => key === selected) : undefined;
  const show = (change: Query): void => go(pageAt('targets', { ...query, ...change }), { replace: true });
  return (
    <>
      <BackLink tab="workflows" text={t('tabWorkflows')} />
      <LoadState loaded={loaded} />
      {workflow ? (
        <>
          <Panel
            title={workflow.name}
            hint={revision ? t('revisionN', { n: revision.n }) : t('workflowDraft')}
            action={workflow.revisions === 0 ? null : <StartButton target={{ type: 'workflow', id }} />}
          >
            {revision
              ? null
              : workflow.faults.map(({ pointer, detail, severity }) => (
                  <Notice key={`${pointer} ${detail}`} tone={severity === 'error' ? 'danger' : 'warn'}>
                    <code>{pointer || '/'}</code>: {detail}
                  </Notice>
                ))}
            <WorkflowGraph spec={spec} selected={selected} onSelect={(key) => show({ node: key === selected ? '' : key })} />
            {node ? <JsonBlock label={String(node.key)} value={node} /> : null}
          </Panel>
          <Panel title={t('versionsTitle')} hint={t('versionsHint')} action={<SessionsLink target={workflow.id} />}>
            <Rows label={t('versionsTitle')}>
              <Row
                title={
                  <PlaceLink to={pageAt('targets', { tab: 'workflows', id })} className="rounded-md hover:text-accent">
                    {t('workflowDraft')}
                  </PlaceLink>
                }
                marks={revision ? null : <Badge>{t('shownBelow')}</Badge>}
              />
              {(revisions.data ?? []).map(({ n }) => (
                <Row
                  key={n}
                  id={`v${n}`}
                  title={
                    <PlaceLink to={pageAt('targets', { tab: 'workflows', id, revision: String(n) })} className="rounded-md hover:text-accent">
                      {t('revisionN', { n })}
                    </PlaceLink>
                  }
                  marks={
                    <>
                      {n === workflow.revisions ? <Badge tone="good">{t('newest')}</Badge> : null}
                      {revision?.n === n ? <Badge>{t('shownBelow')}</Badge> : null}
                    </>
                  }
                  actions={<PinnedCount pinned={pinned} version={n} />}
                />
              ))}
            </Rows>
          </Panel>
        </>
      ) : null}
    </>
  );
};
