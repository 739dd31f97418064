import type { AuditEntry } from '@turnkeeper/core/protocol/wire/identity';
import { useCallback, useMemo, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useNameOf } from '../directory/directory-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import type { Query } from '../shell/query.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Rows } from '../ui/rows.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { usePages } from '../ui/use-pages.ts';
import { type AuditFilters, auditFilters, auditQueryOf, readAuditFilters } from './audit-filters.ts';

const filterTexts = { action: 'auditAction', actor: 'auditActor', subject: 'auditSubject', session: 'auditSession' } as const;

/** Written into the address when it is sent, not with every letter: each filter is a search of the whole log. */
const Filters = ({ filters }: { readonly filters: AuditFilters }) => {
  const t = useText();
  const [texts, setTexts] = useState(filters);
  const apply = (next: AuditFilters): void => go(pageAt('settings', auditQueryOf(next)), { replace: true });
  return (
    <search>
      <form
        className="grid items-end gap-2 sm:grid-cols-2 lg:grid-cols-[repeat(4,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          apply(texts);
        }}
      >
        {auditFilters.map((name) => (
          <Field key={name} label={t(filterTexts[name])}>
            {(id) => (
              <TextInput
                id={id}
                value={texts[name] ?? ''}
                spellCheck={false}
                autoCapitalize="none"
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" className="h-11">
          {t('filter')}
        </Button>
      </form>
    </search>
  );
};

const EntryRow = ({ entry, subject }: { readonly entry: AuditEntry; readonly subject: string }) => {
  const t = useText();
  const locale = useLocale();
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(entry.at);
  const hasDetails = Object.keys(entry.details).length > 0 || entry.address !== null || entry.credentialId !== null;
  return (
    <li data-entry={entry.id} className="flex flex-col gap-1 px-4 py-2.5 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <time dateTime={new Date(entry.at).toISOString()} className="text-[13px] text-ink-faint tabular-nums sm:w-44">
          {when}
        </time>
        <span className="font-medium">{entry.actorName || entry.actor}</span>
        <code className="text-[13px] text-accent">{entry.action}</code>
        <span className="min-w-0 text-[13px] text-ink-soft [overflow-wrap:anywhere]">
          {entry.sessionId === null ? (
            subject
          ) : (
            <PlaceLink
              to={{ kind: 'session', id: entry.sessionId }}
              className="rounded-md underline decoration-line-strong underline-offset-3 hover:text-accent"
            >
              {subject}
            </PlaceLink>
          )}
        </span>
      </div>
      {hasDetails ? (
        <details className="text-[13px] text-ink-faint">
          <summary className="w-fit rounded-md">{t('auditDetails')}</summary>
          <pre className="mt-1 overflow-x-auto rounded-xl bg-sunken px-3 py-2 text-[12px] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere] text-ink-soft">
            {JSON.stringify({ actor: entry.actor, address: entry.address, credential: entry.credentialId, ...entry.details }, null, 2)}
          </pre>
        </details>
      ) : null}
    </li>
  );
};

export const AuditTab = ({ query }: { readonly query: Query }) => {
  const t = useText();
  const { audit } = useClient();
  const nameOf = useNameOf(true);
  const asked = JSON.stringify(readAuditFilters(query));
  const filters = useMemo(() => JSON.parse(asked) as AuditFilters, [asked]);
  const { first, items, hasMore, showMore } = usePages(
    useCallback(
      async (after) => {
        const page = await audit.page({ limit: 50, ...filters, ...(after === undefined ? {} : { after }) });
        return { items: page.data, next: page.has_more ? (page.next_cursor ?? undefined) : undefined };
      },
      [audit, filters],
    ),
  );
  const subjectOf = (subject: string): string => (/^(user|app):/.test(subject) ? nameOf(subject) : subject);
  return (
    <Panel title={t('tabAudit')} hint={t('auditHint')}>
      <Filters key={asked} filters={filters} />
      <LoadState loaded={first} />
      {first.data && items.length === 0 ? <NothingYet>{t('noAudit')}</NothingYet> : null}
      {items.length > 0 ? (
        <Rows label={t('tabAudit')}>
          {items.map((entry) => (
            <EntryRow key={entry.id} entry={entry} subject={subjectOf(entry.subject)} />
          ))}
        </Rows>
      ) : null}
      <ShowMore hasMore={hasMore} showMore={showMore} />
    </Panel>
  );
};
