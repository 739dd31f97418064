import { useId, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { ModelSelect } from '../new-chat/model-select.tsx';
import { NewChatComposer } from '../new-chat/new-chat-composer.tsx';
import { useNewChat } from '../new-chat/use-new-chat.ts';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Select } from '../ui/select.tsx';

type StartSomethingProps = {
  readonly onCreated: () => void;
  /** Nothing else wants the keys. */
  readonly focuses: boolean;
};

/** A new chat in one line: agent and model are chosen already. */
export const StartSomething = ({ onCreated, focuses }: StartSomethingProps) => {
  const t = useText();
  const [chosen, choose] = useState<string>();
  const chat = useNewChat({ chosen, choose }, onCreated);
  const modelId = useId();
  const { choices, agents, agent } = chat;
  return (
    <Panel title={t('nowStart')}>
      {choices.kind === 'failed' ? <Notice tone="danger">{choices.message}</Notice> : null}
      {choices.kind === 'loaded' && agents.length === 0 ? <Notice>{t('noAgents')}</Notice> : null}
      {chat.fault === undefined ? null : <Notice tone="danger">{t('notSent', { message: chat.fault })}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Select aria-label={t('agentLabel')} className="min-w-0 flex-1 basis-40" value={agent?.id ?? ''} onChange={(event) => chat.choose(event.target.value)}>
          {agents.map(({ id, displayName }) => (
            <option key={id} value={id}>
              {displayName}
            </option>
          ))}
        </Select>
        <label htmlFor={modelId} className="sr-only">
          {t('model')}
        </label>
        <ModelSelect chat={chat} id={modelId} className="min-w-0 flex-1 basis-40" />
      </div>
      <div>
        <NewChatComposer chat={chat} focuses={focuses} />
      </div>
    </Panel>
  );
};
