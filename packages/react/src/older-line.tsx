import { type RefObject, useEffect, useRef } from 'react';
import { useChatText } from './text-context.ts';
import type { WatchedTimeline } from './use-timeline.ts';

type OlderLineProps = {
  readonly timeline: WatchedTimeline;
  /** Has the focus when the line goes with it. */
  readonly scrollRef: RefObject<HTMLElement | null>;
};

/** Above what is shown, while there is something older. */
export const OlderLine = ({ timeline: { loadingOlder, olderError, loadOlder }, scrollRef }: OlderLineProps) => {
  const t = useChatText();
  const focused = useRef(false);
  useEffect(
    () => () => {
      if (focused.current) scrollRef.current?.focus({ preventScroll: true });
    },
    [scrollRef],
  );
  return (
    <p className="tk-note" data-older={loadingOlder ? 'loading' : olderError ? 'failed' : 'more'}>
      <button
        type="button"
        className="tk-link"
        aria-busy={loadingOlder}
        onFocus={() => {
          focused.current = true;
        }}
        onBlur={() => {
          focused.current = false;
        }}
        onClick={() => void loadOlder()}
      >
        {loadingOlder ? t('loadingOlder') : olderError ? t('olderFailed', { reason: olderError.message }) : t('showOlder')}
      </button>
    </p>
  );
};
