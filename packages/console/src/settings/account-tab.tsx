import { useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { NotificationsPanel } from '../notifications/notifications-panel.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';

type PasswordInputProps = { readonly id: string; readonly value: string; readonly current?: boolean; readonly onChange: (value: string) => void };

const PasswordInput = ({ id, value, current = false, onChange }: PasswordInputProps) => (
  <TextInput
    id={id}
    type="password"
    autoComplete={current ? 'current-password' : 'new-password'}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

const shortest = 10;

/** One's own password. The first one is set without another. */
const OwnPassword = ({ userId, hasPassword, onSet }: { readonly userId: string; readonly hasPassword: boolean; readonly onSet: () => void }) => {
  const t = useText();
  const { client } = useSignedIn();
  const { busy, fault, act } = useAct();
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const ready = next.length >= shortest && next === again && (!hasPassword || present !== '');
  const save = async (): Promise<void> => {
    const done = await act(() => client.users.setPassword(userId, { password: next, ...(hasPassword ? { currentPassword: present } : {}) }));
    if (!done) return;
    for (const set of [setPresent, setNext, setAgain]) set('');
    onSet();
  };
  return (
    <form
      className="flex max-w-md flex-col gap-4 rounded-2xl border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) void save();
      }}
    >
      {hasPassword ? <Field label={t('presentPassword')}>{(id) => <PasswordInput id={id} current value={present} onChange={setPresent} />}</Field> : null}
      <Field label={t('newPassword')} hint={t('passwordHint', { count: shortest })}>
        {(id) => <PasswordInput id={id} value={next} onChange={setNext} />}
      </Field>
      <Field label={t('repeatPassword')} {...(again !== '' && again !== next ? { hint: t('passwordsDiffer') } : {})}>
        {(id) => <PasswordInput id={id} value={again} onChange={setAgain} />}
      </Field>
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <Button type="submit" variant="primary" className="self-start" disabled={!ready || busy}>
        {t(hasPassword ? 'changePassword' : 'setPassword')}
      </Button>
    </form>
  );
};

export const AccountTab = () => {
  const t = useText();
  const { user } = useSignedIn();
  const [isSet, setIsSet] = useState(false);
  if (!user) return null;
  const hasPassword = user.hasPassword || isSet;
  return (
    <>
      <Panel title={t('you')}>
        <Rows label={t('you')}>
          <Row
            title={user.displayName || user.username}
            marks={<Badge>{t(user.roles.includes('admin') ? 'roleAdmin' : 'roleUser')}</Badge>}
            note={`${user.username} · ${user.id}`}
          />
        </Rows>
      </Panel>
      <Panel title={t('passwordLabel')} hint={t(hasPassword ? 'passwordChangeNote' : 'passwordFirstNote')}>
        {isSet ? <Notice>{t('passwordIsSet')}</Notice> : null}
        <OwnPassword key={String(hasPassword)} userId={user.id} hasPassword={hasPassword} onSet={() => setIsSet(true)} />
      </Panel>
      <NotificationsPanel />
    </>
  );
};
