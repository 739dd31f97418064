import { freshKey } from '@turnkeeper/client/fresh-key';
import type { ApplicationResource } from '@turnkeeper/core/protocol/wire/identity';
import type { CreatedWebhook } from '@turnkeeper/core/protocol/wire/webhooks';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Checks } from '../ui/checks.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { usualEvents } from './webhook-of.ts';

type NewWebhookProps = { readonly session: string | undefined; readonly onMade: (created: CreatedWebhook) => void; readonly onClose: () => void };

const noApplications: readonly ApplicationResource[] = [];

/** Of all sessions of an application, or of one session. */
export const NewWebhook = ({ session, onMade, onClose }: NewWebhookProps) => {
  const t = useText();
  const { client, user } = useSignedIn();
  const { data: applications = noApplications } = useLoaded(useCallback(async () => (await client.applications.list({ limit: 200 })).items, [client]));
  const mine = applications.filter(({ ownerId }) => user?.roles.includes('admin') || ownerId === user?.id);
  const { busy, fault, act } = useAct();
  const [key] = useState(() => freshKey('webhook'));
  const [of, setOf] = useState('session');
  const [sessionId, setSessionId] = useState(session ?? '');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly string[]>(['turn.completed', 'turn.failed']);
  const subject = of === 'session' ? { sessionId } : { applicationId: of };
  const make = (): Promise<boolean> =>
    act(async () => {
      const event_types = [...events];
      onMade(
        await client.webhooks.create(
          subject,
          { url: url.trim(), event_types },
          { idempotencyKey: `${key}-${JSON.stringify([subject, url, event_types])}`.slice(0, 500) },
        ),
      );
    });
  return (
    <FormDialog
      title={t('newWebhook')}
      submit={t('create')}
      busy={busy}
      incomplete={url.trim() === '' || (of === 'session' && sessionId === '')}
      fault={fault}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <Field label={t('webhookAbout')}>
        {(id) => (
          <Select id={id} value={of} onChange={(event) => setOf(event.target.value)}>
            <option value="session">{t('oneSession')}</option>
            {mine.map((application) => (
              <option key={application.id} value={application.id}>
                {t('webhookOfApplication', { name: application.name })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {of === 'session' ? (
        <Field label={t('sessionId')} hint={t('sessionIdHint')}>
          {(id) => (
            <TextInput id={id} value={sessionId} spellCheck={false} autoCapitalize="none" onChange={(event) => setSessionId(event.target.value.trim())} />
          )}
        </Field>
      ) : null}
      <Field label={t('webhookUrl')} hint={t('webhookUrlHint')}>
        {(id) => (
          <TextInput
            id={id}
            type="url"
            inputMode="url"
            value={url}
            placeholder="https://"
            spellCheck={false}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Checks label={t('webhookEvents')} options={usualEvents.map((event) => ({ value: event, label: event }))} chosen={events} onChange={setEvents} />
      {events.length === 0 ? <p className="text-[13px] text-ink-faint">{t('noneIsAll')}</p> : null}
    </FormDialog>
  );
};
