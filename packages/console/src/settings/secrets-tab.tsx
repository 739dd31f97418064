import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useNameOf } from '../directory/directory-context.ts';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { SecretForm } from './secret-form.tsx';

export const SecretsTab = () => {
  const t = useText();
  const locale = useLocale();
  const now = useNow(30_000);
  const nameOf = useNameOf(true);
  const { secrets } = useClient();
  const loaded = useLoaded(useCallback(async () => (await secrets.list()).items, [secrets]));
  const { fault, act } = useAct();
  const [setting, setSetting] = useState<{ readonly name: string | undefined }>();
  const [deleting, setDeleting] = useState<string>();
  const remove = async (name: string): Promise<void> => {
    await act(() => secrets.delete(name));
    loaded.reload();
  };
  return (
    <Panel
      title={t('tabSecrets')}
      hint={t('secretsHint', { reference: '{"$secret": "NAME"}' })}
      action={<NewButton onClick={() => setSetting({ name: undefined })}>{t('newSecret')}</NewButton>}
    >
      <LoadState loaded={loaded} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {loaded.data?.length === 0 ? <NothingYet>{t('noSecrets')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('tabSecrets')}>
          {loaded.data.map(({ name, updatedAt, updatedBy }) => (
            <Row
              key={name}
              id={name}
              title={<code>{name}</code>}
              note={t('setWhenBy', { time: formatAge(updatedAt, locale, now), name: nameOf(updatedBy.includes(':') ? updatedBy : `user:${updatedBy}`) })}
              actions={
                <>
                  <Button size="sm" onClick={() => setSetting({ name })} aria-label={t('replaceNamed', { name })}>
                    {t('replace')}
                  </Button>
                  <Button size="sm" variant="danger" onClick={() => setDeleting(name)} aria-label={`${t('delete')}: ${name}`}>
                    {t('delete')}
                  </Button>
                </>
              }
            />
          ))}
        </Rows>
      ) : null}
      {setting ? (
        <SecretForm
          name={setting.name}
          onDone={() => {
            setSetting(undefined);
            loaded.reload();
          }}
          onClose={() => setSetting(undefined)}
        />
      ) : null}
      <ConfirmDialog
        open={deleting !== undefined}
        title={t('deleteSecretTitle', { name: deleting ?? '' })}
        text={t('deleteSecretText')}
        confirm={t('delete')}
        onConfirm={() => deleting && void remove(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  );
};
