import type { ApplicationMember, ApplicationResource, ApplicationRole } from '@turnkeeper/core/protocol/wire/identity';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useNameOf } from '../directory/directory-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Checks } from '../ui/checks.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { PersonPicker } from './person-picker.tsx';
import { usePeople } from './use-people.ts';

type MembersProps = { readonly application: ApplicationResource; readonly manages: boolean; readonly onChanged: () => void };

const roles = ['viewer', 'operator', 'approver'] as const;
const roleTexts = { viewer: 'roleViewer', operator: 'roleOperator', approver: 'roleApprover' } as const;
const roleHints = { viewer: 'roleViewerHint', operator: 'roleOperatorHint', approver: 'roleApproverHint' } as const;

type EditProps = MembersProps & { readonly member: ApplicationMember | undefined; readonly onClose: () => void };

const EditMember = ({ application, member, onChanged, onClose }: EditProps) => {
  const t = useText();
  const { applications } = useClient();
  const people = usePeople();
  const { busy, fault, act } = useAct();
  const [userId, setUserId] = useState(member?.userId ?? '');
  const [chosen, setChosen] = useState<readonly string[]>(member?.roles ?? ['viewer']);
  const save = async (): Promise<void> => {
    const others = application.members.filter((other) => other.userId !== userId);
    const members = [...others, { userId, roles: [...chosen] as ApplicationRole[] }];
    if (!(await act(() => applications.patch(application.id, { version: application.version, members })))) return;
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={t(member ? 'changeRoles' : 'addMember')}
      submit={t('save')}
      busy={busy}
      incomplete={userId === '' || chosen.length === 0}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {member ? null : <PersonPicker people={people} without={application.members.map((other) => other.userId)} value={userId} onChange={setUserId} />}
      <Checks
        label={t('rolesLabel')}
        options={roles.map((role) => ({ value: role, label: t(roleTexts[role]), hint: t(roleHints[role]) }))}
        chosen={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
};

export const ApplicationMembers = ({ application, manages, onChanged }: MembersProps) => {
  const t = useText();
  const { applications } = useClient();
  const nameOf = useNameOf(true);
  const { busy, fault, act } = useAct();
  const [editing, setEditing] = useState<{ readonly member: ApplicationMember | undefined }>();
  const remove = async (userId: string): Promise<void> => {
    const members = application.members.filter((other) => other.userId !== userId);
    await act(() => applications.patch(application.id, { version: application.version, members }));
    onChanged();
  };
  return (
    <Panel
      title={t('membersTitle')}
      hint={t('membersHint')}
      action={
        manages ? (
          <Button size="sm" onClick={() => setEditing({ member: undefined })}>
            <UserPlus aria-hidden className="size-4" /> {t('addMember')}
          </Button>
        ) : null
      }
    >
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {application.members.length === 0 ? (
        <NothingYet>{t('noMembers')}</NothingYet>
      ) : (
        <Rows label={t('membersTitle')}>
          {application.members.map((member) => (
            <Row
              key={member.userId}
              id={member.userId}
              title={nameOf(`user:${member.userId}`)}
              marks={member.roles.map((role) => <Badge key={role}>{t(roleTexts[role])}</Badge>)}
              note={member.userId === application.ownerId ? t('isOwner') : ''}
              actions={
                manages ? (
                  <>
                    <Button size="sm" onClick={() => setEditing({ member })}>
                      {t('changeRoles')}
                    </Button>
                    <Button size="sm" variant="danger" disabled={busy} onClick={() => void remove(member.userId)}>
                      {t('remove')}
                    </Button>
                  </>
                ) : null
              }
            />
          ))}
        </Rows>
      )}
      {editing ? (
        <EditMember application={application} manages={manages} member={editing.member} onChanged={onChanged} onClose={() => setEditing(undefined)} />
      ) : null}
    </Panel>
  );
};
