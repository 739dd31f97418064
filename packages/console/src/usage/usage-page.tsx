import type { UsageReportAnswer } from '@turnkeeper/core/protocol/wire/usage-report';
import { usageGroupings } from '@turnkeeper/core/view/usage-report';
import { type ReactNode, useCallback, useEffect } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageBody } from '../ui/page-body.tsx';
import { NothingYet } from '../ui/rows.tsx';
import { Select } from '../ui/select.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { CostliestTurns } from './costliest-turns.tsx';
import { GroupTable } from './group-table.tsx';
import { periodOf, periods, spanOf, timeZone } from './period.ts';
import { UsagePlot } from './usage-plot.tsx';
import { UsageTotals } from './usage-totals.tsx';

type UsagePageProps = { readonly query: Query; readonly menuButton: ReactNode };

const periodTexts = { '1': 'periodToday', '7': 'periodWeek', '30': 'periodMonth', '90': 'periodQuarter' } as const;
const groupTexts = { day: 'byDay', model: 'byModel', session: 'bySession', target: 'byTarget', owner: 'byOwner', key: 'byKeyUsed' } as const;
/** Days stand in the plot and in its table. */
const tableGroupings = usageGroupings.filter((grouping) => grouping !== 'day');

const Reports = ({ days, groups, query }: { readonly days: UsageReportAnswer; readonly groups: UsageReportAnswer | undefined; readonly query: Query }) => {
  const t = useText();
  if (days.turns === 0) return <NothingYet>{t('noUsage')}</NothingYet>;
  return (
    <>
      <UsageTotals report={days} />
      {days.complete ? null : <Notice tone="warn">{t('usageCutShort')}</Notice>}
      <UsagePlot report={days} query={query} />
      {groups ? <GroupTable report={groups} /> : null}
      <CostliestTurns turns={days.costliest} />
    </>
  );
};

export const UsagePage = ({ query, menuButton }: UsagePageProps) => {
  const t = useText();
  const { usage } = useClient();
  const period = periodOf(query['period']);
  const by = tableGroupings.find((grouping) => grouping === query['by']) ?? 'model';
  const days = useLoaded(useCallback(() => usage.report({ ...spanOf(period, Date.now()), group_by: 'day', time_zone: timeZone() }), [usage, period]));
  const groups = useLoaded(useCallback(() => usage.report({ ...spanOf(period, Date.now()), group_by: by }), [usage, period, by]));
  const show = (change: Query): void => go(pageAt('usage', { ...query, ...change }), { replace: true });
  useEffect(() => {
    document.title = `${t('usageTitle')} · ${t('appName')}`;
  }, [t]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('usageTitle')} />
      <PageBody wide>
        <search className="flex flex-wrap gap-2">
          <Select aria-label={t('periodLabel')} className="w-44 max-sm:flex-1" value={period} onChange={(event) => show({ period: event.target.value })}>
            {periods.map((each) => (
              <option key={each} value={each}>
                {t(periodTexts[each])}
              </option>
            ))}
          </Select>
          <Select aria-label={t('groupBy')} className="w-56 max-sm:flex-1" value={by} onChange={(event) => show({ by: event.target.value })}>
            {tableGroupings.map((each) => (
              <option key={each} value={each}>
                {t(groupTexts[each])}
              </option>
            ))}
          </Select>
        </search>
        <LoadState loaded={days} />
        {days.data ? <Reports days={days.data} groups={groups.data} query={query} /> : null}
        {groups.fault !== undefined && days.fault === undefined ? <LoadState loaded={groups} /> : null}
      </PageBody>
    </div>
  );
};
