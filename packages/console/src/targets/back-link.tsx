import { ArrowLeft } from 'lucide-react';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';

export const BackLink = ({ tab, text }: { readonly tab: string; readonly text: string }) => (
  <PlaceLink to={pageAt('targets', { tab })} className="flex items-center gap-1.5 self-start rounded-md px-1 text-sm text-ink-soft hover:text-ink">
    <ArrowLeft aria-hidden className="size-4" /> {text}
  </PlaceLink>
);
