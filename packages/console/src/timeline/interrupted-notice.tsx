import type { TimelineEntry } from '@turnkeeper/client/view/timeline';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { useSessionAccess } from '../auth/session-access-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useResume } from './use-resume.ts';

const reasons = { tool_result_unknown: 'interruptedUnknown', budget_exceeded: 'interruptedBudget', paused: 'interruptedPaused' } as const;

type InterruptedNoticeProps = {
  readonly sessionId: string;
  readonly turn: TurnBody;
  readonly entries: readonly TimelineEntry[];
  readonly isChild: boolean;
};

export const InterruptedNotice = ({ sessionId, turn, entries, isChild }: InterruptedNoticeProps) => {
  const t = useText();
  const { busy, fault, resume } = useResume(sessionId, turn.turn_id);
  const { interact } = useSessionAccess();
  // A workflow in another is paused with that, and goes on with it.
  const isAbove = isChild && turn.reason === 'paused';
  const reason = isAbove ? 'interruptedPausedAbove' : (reasons[turn.reason as keyof typeof reasons] as (typeof reasons)[keyof typeof reasons] | undefined);
  // With an open action resume is refused: answering is what goes on. A paused one goes on to wait for it.
  const open = turn.reason !== 'paused' && entries.some((entry) => entry.kind !== 'message' && entry.action !== undefined);
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong className="font-semibold">{t('interrupted')}.</strong> {reason ? t(reason) : null} {fault}
        </p>
        {open || isAbove || !interact ? null : (
          <Button size="sm" disabled={busy} onClick={resume}>
            {t('resume')}
          </Button>
        )}
      </div>
    </Notice>
  );
};
