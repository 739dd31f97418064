import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Place } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';

export type TabLink = { readonly id: string; readonly text: string; readonly to: Place };

type TabLinksProps = {
  readonly label: string;
  readonly tabs: readonly TabLink[];
  readonly current: string /** Beside something that needs the room. */;
  readonly dense?: boolean;
};

/** Whether there is more than is seen, before it and behind it. */
const useHidden = (ref: RefObject<HTMLElement | null>) => {
  const [hidden, setHidden] = useState({ before: false, behind: false });
  useLayoutEffect(() => {
    const frame = ref.current;
    if (!frame) return;
    const look = (): void => {
      const before = frame.scrollLeft > 1;
      const behind = frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1;
      setHidden((known) => (known.before === before && known.behind === behind ? known : { before, behind }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(frame);
    if (frame.firstElementChild) observer.observe(frame.firstElementChild);
    frame.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      frame.removeEventListener('scroll', look);
    };
  }, [ref]);
  return hidden;
};

/** Views of one page. Each has its address, so they are links. Where not all of them fit, the edge fades. */
export const TabLinks = ({ label, tabs, current, dense = false }: TabLinksProps) => {
  const frame = useRef<HTMLElement>(null);
  const { before, behind } = useHidden(frame);
  const ref = useRef<HTMLUListElement>(null);
  // On a phone not all of them fit: the one that is shown does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is current is read from the page
  useEffect(() => {
    ref.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav
      ref={frame}
      aria-label={label}
      className={`shrink-0 overflow-x-auto border-b border-line [scrollbar-width:none] ${dense ? 'px-2' : 'px-3 sm:px-5'} ${before ? 'mask-l-from-[calc(100%-2rem)]' : ''} ${behind ? 'mask-r-from-[calc(100%-2rem)]' : ''}`}
    >
      <ul ref={ref} className={`flex w-max ${dense ? '' : 'gap-1'}`}>
        {tabs.map(({ id, text, to }) => (
          <li key={id}>
            <PlaceLink
              to={to}
              aria-current={id === current ? 'page' : undefined}
              className={`-mb-px flex h-11 items-center border-b-2 border-transparent ${dense ? 'px-1.75 text-[13px]' : 'px-2.5 text-sm'} whitespace-nowrap text-ink-soft transition-colors duration-150 hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink`}
            >
              {text}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </nav>
  );
};
