import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { usePeople } from '../settings/use-people.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Checks } from '../ui/checks.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { ContainerAgents } from './container-agents.tsx';
import { SettingsForm } from './settings-form.tsx';

type Administration = NonNullable<MinitoolDetails['administration']>;
type OfMinitool = { readonly minitool: MinitoolDetails; readonly administration: Administration; readonly onChanged: () => void };

const SetSecret = ({
  id,
  name: given,
  onDone,
  onClose,
}: {
  readonly id: string;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, act } = useAct();
  // `mcp.*` declares every name that begins so.
  const prefix = given.endsWith('*') ? given.slice(0, -1) : undefined;
  const [name, setName] = useState(prefix ?? given);
  const [value, setValue] = useState('');
  const save = async (): Promise<void> => {
    if (await act(() => minitools.putSecret(id, name, value))) onDone();
  };
  return (
    <FormDialog
      title={t('replaceNamed', { name: given })}
      submit={t('save')}
      busy={busy}
      incomplete={value === '' || name === prefix}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {prefix === undefined ? null : (
        <Field label={t('nameLabel')}>
          {(field) => <TextInput id={field} value={name} spellCheck={false} autoCapitalize="none" onChange={(event) => setName(event.target.value.trim())} />}
        </Field>
      )}
      <Field label={t('valueLabel')} hint={t('secretValueHint')}>
        {(field) => <TextInput id={field} type="password" autoComplete="off" value={value} onChange={(event) => setValue(event.target.value)} />}
      </Field>
    </FormDialog>
  );
};

const Secrets = ({ minitool, administration, onChanged }: OfMinitool) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, act } = useAct();
  const [setting, setSetting] = useState<string>();
  const remove = async (name: string): Promise<void> => {
    await act(() => minitools.deleteSecret(minitool.id, name));
    onChanged();
  };
  return (
    <Panel title={t('tabSecrets')} hint={t('minitoolSecretsHint')}>
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <Rows label={t('tabSecrets')}>
        {administration.secrets.map(({ name, isSet }) => (
          <Row
            key={name}
            id={name}
            title={<code>{name}</code>}
            marks={isSet ? <Badge tone="good">{t('secretIsSet')}</Badge> : null}
            actions={
              <>
                <Button size="sm" onClick={() => setSetting(name)} aria-label={t('replaceNamed', { name })}>
                  {t(isSet ? 'replace' : 'setSecret')}
                </Button>
                {isSet ? (
                  <Button size="sm" variant="danger" disabled={busy} onClick={() => void remove(name)} aria-label={`${t('delete')}: ${name}`}>
                    {t('delete')}
                  </Button>
                ) : null}
              </>
            }
          />
        ))}
      </Rows>
      {setting === undefined ? null : (
        <SetSecret
          id={minitool.id}
          name={setting}
          onDone={() => {
            setSetting(undefined);
            onChanged();
          }}
          onClose={() => setSetting(undefined)}
        />
      )}
    </Panel>
  );
};

const MinitoolUsers = ({ minitool, administration, onChanged }: OfMinitool) => {
  const t = useText();
  const { minitools } = useClient();
  const people = usePeople();
  const { busy, fault, act } = useAct();
  const [chosen, setChosen] = useState<readonly string[]>(administration.users);
  const isSame = chosen.length === administration.users.length && chosen.every((id) => administration.users.includes(id));
  const save = async (): Promise<void> => {
    if (await act(() => minitools.patch(minitool.id, { users: [...chosen] }))) onChanged();
  };
  return (
    <Panel title={t('minitoolUsersTitle')} hint={t('minitoolUsersHint')}>
      {people && people !== 'coming' ? (
        <Checks
          label={t('minitoolUsersTitle')}
          options={people.map(({ id, displayName, username }) => ({ value: id, label: displayName, hint: username }))}
          chosen={chosen}
          onChange={setChosen}
        />
      ) : null}
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <Button variant="primary" className="self-start" disabled={isSame || busy} onClick={() => void save()}>
        {t('save')}
      </Button>
    </Panel>
  );
};

export const MinitoolSettings = (props: OfMinitool) => {
  const t = useText();
  const { minitool, administration, onChanged } = props;
  return (
    <>
      {minitool.settingsFields.length === 0 ? null : (
        <Panel title={t('settingsTitle')}>
          <SettingsForm minitool={minitool} set={administration.settings as never} secretSettings={administration.secretSettings} onChanged={onChanged} />
        </Panel>
      )}
      {administration.secrets.length === 0 ? null : <Secrets {...props} />}
      {minitool.containers.length === 0 ? null : <ContainerAgents minitool={minitool} onChanged={onChanged} />}
      <MinitoolUsers {...props} />
    </>
  );
};
