import type { SpaceMemberResource, SpaceRole } from '@turnkeeper/core/protocol/wire/identity';
import { UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { Select } from '../ui/select.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { PersonPicker } from './person-picker.tsx';
import { usePeople } from './use-people.ts';

type AddMemberProps = { readonly spaceId: string; readonly members: readonly SpaceMemberResource[]; readonly onDone: () => void; readonly onClose: () => void };

const AddMember = ({ spaceId, members, onDone, onClose }: AddMemberProps) => {
  const t = useText();
  const { spaces } = useClient();
  const people = usePeople();
  const { busy, fault, act } = useAct();
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<SpaceRole>('member');
  const add = async (): Promise<void> => {
    if (await act(() => spaces.putMember(spaceId, userId, role))) onDone();
  };
  return (
    <FormDialog title={t('addMember')} submit={t('save')} busy={busy} incomplete={userId === ''} fault={fault} onSubmit={() => void add()} onClose={onClose}>
      <PersonPicker people={people} without={members.map((member) => member.userId)} value={userId} onChange={setUserId} />
      <Field label={t('roleLabel')} hint={t('spaceRoleHint')}>
        {(id) => (
          <Select id={id} value={role} onChange={(event) => setRole(event.target.value as SpaceRole)}>
            <option value="member">{t('roleMember')}</option>
            <option value="manager">{t('roleManager')}</option>
          </Select>
        )}
      </Field>
    </FormDialog>
  );
};

export const SpaceMembers = ({ spaceId, manages }: { readonly spaceId: string; readonly manages: boolean }) => {
  const t = useText();
  const { spaces } = useClient();
  const loaded = useLoaded(useCallback(async () => (await spaces.members(spaceId, { limit: 200 })).items, [spaces, spaceId]));
  const { busy, fault, act } = useAct();
  const [adding, setAdding] = useState(false);
  const change = async (run: () => Promise<unknown>): Promise<void> => {
    await act(run);
    loaded.reload();
  };
  const other = (role: SpaceRole): SpaceRole => (role === 'manager' ? 'member' : 'manager');
  return (
    <>
      <LoadState loaded={loaded} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {loaded.data?.length === 0 ? <NothingYet>{t('noMembers')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('membersTitle')}>
          {loaded.data.map(({ userId, username, displayName, role }) => (
            <Row
              key={userId}
              id={userId}
              title={displayName}
              marks={<Badge>{t(role === 'manager' ? 'roleManager' : 'roleMember')}</Badge>}
              note={username}
              actions={
                manages ? (
                  <>
                    <Button size="sm" disabled={busy} onClick={() => void change(() => spaces.putMember(spaceId, userId, other(role)))}>
                      {t(role === 'manager' ? 'makeMember' : 'makeManager')}
                    </Button>
                    <Button size="sm" variant="danger" disabled={busy} onClick={() => void change(() => spaces.removeMember(spaceId, userId))}>
                      {t('remove')}
                    </Button>
                  </>
                ) : null
              }
            />
          ))}
        </Rows>
      ) : null}
      {manages ? (
        <Button size="sm" className="self-start" onClick={() => setAdding(true)}>
          <UserPlus aria-hidden className="size-4" /> {t('addMember')}
        </Button>
      ) : null}
      {adding ? (
        <AddMember
          spaceId={spaceId}
          members={loaded.data ?? []}
          onDone={() => {
            setAdding(false);
            loaded.reload();
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </>
  );
};
