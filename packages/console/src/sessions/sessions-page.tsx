import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { ownerName, useAccess, useNameOf } from '../directory/directory-context.ts';
import { formatDay } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pinned, pinnedFirst } from '../preferences/pinned.ts';
import { useStored } from '../preferences/use-stored.ts';
import { go } from '../shell/address.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { isUsual, type SessionFilters, usualFilters } from './filters.ts';
import { SavedBar } from './saved-bar.tsx';
import { SessionTable } from './session-table.tsx';
import { useBulk } from './use-bulk.ts';
import { type SessionPages, useSessionPages } from './use-session-pages.ts';

type SessionsPageProps = { readonly menuButton: ReactNode; readonly filters: SessionFilters; readonly onChanged: () => void };

const filter = (filters: SessionFilters): void => go({ kind: 'sessions', filters }, { replace: true });
const noneChosen: ReadonlySet<string> = new Set();

const NothingFits = ({ filters }: { readonly filters: SessionFilters }) => {
  const t = useText();
  const usual = isUsual(filters);
  return (
    <div className="flex flex-col items-center gap-3 py-16 text-center text-ink-soft">
      <p>{t(usual ? 'noSessions' : 'nothingFits')}</p>
      {usual ? null : <Button onClick={() => filter(usualFilters)}>{t('clearFilters')}</Button>}
    </div>
  );
};

const MoreSessions = ({ pages: { hasMore, searchedUntil, showMore } }: { readonly pages: SessionPages }) => {
  const t = useText();
  const locale = useLocale();
  if (!hasMore) return null;
  return (
    <div className="flex flex-col items-center gap-2 py-1">
      {searchedUntil === undefined ? null : <p className="text-[13px] text-ink-faint">{t('searchedUntil', { when: formatDay(searchedUntil, locale) })}</p>}
      <Button onClick={showMore}>{t(searchedUntil === undefined ? 'showMore' : 'searchOn')}</Button>
    </div>
  );
};

/** Names and rights, as far as the listed sessions need them: one's own need no look-up. */
const useOwners = (sessions: readonly SessionResource[], filters: SessionFilters) => {
  const { user } = useSignedIn();
  const others = sessions.some(({ owner }) => owner.id !== user?.id);
  const nameOf = useNameOf(others || !['me', 'all'].includes(filters.owner));
  const accessTo = useAccess(others);
  return {
    nameOf,
    ownerOf: ({ owner }: SessionResource) => nameOf(ownerName(owner)),
    mayControl: ({ owner }: SessionResource) => accessTo(owner).manage,
  };
};

export const SessionsPage = ({ menuButton, filters, onChanged }: SessionsPageProps) => {
  const t = useText();
  const pages = useSessionPages(filters);
  const pins = useStored(pinned);
  const sessions = pinnedFirst(pages.sessions ?? [], pins);
  const { nameOf, ownerOf, mayControl } = useOwners(sessions, filters);
  const [chosen, setChosen] = useState(noneChosen);
  const [fault, setFault] = useState<string>();
  const { refresh } = pages;
  const changed = useCallback(() => {
    refresh();
    onChanged();
  }, [refresh, onChanged]);
  const bulk = useBulk(changed);
  useEffect(() => {
    document.title = `${t('sessions')} · ${t('appName')}`;
  }, [t]);
  // What is not listed any more is not acted on, though it was chosen.
  const listed = sessions.filter((session) => chosen.has(session.id) && mayControl(session));
  const choose = (ids: readonly string[], isChosen: boolean): void =>
    setChosen((before) => new Set(isChosen ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  return (
    <div className="flex h-full flex-col">
      <PageHeader menuButton={menuButton} title={t('sessions')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-3 px-3 py-4 sm:px-6 sm:py-6">
          <FilterBar filters={filters} nameOf={nameOf} onChange={filter} />
          <SavedBar filters={filters} />
          {listed.length === 0 ? null : <BulkBar chosen={listed} bulk={bulk} pins={pins} onClear={() => setChosen(noneChosen)} />}
          {[...(pages.fault === undefined ? [] : [pages.fault]), ...(fault === undefined ? [] : [fault])].map((message) => (
            <Notice key={message} tone="danger">
              {message}
            </Notice>
          ))}
          {bulk.faults.map(({ title, message }) => (
            <Notice key={title} tone="danger">
              {title}: {message}
            </Notice>
          ))}
          {pages.sessions === undefined ? null : sessions.length === 0 ? (
            <NothingFits filters={filters} />
          ) : (
            <SessionTable
              sessions={sessions}
              ownerOf={ownerOf}
              mayControl={mayControl}
              pins={pins}
              chosen={chosen}
              onChoose={choose}
              onChanged={changed}
              onError={(error) => setFault((error as Error).message)}
            />
          )}
          <MoreSessions pages={pages} />
        </div>
      </div>
    </div>
  );
};
