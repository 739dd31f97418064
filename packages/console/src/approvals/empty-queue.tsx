import { ShieldCheck } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';

export const EmptyQueue = () => {
  const t = useText();
  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-3 px-4 py-10 text-center">
      <span aria-hidden className="grid size-14 place-items-center rounded-2xl bg-accent-soft text-accent">
        <ShieldCheck className="size-7" />
      </span>
      <h2 className="text-lg font-semibold">{t('nothingWaits')}</h2>
      <p className="text-ink-soft">{t('nothingWaitsHint')}</p>
    </div>
  );
};
