import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { accessIn } from '../auth/access.ts';
import { SessionAccessContext } from '../auth/session-access-context.ts';
import { useClient } from '../auth/signed-in-context.ts';
import { targetCan } from '../auth/target-can.ts';
import { useAccess } from '../directory/directory-context.ts';
import { type Text, useText } from '../i18n/use-text.ts';
import { type Command, useCommands } from '../palette/commands.ts';
import { go, pageAt } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { LoadState } from '../ui/load-state.tsx';
import { PageBody } from '../ui/page-body.tsx';
import { NothingYet } from '../ui/rows.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import type { Trace } from './trace.ts';
import { TraceView } from './trace-view.tsx';
import { TurnHeader } from './turn-header.tsx';
import { useTrace } from './use-trace.ts';
import { type TurnEvents, useTurnEvents } from './use-turn-events.ts';

type TurnPageProps = { readonly query: Query; readonly menuButton: ReactNode };

/** The session is looked at again while something may still change. */
const useSession = (sessionId: string) => {
  const { sessions } = useClient();
  return useLoaded(
    useCallback(() => sessions.get(sessionId), [sessions, sessionId]),
    5_000,
  );
};

/** A fork wants a session at rest. */
const mayReplay = (session: SessionResource | undefined, trace: Trace, control: boolean): boolean =>
  control && session !== undefined && session.status === 'idle' && session.target.type === 'agent' && session.rootId === undefined && trace.to !== null;

const numberOf = ({ events }: TurnEvents): number | undefined => {
  const accepted = events.find(({ type }) => type === 'turn.accepted');
  return typeof accepted?.data['n'] === 'number' ? accepted.data['n'] : undefined;
};

/** The ways on from here, for the palette. */
const placesOf = (session: SessionResource | undefined, t: Text): readonly Command[] =>
  session === undefined
    ? []
    : [
        { id: 'turn-session', text: t('turnOpenSession'), run: () => go({ kind: 'session', id: session.id }) },
        ...(targetCan(session).fork
          ? [{ id: 'turn-checkpoints', text: t('turnCheckpoints'), run: () => go(pageAt('checkpoints', { session: session.id })) }]
          : []),
      ];

type ShownTurnProps = TurnPageProps & { readonly sessionId: string; readonly turnId: string };

const ShownTurn = ({ query, menuButton, sessionId, turnId }: ShownTurnProps) => {
  const t = useText();
  const told = useTurnEvents(sessionId, turnId);
  const trace = useTrace(turnId, told.events);
  const isLive = trace.to === null;
  const now = useNow(isLive ? 500 : 60_000);
  const session = useSession(sessionId);
  const access = accessIn(session.data, useAccess(session.data?.owner.type === 'application')(session.data?.owner));
  const [replays, setReplays] = useState(false);
  const n = numberOf(told);
  const canReplay = told.settled && mayReplay(session.data, trace, access.control);
  useKeys({ r: { text: t('turnReplay'), act: () => setReplays(true) } }, canReplay);
  useCommands(placesOf(session.data, t));
  useEffect(() => {
    document.title = `${n === undefined ? t('turnTitle') : t('turnNumber', { n })} · ${session.data?.title || t('appName')}`;
  }, [n, session.data?.title, t]);
  const fault = told.fault?.code === 'not_found' ? t('sessionGone') : told.fault?.message;
  // What stands above the waterfall depends on the session: nothing moves once it is shown.
  const known = session.data !== undefined || session.fault !== undefined;
  const loaded = { data: told.events.length > 0 && known ? told.events : undefined, fault, reload: told.retry };
  return (
    <SessionAccessContext value={access}>
      <div className="flex h-full flex-col" data-live={isLive && told.settled}>
        <TurnHeader
          menuButton={menuButton}
          session={session.data}
          turn={loaded.data && trace.rows.find(({ kind }) => kind === 'turn')}
          n={n}
          now={now}
          onReplay={canReplay ? () => setReplays(true) : undefined}
        />
        {loaded.data ? (
          <TraceView {...{ sessionId, turnId, query, trace, now }} events={told.events} target={session.data?.target} />
        ) : (
          <PageBody>
            <LoadState loaded={loaded} />
          </PageBody>
        )}
        {replays && session.data ? (
          <ReplayDialog session={session.data} turnId={turnId} events={told.events} startedAt={trace.from} onClose={() => setReplays(false)} />
        ) : null}
      </div>
    </SessionAccessContext>
  );
};

/** One turn in time: what it did, what it waited for, and what each step of it told. */
export const TurnPage = ({ query, menuButton }: TurnPageProps) => {
  const t = useText();
  const { session, turn } = query;
  if (session && turn) return <ShownTurn key={`${session}/${turn}`} query={query} menuButton={menuButton} sessionId={session} turnId={turn} />;
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('turnTitle')} />
      <PageBody>
        <NothingYet>{t('turnNone')}</NothingYet>
      </PageBody>
    </div>
  );
};
