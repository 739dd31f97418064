import { statusWord, typeWord } from '../graph/step-words.ts';
import { formatDuration } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import type { InspectorProps } from './inspector.tsx';
import { type StepShown, stepsIn } from './steps.ts';

const toneOf = ({ status }: StepShown) => {
  if (status === 'running') return 'running' as const;
  if (status === 'waiting' || status === 'sleeping' || status === 'delayed') return 'waiting' as const;
  return status === 'failed' || status === 'timed_out' || status === 'rejected' ? ('failed' as const) : ('idle' as const);
};

const Step = ({ sessionId, step }: { readonly sessionId: string; readonly step: StepShown }) => {
  const t = useText();
  const took = step.startedAt !== undefined && step.endedAt !== undefined ? [formatDuration(step.endedAt - step.startedAt - step.delayedMs, t)] : [];
  const facts = [statusWord(step.status, t), typeWord(step.type, t), ...(step.attempt > 1 ? [t('attemptNumber', { n: step.attempt })] : []), ...took];
  return (
    <li className="flex items-start gap-3 px-3 py-2.5" data-step={step.id} data-step-status={step.status}>
      <span className="pt-1.5">
        <StatusDot tone={toneOf(step)} />
      </span>
      <span className="min-w-0 flex-1">
        {step.childId === undefined ? (
          <span className="block text-sm break-words">{step.title}</span>
        ) : (
          <PlaceLink
            to={{ kind: 'session', id: sessionId, query: { child: step.childId } }}
            className="block rounded-md text-sm break-words underline decoration-line-strong underline-offset-4 hover:text-accent"
          >
            {step.title}
          </PlaceLink>
        )}
        <span className="block text-xs text-ink-faint tabular-nums">{facts.filter((fact) => fact !== '').join(' · ')}</span>
        {step.error === undefined ? null : <span className="block text-[13px] break-words text-danger">{step.error}</span>}
      </span>
    </li>
  );
};

/** The steps of the newest turn that has any. */
export const StepsPanel = ({ sessionId, view }: InspectorProps) => {
  const t = useText();
  const all = stepsIn(view);
  const newest = all.at(-1)?.turnId;
  const steps = all.filter(({ turnId }) => turnId === newest);
  if (steps.length === 0) return <p className="px-1 text-sm text-ink-faint">{t('noTurnsYet')}</p>;
  return (
    <ol aria-label={t('panelSteps')} className="divide-y divide-line rounded-2xl border border-line bg-surface">
      {steps.map((step) => (
        <Step key={step.id} sessionId={sessionId} step={step} />
      ))}
    </ol>
  );
};
