import { GitFork } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';

/** Nothing was said yet; of a fork, what it begins with. */
export const EmptySession = ({ forkedFrom }: { readonly forkedFrom: string | undefined }) => {
  const t = useText();
  if (forkedFrom === undefined) return <p className="m-auto animate-late text-lg text-ink-faint">{t('emptySession')}</p>;
  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-3 px-4 py-10 text-center" data-forked>
      <span aria-hidden className="grid size-14 place-items-center rounded-2xl bg-accent-soft text-accent">
        <GitFork className="size-7" />
      </span>
      <p className="text-ink-soft">{t('forkedStart')}</p>
      <PlaceLink to={{ kind: 'session', id: forkedFrom }} className="rounded-md text-sm text-accent underline underline-offset-4">
        {t('openOriginal')}
      </PlaceLink>
    </div>
  );
};
