import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import type { CreatedCredential, Scope } from '@turnkeeper/core/protocol/wire/identity';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Checks } from '../ui/checks.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { type Expiry, expiresAt } from './expiry.ts';
import { ExpirySelect } from './expiry-select.tsx';
import { grantsOf, grantTexts, grantTypes } from './grants.ts';

const scopes = ['invoke', 'read', 'interact', 'cancel', 'webhooks:write'] as const;
const scopeHints = {
  invoke: 'scopeInvoke',
  read: 'scopeRead',
  interact: 'scopeInteract',
  cancel: 'scopeCancel',
  'webhooks:write': 'scopeWebhooks',
} as const;
const usual: readonly string[] = ['invoke', 'read', 'interact', 'cancel'];

type NewKeyProps = { readonly applicationId: string; readonly onMade: (created: CreatedCredential) => void; readonly onClose: () => void };

const noAgents: readonly AgentResource[] = [];

export const NewKey = ({ applicationId, onMade, onClose }: NewKeyProps) => {
  const t = useText();
  const { agents, credentials } = useClient();
  const { data: known = noAgents } = useLoaded(useCallback(async () => (await agents.list({ limit: 200 })).items, [agents]));
  const { busy, fault, act } = useAct();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(usual);
  const [targets, setTargets] = useState<readonly string[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('90d');
  const make = (): Promise<boolean> =>
    act(async () => {
      const wish = { name: name.trim(), scopes: [...chosen] as Scope[], targets: [...grantsOf(targets)], ...expiresAt(expiry, Date.now()) };
      onMade(await credentials.create(applicationId, wish));
    });
  const options = [
    ...known.map(({ agentKey, displayName }) => ({ value: `agent:${agentKey}`, label: displayName, hint: agentKey })),
    ...grantTypes.map((type) => ({ value: `${type}:*`, label: t(grantTexts[type]) })),
  ];
  return (
    <FormDialog
      title={t('newKey')}
      submit={t('create')}
      busy={busy}
      incomplete={name.trim() === '' || chosen.length === 0 || targets.length === 0}
      fault={fault}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <Field label={t('nameLabel')} hint={t('keyNameHint')}>
        {(id) => <TextInput id={id} value={name} maxLength={200} autoFocus onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Checks
        label={t('scopesLabel')}
        options={scopes.map((scope) => ({ value: scope, label: scope, hint: t(scopeHints[scope]) }))}
        chosen={chosen}
        onChange={setChosen}
      />
      <Checks label={t('grantsLabel')} options={options} chosen={targets} onChange={setTargets} />
      <ExpirySelect value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
};
