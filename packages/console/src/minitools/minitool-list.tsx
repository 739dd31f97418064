import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { ActivityBadges } from './activity.tsx';
import { DefaultAgent } from './default-agent.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { MinitoolLanguage } from './language.tsx';
import { UnreadBadge } from './unread-badge.tsx';

const everyMs = 5_000;
/** Of a folder without a package.json. */
const unversioned = '0.0.0';

export const MinitoolList = () => {
  const t = useText();
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const loaded = useLoaded(
    useCallback(async () => (await client.minitools.list()).items, [client]),
    everyMs,
  );
  const [installing, setInstalling] = useState(false);
  return (
    <>
      <Panel
        title={t('minitoolsTitle')}
        hint={t('minitoolsHint')}
        action={isAdmin ? <NewButton onClick={() => setInstalling(true)}>{t('install')}</NewButton> : null}
      >
        <LoadState loaded={loaded} />
        {loaded.data?.length === 0 ? <NothingYet>{t(isAdmin ? 'noMinitools' : 'noMinitoolsForYou')}</NothingYet> : null}
        {loaded.data?.length ? (
          <Rows label={t('minitoolsTitle')}>
            {loaded.data.map((minitool) => (
              <Row
                key={minitool.id}
                id={minitool.id}
                title={
                  <PlaceLink to={pageAt('minitools', { id: minitool.id })} className="rounded-md hover:text-accent">
                    {minitool.name}
                  </PlaceLink>
                }
                marks={
                  <>
                    <ActivityBadges minitool={minitool} />
                    <UnreadBadge count={minitool.unreadCount} />
                  </>
                }
                note={
                  <>
                    {minitool.description === '' ? null : <span className="block">{minitool.description}</span>}
                    {minitool.reason === null ? null : <span className="block text-danger">{minitool.reason}</span>}
                  </>
                }
                actions={minitool.version === unversioned ? null : <span className="text-xs text-ink-faint tabular-nums">{minitool.version}</span>}
              />
            ))}
          </Rows>
        ) : null}
      </Panel>
      {isAdmin ? <DefaultAgent /> : null}
      {isAdmin ? <MinitoolLanguage /> : null}
      {installing ? <InstallDialog onInstalled={(id) => go(pageAt('minitools', { id }))} onClose={() => setInstalling(false)} /> : null}
    </>
  );
};
