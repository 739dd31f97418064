import type { AgentAnswer, NewAgent } from '@turnkeeper/client/calls/agents';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAct } from '../ui/use-act.ts';
import { faultsWithin, readDraft } from './draft-json.ts';
import { JsonEditor } from './json-editor.tsx';

type AgentFormProps = { readonly agent?: AgentAnswer; readonly onSaved: (id: string) => void; readonly onClose: () => void };

const beginning = { system: 'You are helpful and brief.', model: 'demo:echo', tools: [] };

/** A new agent, or a new version of one. What is wrong with the definition is told at its place. */
export const AgentForm = ({ agent, onSaved, onClose }: AgentFormProps) => {
  const t = useText();
  const { agents } = useClient();
  const { busy, fault, faults, act } = useAct();
  const [agentKey, setAgentKey] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [text, setText] = useState(() => JSON.stringify(agent?.definition ?? beginning, null, 2));
  const definition = readDraft(text).value as NewAgent['definition'] | undefined;
  const save = (): Promise<boolean> =>
    act(async () => {
      if (!definition) return;
      const saved = agent
        ? await agents.patchDefinition(agent.agent.id, { version: agent.agent.version, definition })
        : await agents.create({ agentKey, displayName: displayName.trim() || agentKey, definition });
      onSaved(saved.agent.id);
    });
  return (
    <FormDialog
      wide
      title={agent ? t('newVersionOf', { name: agent.agent.displayName }) : t('newAgent')}
      submit={t(agent ? 'saveVersion' : 'create')}
      busy={busy}
      incomplete={!definition || (!agent && agentKey === '')}
      fault={faults.length > 0 ? undefined : fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {agent ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('agentKeyLabel')} hint={t('spaceIdHint')}>
            {(id) => (
              <TextInput
                id={id}
                value={agentKey}
                autoFocus
                spellCheck={false}
                autoCapitalize="none"
                onChange={(event) => setAgentKey(event.target.value.trim())}
              />
            )}
          </Field>
          <Field label={t('displayNameLabel')}>
            {(id) => <TextInput id={id} value={displayName} maxLength={200} onChange={(event) => setDisplayName(event.target.value)} />}
          </Field>
        </div>
      )}
      <JsonEditor label={t('definitionLabel')} text={text} faults={faultsWithin(faults, '/definition')} onChange={setText} />
    </FormDialog>
  );
};
