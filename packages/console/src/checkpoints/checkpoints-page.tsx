import { type ReactNode, useCallback, useEffect } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { PlaceLink } from '../shell/place-link.tsx';
import type { Query } from '../shell/query.ts';
import { LoadState } from '../ui/load-state.tsx';
import { PageBody } from '../ui/page-body.tsx';
import { NothingYet } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { readCheckpoints, readResources } from './branch.ts';
import { CheckpointsView, type SessionCheckpoints } from './checkpoints-view.tsx';

type CheckpointsPageProps = { readonly query: Query; readonly menuButton: ReactNode };

const everyMs = 10_000;

const useCheckpoints = (sessionId: string) => {
  const client = useClient();
  return useLoaded(
    useCallback(async (): Promise<SessionCheckpoints> => {
      const [session, checkpoints, turns] = await Promise.all([
        client.sessions.get(sessionId),
        readCheckpoints(client, sessionId),
        readResources<SessionCheckpoints['turns'][number]>(client, sessionId, 'turns'),
      ]);
      return { session, checkpoints, turns };
    }, [client, sessionId]),
    everyMs,
  );
};

const OfSession = ({ query, menuButton, sessionId }: CheckpointsPageProps & { readonly sessionId: string }) => {
  const t = useText();
  const loaded = useCheckpoints(sessionId);
  const title = loaded.data ? loaded.data.session.title || t('untitled') : undefined;
  useEffect(() => {
    document.title = `${t('checkpointsTitle')} · ${title ?? t('appName')}`;
  }, [t, title]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('checkpointsTitle')}>
        {title === undefined ? null : (
          <PlaceLink to={{ kind: 'session', id: sessionId }} className="min-w-0 truncate text-[13px] text-ink-soft underline underline-offset-2 hover:text-ink">
            {title}
          </PlaceLink>
        )}
      </PageHeader>
      <PageBody wide>
        <LoadState loaded={loaded} />
        {loaded.data ? <CheckpointsView {...loaded.data} query={query} onChanged={loaded.reload} /> : null}
      </PageBody>
    </div>
  );
};

/** Where a session's context can be gone on from, and how two of its places, or two sessions, differ. */
export const CheckpointsPage = ({ query, menuButton }: CheckpointsPageProps) => {
  const t = useText();
  const { session } = query;
  if (session) return <OfSession key={session} query={query} menuButton={menuButton} sessionId={session} />;
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('checkpointsTitle')} />
      <PageBody>
        <NothingYet>{t('checkpointsNoSession')}</NothingYet>
      </PageBody>
    </div>
  );
};
