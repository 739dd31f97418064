import type { UsageReportAnswer } from '@turnkeeper/core/protocol/wire/usage-report';
import { usageCsv } from '@turnkeeper/core/view/usage-csv';
import { Download } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useNameOf } from '../directory/directory-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { type Text, useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';
import { saveAs } from '../ui/save-as.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { BudgetDialog } from './budget-dialog.tsx';
import { costText } from './cost-text.ts';

type Group = UsageReportAnswer['groups'][number];

const groupTexts = { day: 'byDay', model: 'byModel', session: 'bySession', target: 'byTarget', owner: 'byOwner', key: 'byKeyUsed' } as const;
const cell = 'px-2 py-2 text-right tabular-nums';

/** Whose budget this person may set: an admin anyone's, others their own sessions'. */
const useBudgets = (wanted: boolean): ((sessionId: string) => boolean) => {
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const { data: mine } = useLoaded(
    useCallback(
      async () =>
        wanted && !isAdmin ? new Set((await client.sessions.list({ owner: 'me', status: 'all', limit: 200 })).items.map(({ id }) => id)) : new Set<string>(),
      [client, wanted, isAdmin],
    ),
  );
  return (id) => isAdmin || mine?.has(id) === true;
};

type GroupRowProps = { readonly group: Group; readonly by: UsageReportAnswer['group_by']; readonly share: number; readonly onBudget: (() => void) | undefined };

/** Whose it is, then what it is called; its id where nobody said that. */
const keyText = ({ key, name, submitted_by: holder }: Group, nameOf: (owner: string) => string, t: Text): string => {
  if (holder === undefined) return t('keyNotNoted');
  return holder === key ? t('withoutKey', { name: nameOf(holder) }) : `${nameOf(holder)} · ${name || key}`;
};

const GroupRow = ({ group, by, share, onBudget }: GroupRowProps) => {
  const { key, name, turns, usage } = group;
  const t = useText();
  const locale = useLocale();
  const nameOf = useNameOf(by === 'owner' || by === 'key');
  const shown = by === 'owner' ? nameOf(key) : by === 'key' ? keyText(group, nameOf, t) : name || t('untitled');
  return (
    <tr data-group={key} className="border-b border-line last:border-b-0">
      <th scope="row" className="relative px-3 py-2 text-left text-sm font-normal">
        {/* How much of the whole it is, seen at a glance. */}
        <progress
          aria-hidden
          max={1}
          value={share}
          className="absolute bottom-0 left-0 h-0.5 w-full appearance-none bg-transparent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
        />
        <span className="block max-w-full [overflow-wrap:anywhere]">
          {by === 'session' ? (
            <PlaceLink to={{ kind: 'session', id: key }} className="rounded-md font-medium hover:text-accent">
              {shown}
            </PlaceLink>
          ) : (
            <span className="font-medium">{shown}</span>
          )}
        </span>
        {onBudget ? (
          <button type="button" onClick={onBudget} className="rounded-md text-[13px] text-accent underline-offset-3 hover:underline">
            {t('budget')}
          </button>
        ) : null}
      </th>
      <td className={`${cell} max-sm:hidden`}>{turns.toLocaleString(locale)}</td>
      <td className={`${cell} max-sm:hidden`}>{usage.model_calls.toLocaleString(locale)}</td>
      <td className={cell}>{usage.total_tokens.toLocaleString(locale)}</td>
      <td className={`${cell} pr-3`}>{costText(usage, locale, t)}</td>
    </tr>
  );
};

export const GroupTable = ({ report }: { readonly report: UsageReportAnswer }) => {
  const t = useText();
  const { group_by: by, groups, total, left_out } = report;
  const [budgetOf, setBudgetOf] = useState<Group>();
  const maySetBudget = useBudgets(by === 'session');
  const title = t(groupTexts[by]);
  const shareOf = ({ usage }: Group): number =>
    total.estimated_cost > 0 ? usage.estimated_cost / total.estimated_cost : total.total_tokens > 0 ? usage.total_tokens / total.total_tokens : 0;
  const head = 'px-2 py-2 text-right text-xs font-medium text-ink-faint';
  return (
    <Panel
      title={title}
      action={
        <Button size="sm" onClick={() => saveAs(new Blob([usageCsv(groups, by)], { type: 'text/csv' }), `usage-by-${by}.csv`)}>
          <Download aria-hidden className="size-4" /> CSV
        </Button>
      }
    >
      <div className="overflow-hidden rounded-2xl border border-line bg-surface text-[13px]">
        <table className="w-full border-collapse">
          <caption className="sr-only">{title}</caption>
          <thead className="border-b border-line">
            <tr>
              <th scope="col" className="px-3 py-2 text-left text-xs font-medium text-ink-faint">
                {title}
              </th>
              <th scope="col" className={`${head} max-sm:hidden`}>
                {t('figureTurns')}
              </th>
              <th scope="col" className={`${head} max-sm:hidden`}>
                {t('figureCalls')}
              </th>
              <th scope="col" className={head}>
                {t('figureTokens')}
              </th>
              <th scope="col" className={`${head} pr-3`}>
                {t('figureCost')}
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <GroupRow
                key={group.key}
                group={group}
                by={by}
                share={shareOf(group)}
                onBudget={by === 'session' && maySetBudget(group.key) ? () => setBudgetOf(group) : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      {left_out === 0 ? null : <p className="text-center text-[13px] text-ink-faint">{t('groupsLeftOut', { count: left_out })}</p>}
      {budgetOf ? <BudgetDialog sessionId={budgetOf.key} title={budgetOf.name} onClose={() => setBudgetOf(undefined)} /> : null}
    </Panel>
  );
};
