import { lazy, type ReactNode, Suspense } from 'react';
import { ApprovalsPage } from '../approvals/approvals-page.tsx';
import { useText } from '../i18n/use-text.ts';
import { NewChatPage } from '../new-chat/new-chat-page.tsx';
import { NowPage } from '../now/now-page.tsx';
import { SessionPage } from '../session/session-page.tsx';
import { SessionsPage } from '../sessions/sessions-page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { Place } from './address.ts';
import { NoPage } from './no-page.tsx';
import { PageBoundary } from './page-boundary.tsx';

// What most look at first comes with the shell; the rest when it is wanted.
const TurnPage = lazy(async () => ({ default: (await import('../turn/turn-page.tsx')).TurnPage }));
const CheckpointsPage = lazy(async () => ({ default: (await import('../checkpoints/checkpoints-page.tsx')).CheckpointsPage }));
const MinitoolsPage = lazy(async () => ({ default: (await import('../minitools/minitools-page.tsx')).MinitoolsPage }));
const DeliveriesPage = lazy(async () => ({ default: (await import('../deliveries/deliveries-page.tsx')).DeliveriesPage }));
const UsagePage = lazy(async () => ({ default: (await import('../usage/usage-page.tsx')).UsagePage }));
const TargetsPage = lazy(async () => ({ default: (await import('../targets/targets-page.tsx')).TargetsPage }));
const SettingsPage = lazy(async () => ({ default: (await import('../settings/settings-page.tsx')).SettingsPage }));

type PageProps = { readonly place: Place; readonly menuButton: ReactNode; readonly onChanged: () => void };

const Shown = ({ place, menuButton, onChanged }: PageProps) => {
  switch (place.kind) {
    case 'session':
      return (
        <SessionPage
          key={`${place.id}/${place.query?.['child'] ?? ''}`}
          sessionId={place.id}
          query={place.query ?? {}}
          menuButton={menuButton}
          onChanged={onChanged}
        />
      );
    case 'new':
      return <NewChatPage target={place.target} menuButton={menuButton} onCreated={onChanged} />;
    case 'approvals':
      return <ApprovalsPage menuButton={menuButton} selectedId={place.action} history={place.history === true} />;
    case 'sessions':
      return <SessionsPage menuButton={menuButton} filters={place.filters} onChanged={onChanged} />;
    case 'now':
      return <NowPage query={place.query} menuButton={menuButton} onChanged={onChanged} />;
    case 'turn':
      return <TurnPage query={place.query} menuButton={menuButton} />;
    case 'checkpoints':
      return <CheckpointsPage query={place.query} menuButton={menuButton} />;
    case 'minitools':
      return <MinitoolsPage query={place.query} menuButton={menuButton} />;
    case 'deliveries':
      return <DeliveriesPage query={place.query} menuButton={menuButton} />;
    case 'usage':
      return <UsagePage query={place.query} menuButton={menuButton} />;
    case 'targets':
      return <TargetsPage query={place.query} menuButton={menuButton} />;
    case 'settings':
      return <SettingsPage query={place.query} menuButton={menuButton} />;
    case 'nowhere':
      return <NoPage path={place.path} menuButton={menuButton} />;
    case 'start':
      return null;
  }
};

const Coming = ({ menuButton }: Pick<PageProps, 'menuButton'>) => {
  const t = useText();
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-16 shrink-0 items-center px-4 md:hidden">{menuButton}</div>
      <p role="status" className="m-auto flex animate-late items-center gap-2 text-sm text-ink-faint">
        <Spinner /> {t('loading')}
      </p>
    </div>
  );
};

export const Page = (props: PageProps) => (
  <PageBoundary key={props.place.kind} menuButton={props.menuButton}>
    <Suspense fallback={<Coming menuButton={props.menuButton} />}>
      <Shown {...props} />
    </Suspense>
  </PageBoundary>
);
