import type { ServerInfo } from '@turnkeeper/core/protocol/wire/server';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { SecretForm } from './secret-form.tsx';

type Provider = ServerInfo['providers'][number];
type KeyActionsProps = { readonly provider: Provider; readonly onAdd: () => void; readonly onRemove: () => void };

const KeyActions = ({ provider: { name, kept, keepable }, onAdd, onRemove }: KeyActionsProps) => {
  const t = useText();
  if (!keepable) return null;
  return (
    <>
      <Button size="sm" variant={kept ? undefined : 'primary'} onClick={onAdd} aria-label={t(kept ? 'replaceKeyOf' : 'addKeyOf', { name })}>
        {t(kept ? 'replace' : 'addKey')}
      </Button>
      {kept ? (
        <Button size="sm" variant="danger" onClick={onRemove} aria-label={t('removeKeyOf', { name })}>
          {t('delete')}
        </Button>
      ) : null}
    </>
  );
};

/** Where models come from. A key that is added here is kept as a secret of the installation, and counts at once. */
export const Providers = ({ onChanged }: { readonly onChanged: () => void }) => {
  const t = useText();
  const { server, secrets } = useClient();
  const info = useLoaded(useCallback(() => server.info(), [server]));
  const { fault, act } = useAct();
  const [adding, setAdding] = useState<Provider>();
  const [removing, setRemoving] = useState<Provider>();
  const changed = (): void => {
    info.reload();
    onChanged();
  };
  const noteOf = ({ on, kept, keepable, setting }: Provider): string => {
    if (kept) return t('keyKeptHere');
    if (on) return '';
    return t(keepable ? 'switchOnHereOrBy' : 'switchOnBy', { setting });
  };
  return (
    <Panel title={t('providersTitle')} hint={t('providersHint')}>
      <LoadState loaded={info} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {info.data ? (
        <Rows label={t('providersTitle')}>
          {info.data.providers.map((provider) => (
            <Row
              key={provider.name}
              id={provider.name}
              title={provider.name}
              marks={<Badge tone={provider.on ? 'good' : 'quiet'}>{t(provider.on ? 'providerOn' : 'providerOff')}</Badge>}
              note={noteOf(provider)}
              actions={<KeyActions provider={provider} onAdd={() => setAdding(provider)} onRemove={() => setRemoving(provider)} />}
            />
          ))}
        </Rows>
      ) : null}
      {adding ? (
        <SecretForm
          name={adding.setting}
          title={t(adding.kept ? 'replaceKeyOf' : 'addKeyOf', { name: adding.name })}
          onClose={() => setAdding(undefined)}
          onDone={() => {
            setAdding(undefined);
            changed();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={removing !== undefined}
        title={t('removeKeyOf', { name: removing?.name ?? '' })}
        text={t('removeKeyText')}
        confirm={t('delete')}
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          if (removing) void act(() => secrets.delete(removing.setting)).then(changed);
        }}
      />
    </Panel>
  );
};
