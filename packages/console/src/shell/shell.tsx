import { Menu as MenuIcon } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApprovalsContext, useApprovalsStore } from '../approvals/approvals-context.ts';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { createDirectory } from '../directory/directory.ts';
import { DirectoryContext } from '../directory/directory-context.ts';
import { useText } from '../i18n/use-text.ts';
import { MinitoolsContext, useMinitoolsStore } from '../minitools/minitools-context.ts';
import { useTurnNotifications } from '../notifications/use-turn-notifications.ts';
import { WelcomeAside } from '../now/welcome-aside.tsx';
import { OverviewContext, useOverviewStore } from '../overview/overview-context.ts';
import { KeysDialog } from '../palette/keys-dialog.tsx';
import { Palette } from '../palette/palette.tsx';
import { usePins } from '../preferences/use-pins.ts';
import { MinitoolShows } from '../shows/minitool-shows.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { go, type Place, usePlace } from './address.ts';
import { BottomBar } from './bottom-bar.tsx';
import { Page } from './page.tsx';
import { Rail } from './rail.tsx';
import { useJumps } from './use-jumps.ts';
import { usePalette } from './use-palette.ts';
import { useReach } from './use-reach.ts';
import { type SessionList, useSessions } from './use-sessions.ts';

/** Without a place in the address: the session that moved last, which on a fresh install is the Welcome session. */
const useStartPlace = (isStart: boolean, list: SessionList): void => {
  const { sessions } = list;
  useEffect(() => {
    if (!isStart || sessions === undefined) return;
    const [first] = sessions;
    go(first ? { kind: 'session', id: first.id } : { kind: 'new' }, { replace: true });
  }, [isStart, sessions]);
};

const useDirectoryStore = () => {
  const { client, user } = useSignedIn();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer about the same person changes nothing
  return useMemo(() => user && createDirectory(client, user), [client, user?.id]);
};

const SkipLink = ({ place }: { readonly place: Place }) => {
  const t = useText();
  const skip = place.kind === 'session' || place.kind === 'new' ? { text: t('skipToMessage'), id: 'message' } : { text: t('skipToContent'), id: 'main' };
  return (
    <button
      type="button"
      onClick={() => document.getElementById(skip.id)?.focus()}
      className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-xl focus:bg-surface focus:px-4 focus:py-2 focus:shadow-soft"
    >
      {skip.text}
    </button>
  );
};

const TurnNotifications = () => {
  useTurnNotifications();
  return null;
};

/** What all pages share, read once. */
const useShared = () => {
  const [archived, setArchived] = useState(false);
  const list = useSessions(archived ? 'archived' : 'active');
  const approvals = useApprovalsStore();
  const overview = useOverviewStore();
  const directory = useDirectoryStore();
  const minitools = useMinitoolsStore();
  usePins();
  const { refresh } = list;
  const { refresh: recount } = overview;
  const changed = useCallback(() => {
    refresh();
    recount();
    void approvals.refresh();
  }, [refresh, recount, approvals]);
  return { archived, setArchived, list, approvals, overview, directory, minitools, changed };
};

export const Shell = () => {
  const t = useText();
  const place = usePlace();
  const [drawer, setDrawer] = useState(false);
  const { archived, setArchived, list, approvals, overview, directory, minitools, changed } = useShared();
  const reach = useReach();
  const palette = usePalette();
  useJumps(reach);
  useStartPlace(place.kind === 'start', list);
  const isWelcome = place.kind === 'session' && list.sessions?.some(({ id, target }) => id === place.id && target.model === 'demo:welcome');
  const closeDrawer = (): void => setDrawer(false);
  const openPalette = (): void => {
    closeDrawer();
    palette.open();
  };
  const rail = <Rail place={place} reach={reach} list={list} archived={archived} onArchived={setArchived} onOpen={closeDrawer} onPalette={openPalette} />;
  const menuButton = (
    <IconButton label={t('openSessions')} className="-ml-1.5 md:hidden" onClick={() => setDrawer(true)}>
      <MenuIcon aria-hidden className="size-5" />
    </IconButton>
  );
  return (
    <MinitoolsContext value={minitools}>
      <DirectoryContext value={directory}>
        <ApprovalsContext value={approvals}>
          <OverviewContext value={overview}>
            {/* Texts for screen readers lie outside of what scrolls: unclipped they would make the document itself higher than the window. */}
            <div className="relative flex h-full flex-col overflow-clip">
              <SkipLink place={place} />
              <div className="flex min-h-0 flex-1">
                <aside className="hidden w-72 shrink-0 border-r border-line bg-sunken/50 md:block">{rail}</aside>
                <Dialog open={drawer} onClose={closeDrawer} label={t('sessions')} className="m-0 h-dvh max-h-none w-[min(20rem,85vw)] rounded-r-2xl">
                  {rail}
                </Dialog>
                <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
                  <Page place={place} menuButton={menuButton} onChanged={changed} />
                </main>
                {isWelcome && place.query?.['panel'] === undefined ? <WelcomeAside /> : null}
              </div>
              <BottomBar place={place} reach={reach} />
              <Palette open={palette.shown === 'palette'} onClose={palette.close} place={place} reach={reach} />
              <KeysDialog open={palette.shown === 'keys'} onClose={palette.close} />
              <MinitoolShows />
              <TurnNotifications />
            </div>
          </OverviewContext>
        </ApprovalsContext>
      </DirectoryContext>
    </MinitoolsContext>
  );
};
