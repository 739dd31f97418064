import { timelineOf } from '@turnkeeper/client/view/timeline';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { SessionComposer } from '../composer/session-composer.tsx';
import { useOutbox } from '../composer/use-outbox.ts';
import { useText } from '../i18n/use-text.ts';
import { OutboxMessages } from '../timeline/outbox-messages.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { Notice } from '../ui/notice.tsx';
import { SessionHeader } from './session-header.tsx';
import { SessionMenu } from './session-menu.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { useStop } from './use-stop.ts';
import { useWatchedSession } from './use-watched-session.ts';

type SessionPageProps = { readonly sessionId: string; readonly menuButton: ReactNode; readonly onChanged: () => void };

export const SessionPage = ({ sessionId, menuButton, onChanged }: SessionPageProps) => {
  const t = useText();
  const { signOut } = useSignedIn();
  const { view, connection } = useWatchedSession(sessionId);
  const [change, setChange] = useState<Partial<SessionResource>>({});
  const [fault, setFault] = useState<string>();
  const stick = useStickToBottom();
  const outbox = useOutbox(sessionId, view);
  const stop = useStop(sessionId, view);
  const timeline = useMemo(() => (view ? timelineOf(view) : undefined), [view]);
  const session = view ? ({ ...view.session, ...change } as unknown as SessionResource) : undefined;
  const refused = connection.kind === 'closed' ? connection.error : undefined;
  const status = view?.session.status;

  useEffect(() => {
    if (refused?.code === 'unauthenticated') signOut('tokenRefused');
  }, [refused, signOut]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list shows the status too, and is told when it moves
  useEffect(onChanged, [status]);
  useEffect(() => {
    if (session) document.title = `${session.title || t('untitled')} · ${t('appName')}`;
  }, [session, t]);

  const menu = session ? (
    <SessionMenu
      session={session}
      onChanged={(next) => {
        setChange((before) => ({ ...before, ...next }));
        onChanged();
      }}
      onError={(error) => setFault((error as Error).message)}
    />
  ) : null;
  return (
    <div className="flex h-full flex-col">
      <SessionHeader menuButton={menuButton} session={session} usage={view?.usage} connection={connection} menu={menu} />
      <div className="relative min-h-0 flex-1">
        <div ref={stick.scrollRef} className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]">
          <div ref={stick.contentRef} className="mx-auto flex min-h-full w-full max-w-3xl flex-col px-4 py-8 sm:px-6">
            {refused ? <Notice tone="danger">{refused.code === 'not_found' ? t('sessionGone') : refused.message}</Notice> : null}
            {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
            {view && timeline ? <Timeline sessionId={sessionId} timeline={timeline} hasOlder={Object.values(view.has_more ?? {}).some(Boolean)} /> : null}
            <OutboxMessages outbox={outbox} />
          </div>
        </div>
        {stick.atBottom ? null : (
          <button
            type="button"
            onClick={stick.toBottom}
            className="absolute bottom-3 left-1/2 flex h-9 -translate-x-1/2 animate-rise items-center gap-1.5 rounded-full border border-line bg-surface px-4 text-[13px] text-ink-soft shadow-soft hover:text-ink"
          >
            <ArrowDown aria-hidden className="size-4" />
            {t('jumpToLatest')}
          </button>
        )}
      </div>
      <SessionComposer
        sessionId={sessionId}
        archived={session?.archived === true}
        stop={stop}
        onSend={(text) => {
          outbox.send(text);
          stick.toBottom();
        }}
      />
    </div>
  );
};
