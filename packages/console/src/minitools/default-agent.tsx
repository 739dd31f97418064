import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { AgentSelect } from './agent-select.tsx';

/** The agent of all containers that have none of their own. */
export const DefaultAgent = () => {
  const t = useText();
  const { minitools, agents } = useClient();
  const known = useLoaded(useCallback(async () => (await agents.list({ limit: 200 })).items, [agents]));
  const loaded = useLoaded(useCallback(() => minitools.defaults(), [minitools]));
  const { busy, fault, act } = useAct();
  const set = async (agentId: string): Promise<void> => {
    await act(() => minitools.putDefaults({ defaultAgent: agentId === '' ? null : agentId }));
    loaded.reload();
  };
  return (
    <Panel title={t('defaultAgentTitle')} hint={t('defaultAgentHint')}>
      <LoadState loaded={loaded} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {loaded.data && known.data ? (
        <AgentSelect
          label={t('defaultAgentTitle')}
          agents={known.data}
          value={loaded.data.defaultAgent ?? ''}
          none={t('noDefaultAgent')}
          disabled={busy}
          onChange={(agentId) => void set(agentId)}
        />
      ) : null}
    </Panel>
  );
};
