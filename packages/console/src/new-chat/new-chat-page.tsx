import { type ReactNode, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { go } from '../shell/address.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { AgentPicker } from './agent-picker.tsx';
import { ModelSelect } from './model-select.tsx';
import { NewChatComposer } from './new-chat-composer.tsx';
import { NewPage } from './new-page.tsx';
import { NewRun } from './new-run.tsx';
import { parseTarget, printTarget } from './new-target.ts';
import { useNewChat } from './use-new-chat.ts';

type NewChatPageProps = { readonly target: string | undefined; readonly menuButton: ReactNode; readonly onCreated: () => void };

const chooseInAddress = (id: string): void => go({ kind: 'new', target: printTarget({ type: 'agent', id }) }, { replace: true });

const NewChat = ({ agentId, menuButton, onCreated }: Omit<NewChatPageProps, 'target'> & { readonly agentId: string | undefined }) => {
  const t = useText();
  const chat = useNewChat({ chosen: agentId, choose: chooseInAddress }, onCreated);
  const { choices, agents, agent } = chat;
  const isGone = choices.kind === 'loaded' && agents.length > 0 && !agent;
  return (
    <NewPage menuButton={menuButton} title={t('newChatTitle')} foot={<NewChatComposer chat={chat} />}>
      {choices.kind === 'failed' ? <Notice tone="danger">{choices.message}</Notice> : null}
      {choices.kind === 'loaded' && agents.length === 0 ? <Notice>{t('noAgents')}</Notice> : null}
      {isGone ? <Notice tone="warn">{t('newAgentGone', { id: agentId ?? '' })}</Notice> : null}
      {agents.length > 0 ? <AgentPicker agents={agents} chosen={agent?.id ?? ''} onChoose={chat.choose} /> : null}
      {agent ? <Field label={t('model')}>{(id) => <ModelSelect chat={chat} id={id} className="sm:max-w-sm" />}</Field> : null}
      {chat.fault === undefined ? null : <Notice tone="danger">{t('notSent', { message: chat.fault })}</Notice>}
    </NewPage>
  );
};

/** A session that is still to be made: it is made with its first message, and what is written meanwhile survives a reload. */
export const NewChatPage = ({ target: text, menuButton, onCreated }: NewChatPageProps) => {
  const t = useText();
  const target = parseTarget(text);
  useEffect(() => {
    document.title = `${t('newChat')} · ${t('appName')}`;
  }, [t]);
  if (target && target.type !== 'agent') return <NewRun key={text} target={target} menuButton={menuButton} onCreated={onCreated} />;
  return <NewChat agentId={target?.id} menuButton={menuButton} onCreated={onCreated} />;
};
