import type { MinitoolArrival, MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import type { TextKey } from '../i18n/en.ts';
import { formatBytes, formatDuration } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const outcomes: { readonly [Of in MinitoolArrival['outcome']]: { readonly text: TextKey; readonly tone: BadgeTone } } = {
  kept: { text: 'arrivalKept', tone: 'good' },
  repeated: { text: 'arrivalRepeated', tone: 'quiet' },
  answered: { text: 'arrivalAnswered', tone: 'quiet' },
  refused: { text: 'arrivalRefused', tone: 'danger' },
};
const signatures: { readonly [Of in MinitoolArrival['signature']]: TextKey | undefined } = {
  verified: 'signatureVerified',
  wrong: 'signatureWrong',
  not_wanted: 'signatureNotWanted',
  not_checked: undefined,
};

const everyMs = 5_000;
const mostShown = 200;

type Shown = { readonly minitool: Pick<MinitoolDetails, 'id' | 'name'>; readonly arrival: MinitoolArrival };

const ArrivalRow = ({ minitool, arrival }: Shown) => {
  const t = useText();
  const locale = useLocale();
  const { text, tone } = outcomes[arrival.outcome];
  const signature = signatures[arrival.signature];
  return (
    <Row
      id={arrival.id}
      title={`${minitool.name} · ${arrival.hook}`}
      marks={<Badge tone={tone}>{t(text)}</Badge>}
      note={
        <>
          <time dateTime={new Date(arrival.at).toISOString()}>
            {new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(arrival.at)}
          </time>
          {` · HTTP ${arrival.status}`}
          {arrival.code === null ? null : ` · ${arrival.code}`}
          {signature === undefined ? null : ` · ${t(signature)}`}
          {` · ${formatBytes(arrival.bytes, locale)} · ${formatDuration(arrival.durationMs, t)}`}
        </>
      }
    />
  );
};

/** Requests of all mini-tools, with how each was answered; for admins. */
export const ArrivalList = ({ minitools }: { readonly minitools: readonly Pick<MinitoolDetails, 'id' | 'name'>[] }) => {
  const t = useText();
  const client = useClient();
  const loaded = useLoaded(
    useCallback(async () => {
      const all = await Promise.all(
        minitools.map(async (minitool) => (await client.minitools.arrivals(minitool.id)).items.map((arrival): Shown => ({ minitool, arrival }))),
      );
      return all
        .flat()
        .sort((a, b) => b.arrival.at - a.arrival.at)
        .slice(0, mostShown);
    }, [client, minitools]),
    everyMs,
  );
  return (
    <Panel title={t('arrivals')} hint={t('arrivalsHint')}>
      <LoadState loaded={loaded} />
      {loaded.data?.length === 0 ? <NothingYet>{t('noArrivals')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('arrivals')}>
          {loaded.data.map((shown) => (
            <ArrivalRow key={shown.arrival.id} {...shown} />
          ))}
        </Rows>
      ) : null}
    </Panel>
  );
};
