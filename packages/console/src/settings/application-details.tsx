import type { ApplicationResource } from '@turnkeeper/core/protocol/wire/identity';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { ApplicationMembers } from './application-members.tsx';
import { Credentials } from './credentials.tsx';

type OfApplication = { readonly application: ApplicationResource; readonly onChanged: () => void };

const limits = [
  { name: 'maxConcurrent', used: 'running', text: 'limitRunning' },
  { name: 'maxUnfinished', used: 'unfinished', text: 'limitUnfinished' },
  { name: 'tokenBudget', used: 'tokens', text: 'limitTokens' },
] as const;

/** What was written, or null for no limit; undefined for what is no number. */
const limitOf = (text: string): number | null | undefined => (text.trim() === '' ? null : /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined);

const EditApplication = ({ application, onChanged, onClose }: OfApplication & { readonly onClose: () => void }) => {
  const t = useText();
  const { client } = useSignedIn();
  const { busy, fault, act } = useAct();
  const [name, setName] = useState(application.name);
  const [description, setDescription] = useState(application.description);
  const [texts, setTexts] = useState(() => limits.map((limit) => application[limit.name]?.toString() ?? ''));
  const values = texts.map(limitOf);
  const save = async (): Promise<void> => {
    const [maxConcurrent = null, maxUnfinished = null, tokenBudget = null] = values;
    const change = { version: application.version, name: name.trim(), description: description.trim(), maxConcurrent, maxUnfinished, tokenBudget };
    if (!(await act(() => client.applications.patch(application.id, change)))) return;
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={t('editApplication')}
      submit={t('save')}
      busy={busy}
      incomplete={name.trim() === '' || values.includes(undefined)}
      fault={fault}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label={t('nameLabel')}>{(id) => <TextInput id={id} value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />}</Field>
      <Field label={t('descriptionLabel')}>
        {(id) => <TextInput id={id} value={description} maxLength={2_000} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
      {limits.map((limit, at) => (
        <Field key={limit.name} label={t(limit.text)} hint={t('emptyIsNoLimit')}>
          {(id) => (
            <TextInput
              id={id}
              inputMode="numeric"
              value={texts[at] ?? ''}
              onChange={(event) => setTexts(texts.map((text, other) => (other === at ? event.target.value : text)))}
            />
          )}
        </Field>
      ))}
    </FormDialog>
  );
};

const Limits = ({ application }: { readonly application: ApplicationResource }) => {
  const t = useText();
  const locale = useLocale();
  const shown = (value: number): string => value.toLocaleString(locale);
  return (
    <Rows label={t('limitsTitle')}>
      {limits.map(({ name, used, text }) => {
        const most = application[name];
        const is = application.usage[used];
        return (
          <Row
            key={name}
            title={t(text)}
            note={most === null ? t('noLimit') : t('limitOf', { most: shown(most) })}
            marks={most !== null && is >= most ? <Badge tone="warn">{t('limitReached')}</Badge> : null}
            actions={<span className="text-sm tabular-nums">{shown(is)}</span>}
          />
        );
      })}
    </Rows>
  );
};

const Details = ({ application, onChanged }: OfApplication) => {
  const t = useText();
  const { client, user } = useSignedIn();
  const { busy, fault, act } = useAct();
  const [editing, setEditing] = useState(false);
  const manages = user !== undefined && (user.roles.includes('admin') || user.id === application.ownerId);
  const isOn = application.status === 'active';
  const turn = async (): Promise<void> => {
    await act(() => client.applications.patch(application.id, { version: application.version, status: isOn ? 'disabled' : 'active' }));
    onChanged();
  };
  return (
    <>
      <Panel
        title={application.name}
        hint={application.description || application.id}
        action={
          manages ? (
            <div className="flex gap-2">
              <Button size="sm" onClick={() => setEditing(true)}>
                {t('edit')}
              </Button>
              <Button size="sm" variant={isOn ? 'danger' : 'secondary'} disabled={busy} onClick={() => void turn()}>
                {t(isOn ? 'disable' : 'enable')}
              </Button>
            </div>
          ) : null
        }
      >
        {isOn ? null : <Notice tone="warn">{t('applicationDisabled')}</Notice>}
        {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
        <Limits application={application} />
      </Panel>
      <Credentials applicationId={application.id} manages={manages} />
      <ApplicationMembers application={application} manages={manages} onChanged={onChanged} />
      {editing ? <EditApplication application={application} onChanged={onChanged} onClose={() => setEditing(false)} /> : null}
    </>
  );
};

export const ApplicationDetails = ({ applicationId }: { readonly applicationId: string }) => {
  const t = useText();
  const { client } = useSignedIn();
  const loaded = useLoaded(
    useCallback(() => client.applications.get(applicationId), [client, applicationId]),
    15_000,
  );
  return (
    <>
      <PlaceLink
        to={pageAt('settings', { tab: 'applications' })}
        className="flex items-center gap-1.5 self-start rounded-md px-1 text-sm text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" /> {t('tabApplications')}
      </PlaceLink>
      <LoadState loaded={loaded} />
      {loaded.data ? <Details application={loaded.data} onChanged={loaded.reload} /> : null}
    </>
  );
};
