import type { ApplicationResource } from '@turnkeeper/core/protocol/wire/identity';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { ApplicationDetails } from './application-details.tsx';

const placeOf = (application: string) => pageAt('settings', { tab: 'applications', application });

const NewApplication = ({ onMade, onClose }: { readonly onMade: (application: ApplicationResource) => void; readonly onClose: () => void }) => {
  const t = useText();
  const { applications } = useClient();
  const { busy, fault, act } = useAct();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const make = (): Promise<boolean> => act(async () => onMade(await applications.create({ name: name.trim(), description: description.trim() })));
  return (
    <FormDialog
      title={t('newApplication')}
      submit={t('create')}
      busy={busy}
      incomplete={name.trim() === ''}
      fault={fault}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <Field label={t('nameLabel')}>
        {(id) => <TextInput id={id} value={name} maxLength={200} autoFocus onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label={t('descriptionLabel')}>
        {(id) => <TextInput id={id} value={description} maxLength={2_000} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
    </FormDialog>
  );
};

const ApplicationList = () => {
  const t = useText();
  const { applications } = useClient();
  const loaded = useLoaded(useCallback(async () => (await applications.list({ limit: 200 })).items, [applications]));
  const [making, setMaking] = useState(false);
  return (
    <Panel title={t('tabApplications')} hint={t('applicationsHint')} action={<NewButton onClick={() => setMaking(true)}>{t('newApplication')}</NewButton>}>
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <NothingYet>{t('noApplications')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('tabApplications')}>
          {loaded.data.map((application) => (
            <Row
              key={application.id}
              id={application.id}
              title={
                <PlaceLink to={placeOf(application.id)} className="rounded-md hover:text-accent">
                  {application.name}
                </PlaceLink>
              }
              marks={application.status === 'disabled' ? <Badge tone="warn">{t('disabled')}</Badge> : null}
              note={application.description || application.id}
            />
          ))}
        </Rows>
      ) : null}
      {making ? <NewApplication onMade={({ id }) => go(placeOf(id))} onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
};

export const ApplicationsTab = ({ selected }: { readonly selected: string | undefined }) =>
  selected === undefined ? <ApplicationList /> : <ApplicationDetails key={selected} applicationId={selected} />;
