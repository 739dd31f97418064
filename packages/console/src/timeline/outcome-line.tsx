import type { TimelineEntry } from '@turnkeeper/client/view/timeline';
import type { TurnOutcome, TurnStatus } from '@turnkeeper/core/session/events';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { useSessionAccess } from '../auth/session-access-context.ts';
import type { TextKey } from '../i18n/en.ts';
import { formatDuration, formatUsage } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { useResume } from './use-resume.ts';

const texts: Record<TurnOutcome, TextKey> = {
  completed: 'outcomeCompleted',
  partial_succeeded: 'outcomePartial',
  failed: 'outcomeFailed',
  cancelled: 'outcomeCancelled',
  timed_out: 'outcomeTimedOut',
};
const isBad = (status: TurnStatus): boolean => status === 'failed' || status === 'timed_out';

/** Names of calls of which nobody knows whether they had their effect. */
const callNames = (turn: TurnBody, entries: readonly TimelineEntry[]): string[] =>
  (turn.unverified_calls ?? []).map((id) => {
    const entry = entries.find((candidate) => candidate.kind === 'tool' && candidate.tool?.tool_call_id === id);
    return entry?.kind === 'tool' ? entry.name : id;
  });

const mostNamed = 8;

/** Names of the calls that were made before it was stopped: nothing takes them back. */
const doneCalls = ({ status }: TurnBody, entries: readonly TimelineEntry[]): string[] => {
  if (status !== 'cancelled' && status !== 'timed_out') return [];
  const done = entries.flatMap((entry) => (entry.kind === 'tool' && entry.tool?.status === 'success' ? [entry.name] : []));
  const names = [...new Set(done)];
  return names.length > mostNamed ? [...names.slice(0, mostNamed), '…'] : names;
};

type OutcomeLineProps = { readonly sessionId: string; readonly turn: TurnBody; readonly entries: readonly TimelineEntry[]; readonly canResume: boolean };

export const OutcomeLine = ({ sessionId, turn, entries, canResume }: OutcomeLineProps) => {
  const t = useText();
  const locale = useLocale();
  const { busy, fault, resume } = useResume(sessionId, turn.turn_id);
  const { interact } = useSessionAccess();
  const bad = isBad(turn.status);
  const unverified = callNames(turn, entries);
  const done = doneCalls(turn, entries);
  const took = turn.started_at !== undefined && turn.ended_at !== undefined ? [formatDuration(turn.ended_at - turn.started_at, t)] : [];
  const facts = [...took, ...formatUsage(turn.usage, locale, t)];
  return (
    <footer className={bad ? 'rounded-2xl bg-danger-soft px-4 py-3' : 'text-right'} data-outcome={turn.status}>
      <p className={`text-[13px] tabular-nums ${bad ? 'text-danger' : 'text-ink-faint'}`}>
        <span className={bad || turn.status !== 'completed' ? 'font-medium' : ''}>{t(texts[turn.status as TurnOutcome])}</span>
        {turn.error_code === undefined ? null : (
          <>
            {' · '}
            <code className="font-mono text-xs">{turn.error_code}</code>
          </>
        )}
        {facts.map((fact) => ` · ${fact}`)}
      </p>
      {bad && turn.error_message ? <p className="mt-1 text-sm break-words">{turn.error_message}</p> : null}
      {unverified.length === 0 ? null : <p className="mt-1 text-[13px] text-warn">{t('unverified', { calls: unverified.join(', ') })}</p>}
      {done.length === 0 ? null : <p className="mt-1 text-[13px] text-ink-faint">{t('notUndone', { calls: done.join(', ') })}</p>}
      {turn.status === 'failed' && canResume && interact ? (
        <div className="mt-3 flex items-center gap-3">
          <Button size="sm" disabled={busy} onClick={resume}>
            {t('tryAgain')}
          </Button>
          {fault === undefined ? null : <span className="text-[13px] text-danger">{fault}</span>}
        </div>
      ) : null}
    </footer>
  );
};
