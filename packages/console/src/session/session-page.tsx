import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import { createWholeTimeline } from '@turnkeeper/client/view/whole-timeline';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { Sent } from '@turnkeeper/react/outbox';
import type { Older } from '@turnkeeper/react/use-older-parts';
import { useStickToBottom } from '@turnkeeper/react/use-stick-to-bottom';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { accessIn, noAccess, type SessionAccess } from '../auth/access.ts';
import { SessionAccessContext } from '../auth/session-access-context.ts';
import { type TargetCan, targetCan } from '../auth/target-can.ts';
import { SessionComposer } from '../composer/session-composer.tsx';
import { useOutbox, writeAgain } from '../composer/use-outbox.ts';
import { useTakesJson } from '../composer/use-takes-json.ts';
import { withInput } from '../composer/workflow-input.ts';
import { useAccess } from '../directory/directory-context.ts';
import { useText } from '../i18n/use-text.ts';
import { InspectorFrame } from '../inspector/inspector-frame.tsx';
import type { Query } from '../shell/query.ts';
import { createRows, type RowsOf } from '../timeline/rows.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { KeyedActionContext, type TurnActs, TurnActsContext } from '../timeline/turn-acts-context.ts';
import { Notice } from '../ui/notice.tsx';
import { useCalmView } from './calm-view.ts';
import { ChildNote } from './child-note.tsx';
import { EmptySession } from './empty-session.tsx';
import { useFork } from './fork-turn.ts';
import { SessionHead } from './session-head.tsx';
import { useOlder } from './use-older.ts';
import { usePause } from './use-pause.ts';
import { useSeen } from './use-seen.ts';
import { useStop } from './use-stop.ts';
import { useToldOutside } from './use-told-outside.ts';
import { useWatchedSession } from './use-watched-session.ts';

type SessionPageProps = { readonly sessionId: string; readonly query: Query; readonly menuButton: ReactNode; readonly onChanged: () => void };

const ToLatest = ({ onClick }: { readonly onClick: () => void }) => {
  const t = useText();
  return (
    <button
      type="button"
      onClick={onClick}
      className="absolute bottom-3 left-1/2 flex h-9 -translate-x-1/2 animate-rise items-center gap-1.5 rounded-full border border-line bg-surface px-4 text-[13px] text-ink-soft shadow-soft hover:text-ink"
    >
      <ArrowDown aria-hidden className="size-4" />
      {t('jumpToLatest')}
    </button>
  );
};

/** What the timeline shows of the view, of what is older, and of what is on its way. */
const useRows = (view: SessionSnapshot | undefined, older: Older, outbox: RowsOf['outbox']) => {
  const [{ wholeTimeline, rowsOf }] = useState(() => ({ wholeTimeline: createWholeTimeline(), rowsOf: createRows() }));
  return useMemo(
    () => (view ? rowsOf({ timeline: wholeTimeline(view, older), turns: view.turns, inputs: view.inputs, outbox }) : []),
    [view, older, outbox, wholeTimeline, rowsOf],
  );
};

/** The session with what the menu has changed of it: the same object until either changes. */
const useSessionOf = (view: SessionSnapshot | undefined, change: Partial<SessionResource>): SessionResource | undefined => {
  const info = view?.session;
  return useMemo(() => (info ? ({ ...info, ...change } as unknown as SessionResource) : undefined), [info, change]);
};

/** What may be done with it. A child is answered for and stopped at its parent. */
const useAccessOf = (session: SessionResource | undefined, isChild: boolean): SessionAccess => {
  const accessOf = useAccess(session?.owner.type === 'application');
  const owner = session?.owner;
  return useMemo(() => (isChild ? noAccess : accessOf(owner)), [isChild, accessOf, owner]);
};

/** What its target can be asked for; with an agent the server is asked whether it takes JSON. */
const useCan = (session: SessionResource | undefined, isChild: boolean): TargetCan => {
  const json = useTakesJson(isChild ? undefined : session);
  return useMemo(() => ({ ...targetCan(session), json }), [session, json]);
};

type Acts = {
  readonly sessionId: string;
  readonly title: string;
  readonly access: SessionAccess;
  readonly canFork: boolean;
  /** A JSON object that is written is its input. */
  readonly takesJson: boolean;
  readonly onChanged: () => void;
  readonly toBottom: () => void;
};

/** Sending and forking, for the composer and for what stands in the timeline. */
const useActs = (view: SessionSnapshot | undefined, { sessionId, title, access, canFork, takesJson, onChanged, toBottom }: Acts) => {
  const outbox = useOutbox(sessionId, view);
  const { fork, forking, fault } = useFork(sessionId, title, onChanged);
  const { control } = access;
  const { send, retry, edit } = outbox;
  const acts = useMemo<TurnActs>(
    () => ({
      send: (sent) => {
        send(takesJson && !sent.steers ? withInput(sent) : sent);
        toBottom();
      },
      writeAgain: (sent) => writeAgain(sessionId, sent),
      retry,
      edit,
      fork: canFork ? fork : undefined,
      forking,
    }),
    [sessionId, send, retry, edit, fork, canFork, takesJson, forking, toBottom],
  );
  return { acts: control ? acts : undefined, messages: outbox.messages, fault };
};

export const SessionPage = ({ sessionId, query, menuButton, onChanged }: SessionPageProps) => {
  const t = useText();
  const childId = query['child'];
  const { view, connection } = useWatchedSession(sessionId, childId);
  // All but the timeline is drawn of this: tokens change nothing of it.
  const calm = useCalmView(view);
  const [change, setChange] = useState<Partial<SessionResource>>({});
  const [fault, setFault] = useState<string>();
  const onError = useCallback((error: unknown) => setFault((error as Error).message), []);
  const stick = useStickToBottom();
  const older = useOlder(sessionId, childId, view);
  const session = useSessionOf(calm, change);
  const ownAccess = useAccessOf(session, childId !== undefined);
  const access = useMemo(() => accessIn(session, ownAccess), [session, ownAccess]);
  const can = useCan(session, childId !== undefined);
  const {
    acts,
    messages,
    fault: forkFault,
  } = useActs(calm, {
    sessionId,
    title: session?.title ?? '',
    access,
    canFork: can.fork,
    takesJson: can.json,
    onChanged,
    toBottom: stick.toBottom,
  });
  const onSend = useCallback((sent: Sent) => acts?.send(sent), [acts]);
  const rows = useRows(view, older, messages);
  const stop = useStop(sessionId, access.control ? calm : undefined);
  const pause = usePause(sessionId, access.interact && can.pause ? calm : undefined);
  const refused = connection.kind === 'closed' ? connection.error : undefined;
  useToldOutside({ session, status: calm?.session.status, refused, onChanged });
  useSeen({ session, status: calm?.session.status, manage: childId === undefined && access.manage });
  const problems = [
    ...(refused ? [refused.code === 'not_found' ? t('sessionGone') : refused.message] : []),
    ...(fault === undefined ? [] : [fault]),
    ...(forkFault === undefined ? [] : [t('forkFailed', { message: forkFault })]),
  ];
  return (
    <SessionAccessContext value={access}>
      <TurnActsContext value={acts}>
        <KeyedActionContext value={view?.required_actions[0]?.data.request_id}>
          <div className="flex h-full">
            <div className="flex h-full min-w-0 flex-1 flex-col">
              <SessionHead
                {...{ sessionId, query, menuButton, session, connection, onChanged, onError }}
                usage={calm?.usage}
                control={access.manage}
                onChange={setChange}
              />
              {problems.map((problem) => (
                <div key={problem} className="mx-auto w-full max-w-3xl shrink-0 px-4 pt-4 sm:px-6">
                  <Notice tone="danger">{problem}</Notice>
                </div>
              ))}
              <div className="relative min-h-0 flex-1">
                <div ref={stick.scrollRef} className="h-full overflow-y-auto overscroll-contain bg-canvas [overflow-anchor:none]">
                  <div ref={stick.contentRef} className="mx-auto flex min-h-full w-full max-w-3xl flex-col px-4 sm:px-6">
                    {view && rows.length === 0 ? <EmptySession forkedFrom={session?.forked_from?.session_id} /> : null}
                    {view && rows.length > 0 ? (
                      <Timeline
                        sessionId={sessionId}
                        isChild={childId !== undefined}
                        rows={rows}
                        older={older}
                        scrollRef={stick.scrollRef}
                        onJump={stick.letGo}
                        turnId={query['turn']}
                      />
                    ) : null}
                  </div>
                </div>
                {stick.atBottom ? null : <ToLatest onClick={stick.toBottom} />}
              </div>
              {childId === undefined ? null : <ChildNote sessionId={sessionId} />}
              {/* What cannot be read cannot be written to: a message would be gone without a word. */}
              {childId === undefined && refused === undefined ? (
                <SessionComposer
                  sessionId={sessionId}
                  archived={session?.archived === true}
                  readOnly={session?.imported ? 'importedNote' : access.control ? undefined : 'readOnlyNote'}
                  stop={stop}
                  pause={pause}
                  can={can}
                  target={session?.target}
                  onSend={onSend}
                />
              ) : null}
            </div>
            {calm && session ? <InspectorFrame sessionId={sessionId} childId={childId} query={query} session={session} view={calm} older={older} /> : null}
          </div>
        </KeyedActionContext>
      </TurnActsContext>
    </SessionAccessContext>
  );
};
