import type { UsageReportAnswer } from '@turnkeeper/core/protocol/wire/usage-report';
import { reportedUnpricedCalls, unreportedCalls } from '@turnkeeper/core/view/usage';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { costText } from './cost-text.ts';

/** The sum of it, in four figures. */
export const UsageTotals = ({ report: { total, turns } }: { readonly report: UsageReportAnswer }) => {
  const t = useText();
  const locale = useLocale();
  const unpriced = reportedUnpricedCalls(total);
  const unreported = unreportedCalls(total);
  const missing = [
    ...(unpriced > 0 ? [t('costIncomplete', { count: unpriced.toLocaleString(locale) })] : []),
    ...(unreported > 0 ? [t('costUnreported', { count: unreported.toLocaleString(locale) })] : []),
  ];
  const figures = [
    [t('figureCost'), costText(total, locale, t)],
    [t('figureTokens'), total.total_tokens.toLocaleString(locale)],
    [t('figureCalls'), total.model_calls.toLocaleString(locale)],
    [t('figureTurns'), turns.toLocaleString(locale)],
  ] as const;
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name} className="flex min-w-0 flex-col-reverse rounded-2xl border border-line bg-surface px-4 py-3">
            <dt className="text-[13px] text-ink-faint">{name}</dt>
            <dd className="truncate text-lg font-semibold tabular-nums" title={value}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {missing.length === 0 ? null : <p className="px-1 text-[13px] text-ink-faint">{missing.join(' ')}</p>}
    </div>
  );
};
