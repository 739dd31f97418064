import { type ReactNode, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { Query } from '../shell/query.ts';
import { PageBody } from '../ui/page-body.tsx';
import { MinitoolDetailsView } from './minitool-details.tsx';
import { MinitoolList } from './minitool-list.tsx';

type MinitoolsPageProps = { readonly query: Query; readonly menuButton: ReactNode };

export const MinitoolsPage = ({ query, menuButton }: MinitoolsPageProps) => {
  const t = useText();
  const id = query['id'];
  useEffect(() => {
    document.title = `${t('minitoolsTitle')} · ${t('appName')}`;
  }, [t]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('minitoolsTitle')} />
      {id === undefined ? (
        <PageBody>
          <MinitoolList />
        </PageBody>
      ) : (
        <MinitoolDetailsView key={id} id={id} query={query} />
      )}
    </div>
  );
};
