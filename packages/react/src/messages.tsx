import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import { type ReactNode, type UIEvent, useCallback } from 'react';
import { useClient } from './client-context.ts';
import { DownIcon } from './icons.tsx';
import { OlderLine } from './older-line.tsx';
import { useChatText } from './text-context.ts';
import { TurnView, UserBubble } from './turn-view.tsx';
import { useAccess } from './use-access.ts';
import type { Sending } from './use-send.ts';
import { useSteadyPlace } from './use-steady-place.ts';
import type { useStickToBottom } from './use-stick-to-bottom.ts';
import { useTimeline, type WatchedTimeline } from './use-timeline.ts';

type MessagesProps = {
  readonly sessionId: string;
  readonly view: SessionSnapshot | undefined;
  readonly sending: Sending;
  readonly stick: ReturnType<typeof useStickToBottom>;
  /** What stands there before anything was said. */
  readonly welcome: ReactNode;
  /** Back into the field: one that could not be sent. */
  readonly onEdit: (text: string) => void;
};

const OnTheirWay = ({ sending: { messages, retry, take }, onEdit }: Pick<MessagesProps, 'sending' | 'onEdit'>) => {
  const t = useChatText();
  return messages.map(({ key, text, files, input, state }) => (
    <UserBubble key={key} text={input === undefined ? text : ''} files={files.length} json={input === undefined ? undefined : text}>
      {state.kind === 'failed' ? (
        <p className="tk-aside tk-fault" role="alert">
          {t('notSent', { reason: state.reason })}
          <button type="button" className="tk-link" onClick={() => retry(key)}>
            {t('tryAgain')}
          </button>
          {/* Files stay with their message. */}
          {files.length === 0 ? (
            <button
              type="button"
              className="tk-link"
              onClick={() => {
                take(key);
                onEdit(text);
              }}
            >
              {t('edit')}
            </button>
          ) : null}
          <button type="button" className="tk-link" onClick={() => take(key)}>
            {t('discard')}
          </button>
        </p>
      ) : (
        <p className="tk-aside">{t('sending')}</p>
      )}
    </UserBubble>
  ));
};

/** So near to the top older messages are read before anybody asks for them. */
const readAhead = 120;

const useReadAhead = ({ hasOlder, loadingOlder, olderError, loadOlder }: WatchedTimeline) =>
  useCallback(
    ({ currentTarget }: UIEvent<HTMLElement>): void => {
      if (currentTarget.scrollTop < readAhead && hasOlder && !loadingOlder && !olderError) void loadOlder();
    },
    [hasOlder, loadingOlder, olderError, loadOlder],
  );

export const Messages = ({ sessionId, view, sending, stick, welcome, onEdit }: MessagesProps) => {
  const t = useChatText();
  const client = useClient();
  const { may } = useAccess();
  const timeline = useTimeline(sessionId);
  const { turns, hasOlder } = timeline;
  const onScroll = useReadAhead(timeline);
  useSteadyPlace(stick.scrollRef, stick.contentRef, turns[0]?.entries[0]?.key ?? turns[0]?.turnId);
  const live = view && liveTurn(view);
  const takeBack = useCallback(
    (turnId: string): void => {
      // Refused because it has just begun: the session says so.
      client.queue.remove(sessionId, turnId, { idempotencyKey: freshKey('unqueue') }).catch(() => {});
    },
    [client, sessionId],
  );
  return (
    <div className="tk-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div ref={stick.scrollRef} className="tk-log" role="log" aria-live="off" aria-label={t('conversation')} tabIndex={0} onScroll={onScroll}>
        <div ref={stick.contentRef} className="tk-turns">
          {hasOlder ? <OlderLine timeline={timeline} scrollRef={stick.scrollRef} /> : null}
          {view && turns.length === 0 && !hasOlder && sending.messages.length === 0 ? <div className="tk-welcome">{welcome}</div> : null}
          {turns.map((part) => (
            <TurnView
              key={part.turnId}
              sessionId={sessionId}
              part={part}
              waits={part.turn?.status === 'queued' && part.turnId !== live?.turn_id}
              onTakeBack={may('cancel') ? takeBack : undefined}
            />
          ))}
          <OnTheirWay sending={sending} onEdit={onEdit} />
        </div>
      </div>
      {stick.atBottom ? null : (
        <button type="button" className="tk-round tk-latest" aria-label={t('latest')} title={t('latest')} onClick={stick.toBottom}>
          <DownIcon />
        </button>
      )}
    </div>
  );
};
