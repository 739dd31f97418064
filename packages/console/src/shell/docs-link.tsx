import { ArrowUpRight, BookOpen } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { docsAddress } from './docs-address.ts';

/** To the server's own page about its API, beside this one. */
export const DocsLink = () => {
  const t = useText();
  return (
    <a
      href={docsAddress}
      target="_blank"
      rel="noopener"
      aria-label={t('apiReferenceHint')}
      title={t('apiReferenceHint')}
      className="flex h-9 items-center gap-2.5 rounded-xl px-3.5 text-sm text-ink-soft transition-colors duration-150 hover:bg-sunken hover:text-ink max-md:h-11"
    >
      <BookOpen aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{t('apiReference')}</span>
      <ArrowUpRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
    </a>
  );
};
