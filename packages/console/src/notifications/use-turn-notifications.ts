import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useEffect, useRef } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { useMinitools } from '../minitools/minitools-context.ts';
import { notifications } from '../preferences/notifications.ts';
import { useStored } from '../preferences/use-stored.ts';
import { go } from '../shell/address.ts';
import { createPoll } from '../ui/poll.ts';
import { useIsVisible } from '../ui/use-is-visible.ts';
import { notificationStanding, showNotification } from './system-notifications.ts';
import { createTurnNews, type TurnNews } from './turn-news.ts';

/** One small question a look: nothing else of the page asks while nobody sees it. */
const everyMs = 15_000;
const texts = { ended: 'notifyEnded', waiting: 'notifyWaiting' } as const;

/** The system's notifications of one's turns: where they were asked for, and only while the page is hidden. */
export const useTurnNotifications = (): void => {
  const t = useText();
  const { client, user } = useSignedIn();
  const wish = useStored(notifications);
  const isVisible = useIsVisible();
  const { minitools } = useMinitools();
  const userId = user?.id;
  const isMine = ({ type, id }: SessionResource['owner']): boolean =>
    type === 'user' ? id === userId : type === 'minitool' && minitools?.some((each) => each.id === id && each.isUser) === true;
  const tell = ({ session, kind }: TurnNews): void => {
    const shown = showNotification({
      title: session.title || t('untitled'),
      body: t(texts[kind]),
      tag: `turnkeeper:${session.id}:${session.updatedAt}`,
      onClick: () => go({ kind: 'session', id: session.id }),
    });
    if (!shown) notifications.set('unable');
  };
  // As they are by then: another list, or another language, begins no new look.
  const now = useRef({ isMine, tell });
  useEffect(() => {
    now.current = { isMine, tell };
  });
  const wanted = wish === 'on' && !isVisible && userId !== undefined;
  useEffect(() => {
    if (!wanted || notificationStanding() !== 'allowed') return;
    const lastTurn = async (id: string) => (await client.sessions.snapshot(id, { limit: 1 })).turns.at(-1)?.data;
    const look = createTurnNews({ sessions: client.sessions.list, lastTurn }, (owner) => now.current.isMine(owner));
    const poll = createPoll(
      async (attempt) => {
        const news = await look(attempt);
        if (!attempt.signal.aborted) for (const each of news) now.current.tell(each);
        return true;
      },
      { everyMs, isHidden: () => false },
    );
    return poll.stop;
  }, [client, wanted]);
};
