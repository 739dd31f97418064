import { type ReactNode, useEffect } from 'react';
import { useApprovals } from '../approvals/approvals-context.ts';
import { useText } from '../i18n/use-text.ts';
import { LiveCounts } from '../overview/live-counts.tsx';
import { useOverview } from '../overview/overview-context.ts';
import { go } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { Notice } from '../ui/notice.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { sortOut } from './dismissed.ts';
import { FailedTurns } from './failed-turns.tsx';
import { FirstStepsCard } from './first-steps-card.tsx';
import { LastSessions } from './last-sessions.tsx';
import { OldestApproval } from './oldest-approval.tsx';
import { RunningTurns } from './running-turns.tsx';
import { StartSomething } from './start-something.tsx';
import { turnPlace } from './turn-place.ts';
import { useDismissed } from './use-dismissed.ts';
import { useFirstSteps } from './use-first-steps.ts';

type NowPageProps = { readonly query: Query; readonly menuButton: ReactNode; readonly onChanged: () => void };

/** What wants somebody comes first; then what to go on with, and what to begin. */
export const NowPage = ({ query, menuButton, onChanged }: NowPageProps) => {
  const t = useText();
  const { overview, fault } = useOverview();
  const { open } = useApprovals();
  const steps = useFirstSteps();
  const { ids, dismiss } = useDismissed();
  const { open: failed, dismissed } = sortOut(overview?.failed_turns ?? [], ids);
  const running = overview?.running_turns ?? [];
  const isQuiet = overview !== undefined && open?.length === 0 && failed.length + dismissed.length === 0 && running.length === 0;
  useEffect(() => {
    document.title = `${t('nowTitle')} · ${t('appName')}`;
  }, [t]);
  const [newest] = failed;
  useKeys({
    c: { text: t('keyCompose'), act: () => document.getElementById('message')?.focus() },
    ...(newest ? { f: { text: t('keyFailed'), act: () => go(turnPlace(newest)) } } : {}),
  });
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('nowTitle')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid w-full max-w-6xl gap-x-8 gap-y-7 px-3 py-5 sm:px-6 sm:py-7 xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-7">
            <div className="md:hidden">
              <LiveCounts />
            </div>
            {fault === undefined || overview ? null : <Notice tone="danger">{fault}</Notice>}
            <OldestApproval />
            <FailedTurns open={failed} dismissed={dismissed} showsDismissed={query['dismissed'] !== undefined} onDismiss={dismiss} />
            <RunningTurns turns={running} />
            {isQuiet ? <p className="px-1 text-sm text-ink-soft">{t('nowQuiet')}</p> : null}
            {open === undefined ? null : <StartSomething onCreated={onChanged} focuses={open.length === 0} />}
          </div>
          <div className="flex min-w-0 flex-col gap-7">
            <LastSessions />
            {steps ? <FirstStepsCard steps={steps} /> : null}
          </div>
        </div>
      </div>
    </div>
  );
};
