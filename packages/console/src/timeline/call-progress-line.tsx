import type { CallProgress } from '@turnkeeper/client/view/call-progress';
import { useText } from '../i18n/use-text.ts';

type CallProgressLineProps = { readonly name: string; readonly progress: CallProgress };

/** How far a call is: the newest that its tool said of it. No live region: it may change twice a second. */
export const CallProgressLine = ({ name, progress: { message, stage, percent } }: CallProgressLineProps) => {
  const t = useText();
  return (
    <div className="flex flex-col gap-1.5 px-4 pb-2.5 text-[13px] text-ink-soft" data-progress>
      <p className="flex min-w-0 items-baseline gap-2">
        {stage === undefined ? null : (
          <bdi className="max-w-1/3 shrink-0 truncate rounded-full bg-sunken px-2 text-xs leading-5" title={stage}>
            {stage}
          </bdi>
        )}
        <bdi className="min-w-0 flex-1 truncate" title={message}>
          {message}
        </bdi>
        {percent === undefined ? null : <span className="shrink-0 text-xs tabular-nums">{t('percent', { percent: Math.floor(percent) })}</span>}
      </p>
      {percent === undefined ? null : (
        <progress
          value={percent}
          max={100}
          aria-label={t('callProgress', { name })}
          className="h-1 w-full overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
      )}
    </div>
  );
};
