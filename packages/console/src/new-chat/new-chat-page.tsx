import { freshKey } from '@turnkeeper/client/fresh-key';
import { type ReactNode, useRef, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { Composer } from '../composer/composer.tsx';
import { draftOf } from '../composer/draft.ts';
import { curlSession, terminalCommand } from '../composer/snippets.ts';
import { WaysIn } from '../composer/ways-in.tsx';
import { useText } from '../i18n/use-text.ts';
import { go } from '../shell/address.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { AgentPicker } from './agent-picker.tsx';
import { startChat } from './start-chat.ts';
import { useAgentModel, useAgents } from './use-agents.ts';

type NewChatPageProps = { readonly menuButton: ReactNode; readonly onCreated: () => void };

export const NewChatPage = ({ menuButton, onCreated }: NewChatPageProps) => {
  const t = useText();
  const { client, token } = useSignedIn();
  const choices = useAgents();
  const [chosen, setChosen] = useState('');
  const [model, setModel] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const submission = useRef({ wish: '', key: '' });
  const agents = choices.kind === 'loaded' ? choices.agents : [];
  const agent = agents.find(({ id }) => id === chosen) ?? agents[0];
  const ownModel = useAgentModel(agent?.id);
  const access = { origin: location.origin, token };

  const send = async (message: string): Promise<void> => {
    if (!agent) return;
    const wish = JSON.stringify([agent.id, model, message]);
    // The same wish sent again is the same submission.
    if (submission.current.wish !== wish) submission.current = { wish, key: freshKey('chat') };
    setBusy(true);
    setFault(undefined);
    try {
      const id = await startChat(client, { agent, model, message }, submission.current.key);
      onCreated();
      go({ kind: 'session', id });
    } catch (error) {
      draftOf('new').set(message);
      setFault((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-16 shrink-0 items-center px-4 md:hidden">{menuButton}</header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-6 px-4 py-8 sm:px-6">
          <h1 className="text-2xl font-semibold tracking-tight">{t('newChatTitle')}</h1>
          {choices.kind === 'failed' ? <Notice tone="danger">{choices.message}</Notice> : null}
          {choices.kind === 'loaded' && agents.length === 0 ? <Notice>{t('noAgents')}</Notice> : null}
          {agent ? <AgentPicker agents={agents} chosen={agent.id} onChoose={setChosen} /> : null}
          {agent && choices.kind === 'loaded' && choices.models.length > 0 ? (
            <Field label={t('model')}>
              {(id) => (
                <Select id={id} value={model} onChange={(event) => setModel(event.target.value)} className="sm:max-w-sm">
                  <option value="">{t('agentsOwnModel', { model: ownModel ?? '…' })}</option>
                  {choices.models
                    .filter(({ name }) => name !== ownModel)
                    .map(({ name }) => (
                      <option key={name} value={name}>
                        {name}
                      </option>
                    ))}
                </Select>
              )}
            </Field>
          ) : null}
          {fault === undefined ? null : <Notice tone="danger">{t('notSent', { message: fault })}</Notice>}
        </div>
      </div>
      <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
        <Composer place="new" disabled={busy || !agent} onSend={(text) => void send(text)} />
        <div className="mt-2">
          <WaysIn
            curl={() => curlSession(access, agent?.agentKey ?? '', draftOf('new').get().trim() || 'Hello')}
            terminal={() => terminalCommand(access, `chat --agent ${agent?.agentKey ?? ''}`)}
          />
        </div>
      </div>
    </div>
  );
};
