import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAct } from '../ui/use-act.ts';

const shortest = 10;

const NewPassword = ({ value, optional, onChange }: { readonly value: string; readonly optional: boolean; readonly onChange: (value: string) => void }) => {
  const t = useText();
  return (
    <Field label={t('newPassword')} hint={t(optional ? 'passwordOptionalHint' : 'passwordHint', { count: shortest })}>
      {(id) => <TextInput id={id} type="password" autoComplete="new-password" value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
};

export const NewUser = ({ onMade, onClose }: { readonly onMade: () => void; readonly onClose: () => void }) => {
  const t = useText();
  const { users } = useClient();
  const { busy, fault, act } = useAct();
  const [username, setUsername] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [password, setPassword] = useState('');
  const [admin, setAdmin] = useState(false);
  const make = async (): Promise<void> => {
    const named = displayName.trim() === '' ? {} : { displayName: displayName.trim() };
    const user = { username: username.trim(), ...named, roles: admin ? (['admin', 'user'] as const) : (['user'] as const) };
    if (await act(() => users.create({ ...user, roles: [...user.roles], ...(password === '' ? {} : { password }) }))) onMade();
  };
  return (
    <FormDialog
      title={t('newUser')}
      submit={t('create')}
      busy={busy}
      incomplete={username.trim() === '' || (password !== '' && password.length < shortest)}
      fault={fault}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <Field label={t('usernameLabel')}>
        {(id) => (
          <TextInput
            id={id}
            value={username}
            autoFocus
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('displayNameLabel')}>
        {(id) => <TextInput id={id} value={displayName} maxLength={200} autoComplete="off" onChange={(event) => setDisplayName(event.target.value)} />}
      </Field>
      <NewPassword optional value={password} onChange={setPassword} />
      <label className="flex items-center gap-2.5 text-sm">
        <input type="checkbox" checked={admin} onChange={(event) => setAdmin(event.target.checked)} className="size-4 accent-accent" />
        {t('isAdminLabel')}
      </label>
    </FormDialog>
  );
};

export const ResetPassword = ({ user, onClose }: { readonly user: UserResource; readonly onClose: () => void }) => {
  const t = useText();
  const { users } = useClient();
  const { busy, fault, act } = useAct();
  const [password, setPassword] = useState('');
  const save = async (): Promise<void> => {
    if (await act(() => users.setPassword(user.id, { password }))) onClose();
  };
  return (
    <FormDialog
      title={`${t('setPassword')}: ${user.displayName}`}
      submit={t('save')}
      busy={busy}
      incomplete={password.length < shortest}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="text-sm text-ink-soft">{t('resetNote')}</p>
      <NewPassword optional={false} value={password} onChange={setPassword} />
    </FormDialog>
  );
};
