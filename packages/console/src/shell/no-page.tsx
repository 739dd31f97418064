import { type ReactNode, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { PageBody } from '../ui/page-body.tsx';
import { NothingYet } from '../ui/rows.tsx';
import { pageAt } from './address.ts';
import { PageHeader } from './page-header.tsx';
import { PlaceLink } from './place-link.tsx';

/** An address that leads nowhere: said, rather than shown as something that nobody asked for. */
export const NoPage = ({ path, menuButton }: { readonly path: string; readonly menuButton: ReactNode }) => {
  const t = useText();
  useEffect(() => {
    document.title = `${t('noPageTitle')} · ${t('appName')}`;
  }, [t]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('noPageTitle')} />
      <PageBody>
        <NothingYet>
          <p className="[overflow-wrap:anywhere]">{t('noPageText', { path })}</p>
          <PlaceLink to={pageAt('now')} className="mt-3 inline-block rounded-md text-accent underline underline-offset-4">
            {t('goTo', { page: t('nowTitle') })}
          </PlaceLink>
        </NothingYet>
      </PageBody>
    </div>
  );
};
