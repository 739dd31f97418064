import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const everyMs = 10_000;

export const ServerTab = () => {
  const t = useText();
  const locale = useLocale();
  const { server } = useClient();
  const loaded = useLoaded(
    useCallback(() => server.info(), [server]),
    everyMs,
  );
  const { data: info } = loaded;
  const days = (count: number): string => (count === 0 ? t('keptForEver') : t('keptDays', { count }));
  return (
    <>
      <Panel
        title={t('diagnosticsTitle')}
        hint={t('diagnosticsHint')}
        action={info ? <CopyButton label={t('copyDiagnostics')} text={JSON.stringify(info, null, 2)} /> : null}
      >
        <LoadState loaded={loaded} />
        {info ? (
          <Facts
            facts={[
              [
                t('serverState'),
                <Badge key="state" tone={info.ready ? 'good' : 'danger'}>
                  {info.ready ? t('serverReady') : (info.detail ?? t('serverNotReady'))}
                </Badge>,
              ],
              [t('serverVersion'), info.version],
              [t('serverProcess'), String(info.pid)],
              [t('serverFolder'), info.dataFolder],
              [t('serverStore'), t(info.store === 'embedded' ? 'storeEmbedded' : 'storePostgres')],
              [t('serverStarted'), formatAge(info.startedAt, locale, info.now)],
              [t('serverStreams'), info.openStreams.toLocaleString(locale)],
            ]}
          />
        ) : null}
      </Panel>
      {info ? (
        <Panel title={t('retentionTitle')} hint={t('retentionHint')}>
          <Facts
            facts={[
              [t('retentionHistory'), days(info.retention.historyDays)],
              [t('retentionDeleted'), days(info.retention.deletedDays)],
              [t('retentionAudit'), days(info.retention.auditDays)],
            ]}
          />
        </Panel>
      ) : null}
    </>
  );
};
