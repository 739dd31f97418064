import type { ComponentProps } from 'react';
import { addressOf, go, type Place } from './address.ts';

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { readonly to: Place; readonly onOpen?: () => void };

/** A link within the page. With a modifier the browser opens a new tab: that is a link's own right. */
export const PlaceLink = ({ to, onOpen, ...rest }: PlaceLinkProps) => (
  <a
    {...rest}
    href={addressOf(to)}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(to);
      onOpen?.();
    }}
  />
);
