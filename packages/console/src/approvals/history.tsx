import type { Client } from '@turnkeeper/client/create-client';
import type { AnsweredAction } from '@turnkeeper/core/protocol/wire/actions';
import { Link2 } from 'lucide-react';
import { useCallback } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useNameOf } from '../directory/directory-context.ts';
import type { TextKey } from '../i18n/en.ts';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { PageBody } from '../ui/page-body.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { ShowMore } from '../ui/show-more.tsx';
import { useNow } from '../ui/use-now.ts';
import { type ListPage, usePages } from '../ui/use-pages.ts';

const outcomes: { readonly [outcome: string]: { readonly text: TextKey; readonly tone: BadgeTone } } = {
  allowed: { text: 'outcomeAllowed', tone: 'good' },
  approved: { text: 'outcomeAllowed', tone: 'good' },
  denied: { text: 'outcomeDenied', tone: 'danger' },
  rejected: { text: 'outcomeDenied', tone: 'danger' },
  declined: { text: 'outcomeDenied', tone: 'danger' },
  answered: { text: 'outcomeAnswered', tone: 'quiet' },
  submitted: { text: 'outcomeAnswered', tone: 'quiet' },
  succeeded: { text: 'outcomeAnswered', tone: 'quiet' },
  failed: { text: 'outcomeAnswered', tone: 'quiet' },
};

/** What a word of the API is called here; those that are not known stand as they are. */
const kinds: { readonly [kind: string]: TextKey } = {
  confirmation: 'kindConfirmation',
  question: 'kindQuestion',
  form: 'kindForm',
  approval: 'kindApproval',
  signal: 'kindSignal',
  external_execution: 'kindExternalExecution',
  reconciliation: 'kindReconciliation',
};

const titleOf = ({ tool, kind }: AnsweredAction, t: ReturnType<typeof useText>): string => {
  const known = kinds[kind];
  return tool ?? (known ? t(known) : kind);
};

const Outcome = ({ past }: { readonly past: AnsweredAction }) => {
  const t = useText();
  const known = outcomes[past.outcome];
  return (
    <>
      <Badge tone={known?.tone ?? 'quiet'}>{known ? t(known.text) : past.outcome}</Badge>
      {past.remember ? <Badge>{t('rememberedForSession')}</Badge> : null}
    </>
  );
};

/** Who, when, from where. */
const PastRow = ({ past, nameOf }: { readonly past: AnsweredAction; readonly nameOf: (owner: string) => string }) => {
  const t = useText();
  const locale = useLocale();
  const now = useNow(30_000);
  const { answered_by: by, session_id, turn_id } = past;
  const who = nameOf(by);
  const byKey = by.startsWith('app:') ? past.credential_id : null;
  return (
    <Row
      id={past.id}
      title={titleOf(past, t)}
      marks={<Outcome past={past} />}
      note={
        <>
          {/* The name that it had then, where the present one is not to be read. */}
          <span>{who === by.slice(by.indexOf(':') + 1) ? past.answered_by_name : who} · </span>
          <time dateTime={new Date(past.at).toISOString()} title={new Date(past.at).toLocaleString(locale)}>
            {formatAge(past.at, locale, now)}
          </time>
          {past.address === null ? null : <span data-from> · {past.address}</span>}
          {byKey === null ? null : <span> · {t('byKey', { id: byKey })}</span>}
        </>
      }
      actions={
        <PlaceLink
          to={{ kind: 'session', id: session_id, ...(turn_id === null ? {} : { query: { turn: turn_id } }) }}
          className="inline-flex h-9 max-w-60 items-center gap-1.5 rounded-lg px-2 text-[13px] text-ink-soft hover:text-accent"
        >
          <Link2 aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{past.session_title || t('chat')}</span>
        </PlaceLink>
      }
    />
  );
};

const pageSize = 50;

/** Of all sessions that this person may read. */
const readAnswers = async ({ actions }: Pick<Client, 'actions'>, after: string | undefined): Promise<ListPage<AnsweredAction>> => {
  const { data, next_cursor } = await actions.answered({ limit: pageSize, after });
  return { items: data, next: next_cursor ?? undefined };
};

export const History = () => {
  const t = useText();
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const nameOf = useNameOf(true);
  const pages = usePages(useCallback((after: string | undefined) => readAnswers(client, after), [client]));
  return (
    <PageBody>
      {isAdmin ? null : <p className="px-1 text-[13px] text-ink-faint">{t('historyMine')}</p>}
      <LoadState loaded={pages.first} />
      {pages.first.data && pages.items.length === 0 ? <NothingYet>{t('historyEmpty')}</NothingYet> : null}
      {pages.items.length === 0 ? null : (
        <Rows label={t('historyTab')}>
          {pages.items.map((past) => (
            <PastRow key={past.id} past={past} nameOf={nameOf} />
          ))}
        </Rows>
      )}
      <ShowMore hasMore={pages.hasMore} showMore={pages.showMore} />
    </PageBody>
  );
};
