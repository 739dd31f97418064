import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { ArrowLeft } from 'lucide-react';
import { useCallback } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import type { Query } from '../shell/query.ts';
import { LoadState } from '../ui/load-state.tsx';
import { PageBody } from '../ui/page-body.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { MinitoolLog } from './minitool-log.tsx';
import { MinitoolOverview } from './minitool-overview.tsx';
import { MinitoolSettings } from './minitool-settings.tsx';

const tabs = [
  { id: 'overview', text: 'minitoolOverview' },
  { id: 'settings', text: 'settingsTitle' },
  { id: 'log', text: 'minitoolLog' },
] as const;
type Tab = (typeof tabs)[number]['id'];

type ShownProps = { readonly tab: Tab; readonly query: Query; readonly minitool: MinitoolDetails; readonly onChanged: () => void };

const Shown = ({ tab, query, minitool, onChanged }: ShownProps) => {
  switch (tab) {
    case 'overview':
      return <MinitoolOverview minitool={minitool} onChanged={onChanged} />;
    case 'settings':
      return minitool.administration ? <MinitoolSettings minitool={minitool} administration={minitool.administration} onChanged={onChanged} /> : null;
    case 'log':
      return <MinitoolLog id={minitool.id} query={query} />;
  }
};

const everyMs = 3_000;

export const MinitoolDetailsView = ({ id, query }: { readonly id: string; readonly query: Query }) => {
  const t = useText();
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const loaded = useLoaded(
    useCallback(async () => (await client.minitools.get(id)).minitool, [client, id]),
    everyMs,
  );
  const shown = isAdmin ? tabs : tabs.slice(0, 1);
  const tab = shown.find((each) => each.id === query['tab'])?.id ?? 'overview';
  return (
    <>
      {isAdmin ? (
        <TabLinks
          label={loaded.data?.name ?? id}
          current={tab}
          tabs={shown.map((each) => ({ id: each.id, text: t(each.text), to: pageAt('minitools', { id, tab: each.id }) }))}
        />
      ) : null}
      <PageBody wide={tab === 'log'}>
        <PlaceLink to={pageAt('minitools')} className="flex items-center gap-1.5 self-start rounded-md px-1 text-sm text-ink-soft hover:text-ink">
          <ArrowLeft aria-hidden className="size-4" /> {t('minitoolsTitle')}
        </PlaceLink>
        <LoadState loaded={loaded} />
        {loaded.data ? <Shown tab={tab} query={query} minitool={loaded.data} onChanged={loaded.reload} /> : null}
      </PageBody>
    </>
  );
};
