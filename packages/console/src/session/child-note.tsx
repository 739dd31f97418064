import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';

/** In place of the composer: a child is only read. */
export const ChildNote = ({ sessionId }: { readonly sessionId: string }) => {
  const t = useText();
  return (
    <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-2xl border border-line bg-surface px-4 py-3 text-sm text-ink-soft">
        {t('childNote')}
        <PlaceLink to={{ kind: 'session', id: sessionId, query: { panel: 'children' } }} className="rounded-md text-accent underline underline-offset-4">
          {t('openParent')}
        </PlaceLink>
      </p>
    </div>
  );
};
