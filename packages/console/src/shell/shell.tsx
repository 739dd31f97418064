import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { NewChatPage } from '../new-chat/new-chat-page.tsx';
import { SessionPage } from '../session/session-page.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { go, usePlace } from './address.ts';
import { Rail } from './rail.tsx';
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

export const Shell = () => {
  const t = useText();
  const place = usePlace();
  const [archived, setArchived] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const list = useSessions(archived ? 'archived' : 'active');
  useStartPlace(place.kind === 'start', list);
  const rail = <Rail place={place} list={list} archived={archived} onArchived={setArchived} onOpen={() => setDrawer(false)} />;
  const menuButton = (
    <IconButton label={t('openSessions')} className="-ml-1.5 md:hidden" onClick={() => setDrawer(true)}>
      <MenuIcon aria-hidden className="size-5" />
    </IconButton>
  );
  return (
    <div className="flex h-full">
      <button
        type="button"
        onClick={() => document.getElementById('message')?.focus()}
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-xl focus:bg-surface focus:px-4 focus:py-2 focus:shadow-soft"
      >
        {t('skipToMessage')}
      </button>
      <aside className="hidden w-72 shrink-0 border-r border-line bg-sunken/50 md:block">{rail}</aside>
      <Dialog open={drawer} onClose={() => setDrawer(false)} label={t('sessions')} className="m-0 h-dvh max-h-none w-[min(20rem,85vw)] rounded-r-2xl">
        {rail}
      </Dialog>
      <main className="min-w-0 flex-1">
        {place.kind === 'session' ? <SessionPage key={place.id} sessionId={place.id} menuButton={menuButton} onChanged={list.refresh} /> : null}
        {place.kind === 'new' ? <NewChatPage menuButton={menuButton} onCreated={list.refresh} /> : null}
      </main>
    </div>
  );
};
