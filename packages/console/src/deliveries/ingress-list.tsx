import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { useCallback, useMemo } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { ArrivalList } from './arrival-list.tsx';

type Hook = { readonly minitool: MinitoolDetails; readonly id: string; readonly address: string };

const hooksOf = (minitools: readonly MinitoolDetails[]): readonly Hook[] =>
  minitools.flatMap((minitool) => minitool.webhooks.map(({ id, path }) => ({ minitool, id, address: location.origin + path })));

/** Where mini-tools are called from outside. */
export const IngressList = () => {
  const t = useText();
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const loaded = useLoaded(
    useCallback(async () => {
      const { items } = await client.minitools.list();
      return hooksOf(await Promise.all(items.map(async ({ id }) => (await client.minitools.get(id)).minitool)));
    }, [client]),
  );
  const called = useMemo(() => [...new Map(loaded.data?.map(({ minitool }) => [minitool.id, minitool])).values()], [loaded.data]);
  const hooks = (
    <Panel title={t('webhooksIn')} hint={t('webhooksInHint')}>
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <NothingYet>{t('noIngress')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('webhooksIn')}>
          {loaded.data.map(({ minitool, id, address }) => (
            <Row
              key={address}
              title={
                <PlaceLink to={pageAt('minitools', { id: minitool.id })} className="rounded-md hover:text-accent">
                  {`${minitool.name} · ${id}`}
                </PlaceLink>
              }
              marks={minitool.status === 'enabled' ? null : <Badge tone="warn">{t('hookRefuses')}</Badge>}
              note={<code>{address}</code>}
              actions={
                <>
                  {isAdmin ? (
                    <PlaceLink
                      to={pageAt('minitools', { id: minitool.id, tab: 'log' })}
                      className="rounded-md px-2 text-sm text-accent underline-offset-3 hover:underline"
                    >
                      {t('minitoolLog')}
                    </PlaceLink>
                  ) : null}
                  <CopyButton label={t('copyAddress')} text={address} />
                </>
              }
            />
          ))}
        </Rows>
      ) : null}
    </Panel>
  );
  return (
    <>
      {hooks}
      {isAdmin && called.length > 0 ? <ArrivalList minitools={called} /> : null}
    </>
  );
};
