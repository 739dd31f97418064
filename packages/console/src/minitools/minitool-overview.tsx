import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useNow } from '../ui/use-now.ts';
import { ActivityBadges } from './activity.tsx';
import { ContainerAgents } from './container-agents.tsx';
import { Containers } from './containers.tsx';
import { MinitoolActions } from './minitool-actions.tsx';
import { PermissionList } from './permission-list.tsx';

const riskTexts = { low: 'riskLow', medium: 'riskMedium', high: 'riskHigh' } as const;

const Tools = ({ id, tools }: Pick<MinitoolDetails, 'id' | 'tools'>) => {
  const t = useText();
  const entry = JSON.stringify({ type: 'minitool', id });
  return (
    <Panel title={t('minitoolTools')}>
      <p className="flex flex-wrap items-center gap-2 text-sm text-ink-soft">
        {t('minitoolToolsHint')}
        <code className="[overflow-wrap:anywhere]">{entry}</code>
        <CopyButton label={t('copyToolEntry')} text={entry} />
      </p>
      <Rows label={t('minitoolTools')}>
        {tools.map(({ name, title, description, risk }) => (
          <Row key={name} title={title} marks={<Badge tone={risk === 'high' ? 'warn' : 'quiet'}>{t(riskTexts[risk])}</Badge>} note={description || name} />
        ))}
      </Rows>
    </Panel>
  );
};

/** Where it is called from outside. What came in by it is told in the mini-tool's log. */
const Ingress = ({ webhooks }: Pick<MinitoolDetails, 'webhooks'>) => {
  const t = useText();
  return (
    <Panel title={t('ingressTitle')} hint={t('ingressHint')}>
      <Rows label={t('ingressTitle')}>
        {webhooks.map(({ id, path }) => (
          <Row
            key={id}
            title={id}
            note={<code>{location.origin + path}</code>}
            actions={<CopyButton label={t('copyAddress')} text={location.origin + path} />}
          />
        ))}
      </Rows>
    </Panel>
  );
};

type OverviewProps = { readonly minitool: MinitoolDetails; readonly onChanged: () => void };

const Trouble = ({ minitool: { reason, lastCrash } }: Pick<OverviewProps, 'minitool'>) => {
  const t = useText();
  const locale = useLocale();
  const now = useNow(10_000);
  return (
    <>
      {reason === null ? null : <Notice tone="danger">{reason}</Notice>}
      {lastCrash === null ? null : (
        <Notice tone="warn">
          <span className="font-medium">{t('lastCrash', { time: formatAge(lastCrash.at, locale, now) })}</span>
          <span className="block [overflow-wrap:anywhere] whitespace-pre-wrap">{lastCrash.reason}</span>
        </Notice>
      )}
    </>
  );
};

export const MinitoolOverview = ({ minitool, onChanged }: OverviewProps) => {
  const t = useText();
  const { administration } = minitool;
  return (
    <>
      <Panel
        title={minitool.name}
        hint={[minitool.description, minitool.version, administration?.source].filter(Boolean).join(' · ')}
        action={administration ? <MinitoolActions minitool={minitool} onChanged={onChanged} /> : null}
      >
        <div>
          <ActivityBadges minitool={minitool} />
        </div>
        <Trouble minitool={minitool} />
      </Panel>
      <Containers minitool={minitool} onChanged={onChanged} />
      {/* Admins have them among the settings. */}
      {administration === undefined && minitool.containers.length > 0 ? <ContainerAgents minitool={minitool} onChanged={onChanged} /> : null}
      {administration ? (
        <Panel title={t('permissionsTitle')} hint={t(administration.consent === null ? 'notAgreedYet' : 'agreedTo')}>
          <PermissionList minitool={minitool} />
        </Panel>
      ) : null}
      {minitool.tools.length === 0 ? null : <Tools id={minitool.id} tools={minitool.tools} />}
      {minitool.webhooks.length === 0 ? null : <Ingress webhooks={minitool.webhooks} />}
      {minitool.schedules.length === 0 ? null : (
        <Panel title={t('schedulesTitle')}>
          <Rows label={t('schedulesTitle')}>
            {minitool.schedules.map((schedule) => (
              <Row key={schedule} title={schedule} />
            ))}
          </Rows>
        </Panel>
      )}
    </>
  );
};
