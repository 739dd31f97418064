import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { NewUser, ResetPassword } from './user-forms.tsx';

const isAdmin = (user: UserResource): boolean => user.roles.includes('admin');

type UserRowProps = { readonly user: UserResource; readonly self: boolean; readonly onChanged: () => void; readonly onPassword: () => void };

const UserRow = ({ user, self, onChanged, onPassword }: UserRowProps) => {
  const t = useText();
  const { client } = useSignedIn();
  const { busy, fault, act } = useAct();
  const patch = async (change: Parameters<typeof client.users.patch>[1]): Promise<void> => {
    await act(() => client.users.patch(user.id, change));
    onChanged();
  };
  const isOn = user.status === 'active';
  return (
    <Row
      id={user.id}
      title={user.displayName}
      marks={
        <>
          {isAdmin(user) ? <Badge tone="good">{t('roleAdmin')}</Badge> : null}
          {self ? <Badge>{t('me')}</Badge> : null}
          {isOn ? null : <Badge tone="danger">{t('disabled')}</Badge>}
        </>
      }
      note={`${user.username} · ${t(user.hasPassword ? 'hasPassword' : 'hasNoPassword')}`}
      actions={
        self ? null : (
          <>
            <Button size="sm" onClick={onPassword} aria-label={`${t('setPassword')}: ${user.username}`}>
              {t('setPassword')}
            </Button>
            <Button size="sm" disabled={busy} onClick={() => void patch({ roles: isAdmin(user) ? ['user'] : ['admin', 'user'] })}>
              {t(isAdmin(user) ? 'takeAdmin' : 'makeAdmin')}
            </Button>
            <Button
              size="sm"
              variant={isOn ? 'danger' : 'secondary'}
              disabled={busy}
              aria-label={`${t(isOn ? 'disable' : 'enable')}: ${user.username}`}
              onClick={() => void patch({ status: isOn ? 'disabled' : 'active' })}
            >
              {t(isOn ? 'disable' : 'enable')}
            </Button>
          </>
        )
      }
    >
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
    </Row>
  );
};

export const UsersTab = () => {
  const t = useText();
  const { client, user: self } = useSignedIn();
  const loaded = useLoaded(useCallback(async () => (await client.users.list({ limit: 200 })).items, [client]));
  const [making, setMaking] = useState(false);
  const [resetting, setResetting] = useState<UserResource>();
  return (
    <Panel
      title={t('tabUsers')}
      hint={t('usersHint')}
      action={
        <Button size="sm" variant="primary" onClick={() => setMaking(true)}>
          <UserPlus aria-hidden className="size-4" /> {t('newUser')}
        </Button>
      }
    >
      <LoadState loaded={loaded} />
      {loaded.data ? (
        <Rows label={t('tabUsers')}>
          {loaded.data.map((user) => (
            <UserRow key={user.id} user={user} self={user.id === self?.id} onChanged={loaded.reload} onPassword={() => setResetting(user)} />
          ))}
        </Rows>
      ) : null}
      {making ? (
        <NewUser
          onMade={() => {
            setMaking(false);
            loaded.reload();
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {resetting ? (
        <ResetPassword
          user={resetting}
          onClose={() => {
            setResetting(undefined);
            loaded.reload();
          }}
        />
      ) : null}
    </Panel>
  );
};
