/**
 * A whole chat with one session, to be put into any page. Its looks are in `chat.css`, which the page loads beside it, and are
 * changed by the variables that are named there.
 */
import type { ConnectionState } from '@turnkeeper/client/stream/connection-state';
import { liveTurn, waitsForPeople } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Again, Composer } from './composer.tsx';
import { CloseIcon } from './icons.tsx';
import { Messages } from './messages.tsx';
import { TextContext, useChatText } from './text-context.ts';
import { type ChatLanguage, type ChatText, chatLanguage, chatText } from './texts.ts';
import { useAccess } from './use-access.ts';
import { useCapabilities } from './use-capabilities.ts';
import { useSend } from './use-send.ts';
import { useSession } from './use-session.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { useStop } from './use-stop.ts';

export type ChatTheme = 'light' | 'dark' | 'system';
export type ChatProps = {
  readonly sessionId: string;
  /** In its header; without it the session's own. */
  readonly title?: string | undefined;
  /** What stands there before anything was said. */
  readonly welcome?: ReactNode;
  readonly placeholder?: string | undefined;
  /** `system` unless given. */
  readonly theme?: ChatTheme | undefined;
  /** That of the browser unless given. */
  readonly language?: ChatLanguage | undefined;
  readonly className?: string | undefined;
  /** Makes a button to close it, and Escape do the same while nothing runs. */
  readonly onClose?: (() => void) | undefined;
  /** The token is not good any more: the time for a new one. */
  readonly onExpired?: (() => void) | undefined;
};

const browserLanguage = (): ChatLanguage => chatLanguage(typeof navigator === 'undefined' ? [] : navigator.languages);

const isExpired = (connection: ConnectionState): boolean => connection.kind === 'closed' && connection.error?.code === 'unauthenticated';

/** Why nothing goes on here; undefined while it does. */
const hindrance = (connection: ConnectionState, t: ChatText): string | undefined => {
  if (connection.kind !== 'closed' || !connection.error) return undefined;
  switch (connection.error.code) {
    case 'unauthenticated':
      return t('expired');
    case 'not_found':
      return t('gone');
    default:
      return t('refused', { reason: connection.error.message });
  }
};

/** What is read out: not each token, but what waits, and the answer when it is there. */
const useAnnouncement = (view: SessionView | undefined, t: ChatText): string => {
  const wasLive = useRef(false);
  const live = view && liveTurn(view);
  if (live) wasLive.current = true;
  if (live) return waitsForPeople(view, live) ? t('waitsForYou') : t('working');
  return (wasLive.current && view?.turns.at(-1)?.data.output_text?.slice(0, 1_000)) || '';
};

type ChatFootProps = Pick<ChatProps, 'sessionId' | 'placeholder'> & {
  readonly closed: 'archived' | 'imported' | undefined;
  /** Whether JSON is what is mostly wanted: a team is mostly told. */
  readonly saysJson: boolean;
  /** To be written again. */
  readonly again: Again | undefined;
  readonly onSent: () => void;
};

const ChatFoot = ({ sessionId, closed, placeholder, saysJson, again, onSent }: ChatFootProps) => {
  const t = useChatText();
  const { may } = useAccess();
  const { send } = useSend(sessionId);
  const stopping = useStop(sessionId);
  const capabilities = useCapabilities(sessionId);
  if (closed) return <p className="tk-note tk-foot">{t(closed)}</p>;
  if (!may('invoke')) return may('read') ? <p className="tk-note tk-foot">{t('readOnly')}</p> : null;
  return (
    <Composer
      sessionId={sessionId}
      placeholder={placeholder}
      stopping={stopping}
      takesFiles={capabilities?.['file_input'] !== false}
      takesJson={capabilities?.['json_input'] === true}
      saysJson={saysJson}
      again={again}
      onSend={(text, files, input) => {
        send(text, files, input);
        onSent();
      }}
    />
  );
};

const ChatBody = ({ sessionId, title, welcome, placeholder, onClose, onExpired }: ChatProps) => {
  const t = useChatText();
  const { view, connection, status } = useSession(sessionId);
  const sending = useSend(sessionId);
  const stick = useStickToBottom();
  const said = useAnnouncement(view, t);
  const stopped = hindrance(connection, t);
  const expired = isExpired(connection);
  useEffect(() => {
    if (expired) onExpired?.();
  }, [expired, onExpired]);
  const targetType = (view?.session['target'] as { readonly type?: unknown } | undefined)?.type;
  const closed = view?.session['imported'] === true ? 'imported' : status === 'archived' ? 'archived' : undefined;
  const [again, setAgain] = useState<Again>();
  const onEdit = useCallback((text: string) => setAgain({ text }), []);
  const ownTitle = typeof view?.session['title'] === 'string' ? view.session['title'] : '';
  return (
    <>
      <header className="tk-header">
        <p className="tk-title">{title || ownTitle || t('chat')}</p>
        {onClose ? (
          <button type="button" className="tk-round" aria-label={t('close')} title={t('close')} onClick={onClose}>
            <CloseIcon />
          </button>
        ) : null}
      </header>
      {connection.kind === 'reconnecting' ? (
        <p className="tk-banner" role="status">
          {t('reconnecting')}
        </p>
      ) : null}
      <Messages sessionId={sessionId} view={view} sending={sending} stick={stick} welcome={welcome ?? t('welcome')} onEdit={onEdit} />
      {view || stopped !== undefined ? null : <p className="tk-note tk-late">{t('connecting')}</p>}
      <p className="tk-hidden" role="status">
        {said}
      </p>
      {stopped === undefined ? (
        <ChatFoot {...{ sessionId, closed, placeholder, again }} saysJson={targetType !== 'team'} onSent={stick.toBottom} />
      ) : (
        <p className="tk-banner tk-stopped" role="alert">
          {stopped}
        </p>
      )}
    </>
  );
};

/** Escape stops what runs, and closes the chat when nothing does. */
const useEscape = (sessionId: string, onClose: (() => void) | undefined) => {
  const { state, stop } = useStop(sessionId);
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (state === 'can_stop') stop();
    else if (state !== 'stopping') onClose?.();
  };
};

export const Chat = (props: ChatProps) => {
  const { sessionId, theme = 'system', className = '', onClose } = props;
  const language = props.language ?? browserLanguage();
  const text = useMemo(() => chatText(language), [language]);
  const onKeyDown = useEscape(sessionId, onClose);
  return (
    <TextContext.Provider value={text}>
      <section
        className={`tk-chat ${className}`}
        data-theme={theme}
        lang={language === 'zh' ? 'zh-CN' : language}
        aria-label={props.title ?? text('chat')}
        onKeyDown={onKeyDown}
      >
        <ChatBody key={sessionId} {...props} />
      </section>
    </TextContext.Provider>
  );
};
