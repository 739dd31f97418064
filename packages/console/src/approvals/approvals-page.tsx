import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { useApprovals } from './approvals-context.ts';
import { ApprovalsQueue } from './approvals-queue.tsx';

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));

type ApprovalsPageProps = { readonly menuButton: ReactNode; readonly selectedId: string | undefined; readonly history: boolean };

/** What waits for this person, and what became of what waited before. */
export const ApprovalsPage = ({ menuButton, selectedId, history }: ApprovalsPageProps) => {
  const t = useText();
  const { open = [] } = useApprovals();
  useEffect(() => {
    document.title = `${t(history ? 'historyTab' : 'approvals')} · ${t('appName')}`;
  }, [t, history]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('approvals')} note={history || open.length === 0 ? undefined : t('approvalKeys')} />
      <TabLinks
        label={t('approvals')}
        current={history ? 'history' : 'queue'}
        tabs={[
          { id: 'queue', text: t('queueTab'), to: { kind: 'approvals' } },
          { id: 'history', text: t('historyTab'), to: { kind: 'approvals', history: true } },
        ]}
      />
      {history ? (
        <Suspense fallback={null}>
          <History />
        </Suspense>
      ) : (
        <ApprovalsQueue selectedId={selectedId} />
      )}
    </div>
  );
};
