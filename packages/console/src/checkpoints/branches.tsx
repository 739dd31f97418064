import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { type FormEvent, useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

type Relation = 'parent' | 'child' | 'sibling';
type Relative = { readonly session: SessionResource; readonly relation: Relation };
const relationTexts = { parent: 'branchParent', child: 'branchChild', sibling: 'branchSibling' } as const;

/** As many as one page holds are looked through: the newest ones. */
const mostLookedAt = 200;

const relationTo = (session: SessionResource, other: SessionResource): Relation | undefined => {
  if (other.id === session.id) return undefined;
  if (session.forked_from?.session_id === other.id) return 'parent';
  if (other.forked_from?.session_id === session.id) return 'child';
  return other.forked_from && other.forked_from.session_id === session.forked_from?.session_id ? 'sibling' : undefined;
};

const useRelatives = (session: SessionResource) => {
  const { sessions } = useClient();
  const parentId = session.forked_from?.session_id;
  const { id } = session;
  return useLoaded(
    useCallback(async (): Promise<readonly Relative[]> => {
      const [{ items }, parent] = await Promise.all([
        sessions.list({ status: 'all', limit: mostLookedAt }),
        // It may be old, deleted, or not theirs to read.
        parentId === undefined ? undefined : sessions.get(parentId).catch(() => undefined),
      ]);
      const self = items.find((each) => each.id === id) ?? (await sessions.get(id));
      const all = new Map([...(parent ? [parent] : []), ...items].map((each) => [each.id, each]));
      return [...all.values()].flatMap((each) => {
        const relation = relationTo(self, each);
        return relation ? [{ session: each, relation }] : [];
      });
    }, [sessions, id, parentId]),
  );
};

type BranchesProps = { readonly session: SessionResource; readonly now: number; readonly onCompare: (sessionId: string) => void };

export const Branches = ({ session, now, onCompare }: BranchesProps) => {
  const t = useText();
  const locale = useLocale();
  const relatives = useRelatives(session);
  const [other, setOther] = useState('');
  const compareOther = (event: FormEvent): void => {
    event.preventDefault();
    if (other.trim().startsWith('ses_')) onCompare(other.trim());
  };
  return (
    <Panel title={t('branchesTitle')} hint={t('branchesHint')}>
      <LoadState loaded={relatives} />
      {relatives.data?.length === 0 ? <p className="px-1 text-sm text-ink-soft">{t('branchesNone')}</p> : null}
      {relatives.data && relatives.data.length > 0 ? (
        <Rows label={t('branchesTitle')}>
          {relatives.data.map(({ session: { id, title, updatedAt }, relation }) => (
            <Row
              key={id}
              id={id}
              title={
                <PlaceLink to={{ kind: 'session', id }} className="hover:underline">
                  {title || t('untitled')}
                </PlaceLink>
              }
              marks={<Badge>{t(relationTexts[relation])}</Badge>}
              note={formatAge(updatedAt, locale, now)}
              actions={
                <Button size="sm" onClick={() => onCompare(id)}>
                  {t('branchCompare')}
                </Button>
              }
            />
          ))}
        </Rows>
      ) : null}
      <form onSubmit={compareOther} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <Field label={t('branchOther')}>
            {(id) => <TextInput id={id} value={other} placeholder="ses_…" spellCheck={false} onChange={({ target }) => setOther(target.value)} />}
          </Field>
        </div>
        <Button type="submit" disabled={!other.trim().startsWith('ses_')} className="h-11">
          {t('checkpointCompare')}
        </Button>
      </form>
    </Panel>
  );
};
