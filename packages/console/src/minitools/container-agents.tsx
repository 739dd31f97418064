import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { AgentSelect } from './agent-select.tsx';

type ContainerAgentsProps = { readonly minitool: MinitoolDetails; readonly onChanged: () => void };

/** On which agent the sessions of each container run: chosen by the mini-tool's people, and by admins. */
export const ContainerAgents = ({ minitool, onChanged }: ContainerAgentsProps) => {
  const t = useText();
  const { minitools, agents } = useClient();
  const { data: known = [] } = useLoaded(useCallback(async () => (await agents.list({ limit: 200 })).items, [agents]));
  const { busy, fault, act } = useAct();
  const set = async (containerId: string, agentId: string): Promise<void> => {
    await act(() => minitools.patch(minitool.id, { containerAgents: { [containerId]: agentId === '' ? null : agentId } }));
    onChanged();
  };
  return (
    <Panel title={t('containerAgentsTitle')} hint={t('containerAgentsHint')}>
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
        {minitool.containers.map(({ id, title, agent }) => (
          <Field key={id} label={title}>
            {(field) => (
              <AgentSelect
                id={field}
                agents={known}
                value={agent ?? ''}
                none={t('installationsAgent')}
                disabled={busy}
                onChange={(agentId) => void set(id, agentId)}
              />
            )}
          </Field>
        ))}
      </div>
    </Panel>
  );
};
