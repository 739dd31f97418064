import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { unreadIn, useMinitools } from '../minitools/minitools-context.ts';
import { Dialog } from '../ui/dialog.tsx';
import { UnreadDot } from '../ui/unread-dot.tsx';
import type { Place } from './address.ts';
import { MoreLinks } from './nav-links.tsx';
import { pagesFor, type Reach } from './nav-pages.ts';
import { PlaceLink } from './place-link.tsx';
import { WaitingCount } from './waiting-count.tsx';

const entry =
  'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-[11px] leading-none text-ink-faint focus-visible:-outline-offset-2 aria-[current]:text-accent';

/** On phones: at the bottom, where thumbs are. It makes way for the keyboard. */
export const BottomBar = ({ place, reach }: { readonly place: Place; readonly reach: Reach }) => {
  const t = useText();
  const [more, setMore] = useState(false);
  const pages = pagesFor(reach);
  const unread = unreadIn(useMinitools().minitools);
  const isElsewhere = !pages.some(({ main, kinds }) => main && kinds.includes(place.kind));
  return (
    <nav
      aria-label={t('pages')}
      className="flex h-14 shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden [@media(max-height:420px)]:hidden"
    >
      {pages
        .filter(({ main }) => main)
        .map(({ text, icon: Icon, to, kinds }) => (
          <PlaceLink key={text} to={to} aria-current={kinds.includes(place.kind) ? 'page' : undefined} className={entry}>
            <span className="relative">
              <Icon aria-hidden className="size-5" />
              {text === 'approvals' ? <WaitingCount className="absolute -top-2 left-4 min-w-5 ring-2 ring-surface" /> : null}
            </span>
            <span className="max-w-full truncate">{t(text)}</span>
          </PlaceLink>
        ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={more}
        aria-current={isElsewhere ? 'page' : undefined}
        className={entry}
        onClick={() => setMore(true)}
      >
        <span className="relative">
          <Ellipsis aria-hidden className="size-5" />
          {unread > 0 ? <UnreadDot className="absolute -top-1 left-4" /> : null}
        </span>
        <span className="max-w-full truncate">{t('more')}</span>
      </button>
      <Dialog
        open={more}
        onClose={() => setMore(false)}
        label={t('morePages')}
        className="mx-0 mt-auto mb-0 w-full max-w-none rounded-t-2xl border-t border-line p-3"
      >
        <MoreLinks place={place} reach={reach} onOpen={() => setMore(false)} />
      </Dialog>
    </nav>
  );
};
