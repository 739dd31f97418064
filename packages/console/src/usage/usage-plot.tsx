import type { UsageReportAnswer } from '@turnkeeper/core/protocol/wire/usage-report';
import { formatMoney, formatUsage } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { BarChart } from '../ui/bar-chart.tsx';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';
import { costText } from './cost-text.ts';
import { daysOf } from './period.ts';

type UsagePlotProps = { readonly report: UsageReportAnswer; readonly query: Query };

const noon = (day: string): Date => new Date(`${day}T12:00:00`);

/** Cost or tokens by day, as a picture and as a table. */
export const UsagePlot = ({ report, query }: UsagePlotProps) => {
  const t = useText();
  const locale = useLocale();
  // Where nothing cost anything there is only one thing to see.
  const priced = report.total.currency !== null && report.total.estimated_cost > 0;
  const measure = query['measure'] === 'tokens' || !priced ? 'tokens' : 'cost';
  const byDay = new Map(report.groups.map((group) => [group.key, group]));
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const short = new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric' });
  const money = (value: number): string => formatMoney(value, report.total.currency ?? 'USD', locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const days = daysOf(report);
  const bars = days.map((day) => {
    const usage = byDay.get(day)?.usage;
    const value = usage === undefined ? 0 : measure === 'cost' ? usage.estimated_cost : usage.total_tokens;
    const said = usage ? formatUsage(usage, locale, t).join(' · ') || costText(usage, locale, t) : '–';
    const incomplete = measure === 'cost' && usage?.cost_complete === false;
    return { key: day, label: short.format(noon(day)), value, title: `${long.format(noon(day))}: ${said}`, incomplete };
  });
  const title = t(measure === 'cost' ? 'costByDay' : 'tokensByDay');
  return (
    <Panel
      title={title}
      action={
        priced ? (
          <Button size="sm" onClick={() => go(pageAt('usage', { ...query, measure: measure === 'cost' ? 'tokens' : 'cost' }), { replace: true })}>
            {t(measure === 'cost' ? 'showTokens' : 'showCost')}
          </Button>
        ) : null
      }
    >
      <div className="rounded-2xl border border-line bg-surface p-3 sm:p-4">
        <BarChart label={title} bars={bars} format={(value) => (measure === 'cost' ? money(value) : compact.format(value))} />
        {bars.some(({ incomplete }) => incomplete) ? <p className="mt-1 text-[13px] text-warn">{t('dashedIsMore')}</p> : null}
        <details className="mt-2 text-[13px]">
          <summary className="w-fit rounded-md text-ink-faint">{t('asTable')}</summary>
          <div className="mt-2 max-h-72 overflow-auto">
            <table className="w-full border-collapse tabular-nums">
              <caption className="sr-only">{title}</caption>
              <thead>
                <tr className="text-left text-ink-faint">
                  <th scope="col" className="py-1 font-medium">
                    {t('byDay')}
                  </th>
                  <th scope="col" className="py-1 text-right font-medium">
                    {t('figureTokens')}
                  </th>
                  <th scope="col" className="py-1 text-right font-medium">
                    {t('figureCost')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {report.groups.map(({ key, usage }) => (
                  <tr key={key} className="border-t border-line">
                    <th scope="row" className="py-1 text-left font-normal">
                      {long.format(noon(key))}
                    </th>
                    <td className="py-1 text-right">{usage.total_tokens.toLocaleString(locale)}</td>
                    <td className="py-1 text-right">{costText(usage, locale, t)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </div>
    </Panel>
  );
};
