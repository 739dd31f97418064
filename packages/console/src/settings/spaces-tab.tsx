import type { SpaceResource } from '@turnkeeper/core/protocol/wire/identity';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { type Loaded, useLoaded } from '../ui/use-loaded.ts';
import { SpaceMembers } from './space-members.tsx';

const placeOf = (space: string) => pageAt('settings', { tab: 'spaces', space });
const spaceRoleTexts = { manager: 'roleManager', member: 'roleMember' } as const;

type SpaceFormProps = { readonly space?: SpaceResource; readonly onDone: () => void; readonly onClose: () => void };

/** A new one, or the name of one that is there. */
const SpaceForm = ({ space, onDone, onClose }: SpaceFormProps) => {
  const t = useText();
  const { client } = useSignedIn();
  const { busy, fault, act } = useAct();
  const [id, setId] = useState(space?.id ?? '');
  const [name, setName] = useState(space?.name ?? '');
  const save = async (): Promise<void> => {
    const named = name.trim();
    const done = await act(() => (space ? client.spaces.rename(space.id, named) : client.spaces.create({ id, ...(named === '' ? {} : { name: named }) })));
    if (done) onDone();
  };
  return (
    <FormDialog
      title={t(space ? 'rename' : 'newSpace')}
      submit={t(space ? 'save' : 'create')}
      busy={busy}
      incomplete={space ? name.trim() === '' : id === ''}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {space ? null : (
        <Field label={t('spaceIdLabel')} hint={t('spaceIdHint')}>
          {(field) => (
            <TextInput id={field} value={id} autoFocus spellCheck={false} autoCapitalize="none" onChange={(event) => setId(event.target.value.trim())} />
          )}
        </Field>
      )}
      <Field label={t('nameLabel')}>{(field) => <TextInput id={field} value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />}</Field>
    </FormDialog>
  );
};

type Spaces = Loaded<readonly SpaceResource[]>;

const SpaceList = ({ loaded, isAdmin }: { readonly loaded: Spaces; readonly isAdmin: boolean }) => {
  const t = useText();
  const [making, setMaking] = useState(false);
  return (
    <Panel title={t('tabSpaces')} hint={t('spacesHint')} action={isAdmin ? <NewButton onClick={() => setMaking(true)}>{t('newSpace')}</NewButton> : null}>
      <LoadState loaded={loaded} />
      {loaded.data ? (
        <Rows label={t('tabSpaces')}>
          {loaded.data.map((space) => (
            <Row
              key={space.id}
              id={space.id}
              title={
                <PlaceLink to={placeOf(space.id)} className="rounded-md hover:text-accent">
                  {space.name}
                </PlaceLink>
              }
              marks={space.role === null ? null : <Badge>{t(spaceRoleTexts[space.role])}</Badge>}
              note={space.id}
            />
          ))}
        </Rows>
      ) : null}
      {making ? (
        <SpaceForm
          onDone={() => {
            setMaking(false);
            loaded.reload();
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
    </Panel>
  );
};

export const SpacesTab = ({ selected }: { readonly selected: string | undefined }) => {
  const t = useText();
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const loaded = useLoaded(useCallback(async () => (await client.spaces.list({ limit: 200 })).items, [client]));
  const [renaming, setRenaming] = useState(false);
  if (selected === undefined) return <SpaceList loaded={loaded} isAdmin={isAdmin} />;
  const space = loaded.data?.find(({ id }) => id === selected);
  const manages = isAdmin || space?.role === 'manager';
  return (
    <>
      <PlaceLink
        to={pageAt('settings', { tab: 'spaces' })}
        className="flex items-center gap-1.5 self-start rounded-md px-1 text-sm text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" /> {t('tabSpaces')}
      </PlaceLink>
      <LoadState loaded={loaded} />
      {space ? (
        <Panel
          title={space.name}
          hint={space.id}
          action={
            manages ? (
              <Button size="sm" onClick={() => setRenaming(true)}>
                {t('rename')}
              </Button>
            ) : null
          }
        >
          <SpaceMembers key={space.id} spaceId={space.id} manages={manages} />
        </Panel>
      ) : null}
      {renaming && space ? (
        <SpaceForm
          space={space}
          onDone={() => {
            setRenaming(false);
            loaded.reload();
          }}
          onClose={() => setRenaming(false)}
        />
      ) : null}
    </>
  );
};
