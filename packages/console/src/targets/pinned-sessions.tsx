import { useText } from '../i18n/use-text.ts';
import { usualFilters } from '../sessions/filters.ts';
import { PlaceLink } from '../shell/place-link.tsx';

/** To the sessions with a target, whoever has them. */
export const SessionsLink = ({ target }: { readonly target: string }) => {
  const t = useText();
  return (
    <PlaceLink
      to={{ kind: 'sessions', filters: { ...usualFilters, owner: 'all', target } }}
      className="rounded-md text-sm text-accent underline-offset-3 hover:underline"
    >
      {t('itsSessions')}
    </PlaceLink>
  );
};

type PinnedCountProps = { readonly pinned: ((version: number) => string) | undefined; readonly version: number };

/** How many of them keep this version; nothing until it is known. */
export const PinnedCount = ({ pinned, version }: PinnedCountProps) => {
  const t = useText();
  return pinned ? <span className="text-[13px] text-ink-soft">{t('pinnedCount', { count: pinned(version) })}</span> : null;
};
