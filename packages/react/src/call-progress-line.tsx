import type { CallProgress } from '@turnkeeper/client/view/call-progress';
import { useChatText } from './text-context.ts';

/** How far a call is: the newest that its tool said of it. No live region: it may change twice a second. */
export const CallProgressLine = ({ name, progress: { message, stage, percent } }: { readonly name: string; readonly progress: CallProgress }) => {
  const t = useChatText();
  return (
    <div className="tk-progress">
      <p>
        {stage === undefined ? null : <bdi className="tk-stage">{stage}</bdi>}
        <bdi>{message}</bdi>
        {percent === undefined ? null : <span className="tk-percent">{Math.floor(percent)} %</span>}
      </p>
      {percent === undefined ? null : <progress value={percent} max={100} aria-label={t('progressOf', { name })} />}
    </div>
  );
};
