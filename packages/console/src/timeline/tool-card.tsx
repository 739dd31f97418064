import { outputOf } from '@turnkeeper/client/view/call-progress';
import type { ToolEntry } from '@turnkeeper/client/view/timeline';
import { ChevronRight, CircleCheck, CircleDashed, CircleQuestionMark, CircleX } from 'lucide-react';
import { ActionForm } from '../actions/action-form.tsx';
import { formatDuration } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';
import { CallProgressLine } from './call-progress-line.tsx';
import { CodeBox, outputText } from './tool-output.tsx';
import { type ToolTone, toolStanding } from './tool-status.ts';
import { useIsKeyed } from './turn-acts-context.ts';

const icon = 'size-4 shrink-0';

const ToneIcon = ({ tone }: { readonly tone: ToolTone }) => {
  switch (tone) {
    case 'quiet':
      return <CircleDashed aria-hidden className={`${icon} text-ink-faint`} />;
    case 'active':
      return <Spinner className={`${icon} text-accent`} />;
    case 'waiting':
      return <CircleQuestionMark aria-hidden className={`${icon} text-warn`} />;
    case 'ok':
      return <CircleCheck aria-hidden className={`${icon} text-ok`} />;
    case 'failed':
      return <CircleX aria-hidden className={`${icon} text-danger`} />;
  }
};

const toneTexts: Record<ToolTone, string> = {
  quiet: 'text-ink-faint',
  active: 'text-ink-soft',
  waiting: 'text-warn font-medium',
  ok: 'text-ink-faint',
  failed: 'text-danger',
};

const took = ({ tool }: ToolEntry): number | undefined =>
  tool?.completed_at !== undefined && tool.dispatched_at !== undefined ? tool.completed_at - tool.dispatched_at : undefined;

type ToolCardProps = { readonly sessionId: string; readonly entry: ToolEntry; readonly settled: boolean };

/** One call: a line that opens to what went in and what came out, with how far it is below. What it waits for stands below, always open. `settled`: its turn is over. */
export const ToolCard = ({ sessionId, entry, settled }: ToolCardProps) => {
  const t = useText();
  const { name, input, tool, action, progress } = entry;
  const standing = toolStanding({ tool, abandoned: entry.abandoned || settled });
  const keyed = useIsKeyed(action?.request_id);
  const output = tool ? outputText(outputOf(tool)) : '';
  const ms = took(entry);
  const summary = Object.keys(input).length === 0 ? '' : JSON.stringify(input);
  return (
    <div
      className={`animate-rise overflow-hidden rounded-2xl border bg-surface ${action ? 'border-warn-line shadow-soft' : 'border-line'}`}
      data-tool={name}
      data-tool-status={tool?.status}
    >
      <details className="group">
        <summary className="flex items-center gap-2.5 px-4 py-2.5 text-sm transition-colors duration-150 select-none hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <ToneIcon tone={standing.tone} />
          <span className="flex min-w-0 flex-1 items-baseline gap-2">
            <span className="shrink-0 font-medium">{name}</span>
            <span className="min-w-0 truncate font-mono text-xs text-ink-faint max-sm:hidden">{summary}</span>
          </span>
          <span className={`shrink-0 text-[13px] leading-none ${toneTexts[standing.tone]}`}>{t(standing.text)}</span>
          {ms === undefined ? null : <span className="shrink-0 text-xs text-ink-faint tabular-nums max-sm:hidden">{formatDuration(ms, t)}</span>}
          <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint transition-transform duration-150 group-open:rotate-90" />
        </summary>
        <div className="flex flex-col gap-3 border-t border-line px-4 py-3.5">
          <CodeBox label={t('toolInput')} text={JSON.stringify(input, null, 2)} />
          {output === '' ? null : <CodeBox label={t('toolOutput')} text={output} />}
        </div>
      </details>
      {progress === undefined || settled ? null : <CallProgressLine name={name} progress={progress} />}
      {action ? (
        <div className="border-t border-warn-line bg-warn-soft px-4 py-4">
          <ActionForm sessionId={sessionId} action={action} {...(keyed ? { keys: true } : {})} />
        </div>
      ) : null}
    </div>
  );
};
