import { Plus, Search } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { LiveCounts } from '../overview/live-counts.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import type { Place } from './address.ts';
import { Brand } from './brand.tsx';
import { DocsLink } from './docs-link.tsx';
import { NavLinks } from './nav-links.tsx';
import type { Reach } from './nav-pages.ts';
import { PlaceLink } from './place-link.tsx';
import { SessionList } from './session-list.tsx';
import { paletteKeys } from './use-palette.ts';
import { usePinnedSessions } from './use-pinned-sessions.ts';
import type { SessionList as Sessions } from './use-sessions.ts';

type RailProps = {
  readonly place: Place;
  readonly reach: Reach;
  readonly list: Sessions;
  readonly archived: boolean;
  readonly onArchived: (archived: boolean) => void;
  /** Something was chosen: a drawer closes. */
  readonly onOpen: () => void;
  readonly onPalette: () => void;
};

const linkButton = 'rounded-lg px-3 py-1.5 text-left text-[13px] text-ink-faint transition-colors duration-150 hover:text-ink';

type ListsProps = Pick<RailProps, 'place' | 'list' | 'archived' | 'onArchived' | 'onOpen'>;

/** What is pinned, then what moved last. */
const Lists = ({ place, list, archived, onArchived, onOpen }: ListsProps) => {
  const t = useText();
  const pinned = usePinnedSessions(archived ? undefined : list.sessions);
  const others = list.sessions?.filter(({ id }) => !pinned.some((session) => session.id === id));
  const selectedId = place.kind === 'session' ? place.id : undefined;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">
      {pinned.length === 0 ? null : (
        <>
          <h2 className="px-3 py-2 text-xs font-medium text-ink-faint">{t('pinned')}</h2>
          <SessionList sessions={pinned} selectedId={selectedId} onOpen={onOpen} />
        </>
      )}
      <h2 className="px-3 py-2 text-xs font-medium text-ink-faint">{archived ? t('archived') : t('recent')}</h2>
      {others?.length === 0 && pinned.length > 0 ? null : <SessionList sessions={others} selectedId={selectedId} onOpen={onOpen} />}
      <div className="mt-2 flex flex-col items-start">
        {list.hasMore ? (
          <button type="button" className={linkButton} onClick={list.showMore}>
            {t('olderSessions')}
          </button>
        ) : null}
        <button type="button" className={linkButton} onClick={() => onArchived(!archived)}>
          {archived ? t('hideArchived') : t('showArchived')}
        </button>
      </div>
    </div>
  );
};

export const Rail = ({ place, reach, onOpen, onPalette, ...lists }: RailProps) => {
  const t = useText();
  return (
    <nav aria-label={t('sessions')} className="flex h-full flex-col">
      <div className="flex flex-col gap-3 p-4 pb-2">
        <div className="flex items-center justify-between pl-2">
          <Brand />
          <IconButton label={`${t('openPalette')} (${paletteKeys})`} onClick={onPalette}>
            <Search aria-hidden className="size-4.5" />
          </IconButton>
        </div>
        <LiveCounts onOpen={onOpen} />
        <NavLinks place={place} reach={reach} onOpen={onOpen} />
        <PlaceLink
          to={{ kind: 'new' }}
          aria-current={place.kind === 'new' ? 'page' : undefined}
          onOpen={onOpen}
          className="flex h-10 items-center gap-2.5 rounded-xl border border-line bg-surface px-3 text-sm font-medium transition-colors duration-150 hover:border-line-strong aria-[current]:border-accent aria-[current]:text-accent"
        >
          <Plus aria-hidden className="size-4" />
          {t('newChat')}
        </PlaceLink>
      </div>
      <Lists place={place} onOpen={onOpen} {...lists} />
      <div className="border-t border-line p-3">
        <DocsLink />
        <AccountMenu />
      </div>
    </nav>
  );
};
