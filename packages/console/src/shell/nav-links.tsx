import { useText } from '../i18n/use-text.ts';
import { UnreadCount } from '../minitools/unread-count.tsx';
import type { Place } from './address.ts';
import { type NavPage, pagesFor, type Reach } from './nav-pages.ts';
import { PlaceLink } from './place-link.tsx';
import { WaitingCount } from './waiting-count.tsx';

type NavLinkProps = { readonly page: NavPage; readonly place: Place; readonly onOpen?: (() => void) | undefined };

const NavLink = ({ page: { text, icon: Icon, to, kinds }, place, onOpen }: NavLinkProps) => {
  const t = useText();
  return (
    <PlaceLink
      to={to}
      {...(onOpen ? { onOpen } : {})}
      aria-current={kinds.includes(place.kind) ? 'page' : undefined}
      className="flex h-8 items-center gap-2.5 rounded-xl px-3 text-sm font-medium text-ink-soft transition-colors duration-150 hover:bg-sunken hover:text-ink aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:shadow-[inset_0_0_0_1px_var(--color-line)] max-md:h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{t(text)}</span>
      {text === 'approvals' ? <WaitingCount className="min-w-5" /> : null}
      {text === 'minitoolsTitle' ? <UnreadCount /> : null}
    </PlaceLink>
  );
};

type NavLinksProps = { readonly place: Place; readonly reach: Reach; readonly onOpen?: () => void };

/** In the rail: one below the other. */
export const NavLinks = ({ place, reach, onOpen }: NavLinksProps) => (
  <ul className="flex flex-col gap-0.5">
    {pagesFor(reach)
      .filter(({ onlyInBar }) => !onlyInBar)
      .map((page) => (
        <li key={page.text}>
          <NavLink page={page} place={place} onOpen={onOpen} />
        </li>
      ))}
  </ul>
);

/** What does not fit into the bar at the bottom. */
export const MoreLinks = ({ place, reach, onOpen }: NavLinksProps) => (
  <ul className="grid grid-cols-2 gap-1">
    {pagesFor(reach)
      .filter(({ main }) => !main)
      .map((page) => (
        <li key={page.text}>
          <NavLink page={page} place={place} onOpen={onOpen} />
        </li>
      ))}
  </ul>
);
