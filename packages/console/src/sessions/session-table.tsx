import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useEffect, useRef } from 'react';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { useNow } from '../ui/use-now.ts';
import { SessionRow, type SessionRowProps } from './session-row.tsx';

type SessionTableProps = Pick<SessionRowProps, 'onChanged' | 'onError'> & {
  readonly sessions: readonly SessionResource[];
  readonly ownerOf: (session: SessionResource) => string;
  readonly mayControl: (session: SessionResource) => boolean;
  readonly chosen: ReadonlySet<string>;
  /** Ids of those that are kept at hand. */
  readonly pins: readonly string[];
  readonly onChoose: (ids: readonly string[], chosen: boolean) => void;
};

const head = 'px-2 py-2 text-left text-xs font-medium text-ink-faint';

/** All, none or some of those that may be chosen. */
const ChooseAll = ({ ids, chosen, onChoose }: { readonly ids: readonly string[] } & Pick<SessionTableProps, 'chosen' | 'onChoose'>) => {
  const t = useText();
  const ref = useRef<HTMLInputElement>(null);
  const count = ids.filter((id) => chosen.has(id)).length;
  const some = count > 0 && count < ids.length;
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = some;
  }, [some]);
  if (ids.length === 0) return null;
  return (
    <label className="grid size-10 cursor-pointer place-items-center">
      <input
        ref={ref}
        type="checkbox"
        checked={count === ids.length}
        aria-label={t('chooseAll')}
        onChange={(event) => onChoose(ids, event.target.checked)}
        className="size-4 accent-accent"
      />
    </label>
  );
};

export const SessionTable = ({ sessions, ownerOf, mayControl, chosen, pins, onChoose, onChanged, onError }: SessionTableProps) => {
  const t = useText();
  const locale = useLocale();
  const now = useNow(10_000);
  const choosable = sessions.filter(mayControl).map(({ id }) => id);
  return (
    <div className="rounded-2xl border border-line bg-surface">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{t('sessions')}</caption>
        <thead className="border-b border-line">
          <tr>
            <td className="w-11 pl-1.5">
              <ChooseAll ids={choosable} chosen={chosen} onChoose={onChoose} />
            </td>
            <th scope="col" className={`${head} px-1`}>
              {t('titleLabel')}
            </th>
            <td className="w-9" />
            <th scope="col" className={`${head} w-40 max-lg:hidden`}>
              {t('columnTarget')}
            </th>
            <th scope="col" className={`${head} w-32 max-md:hidden`}>
              {t('columnOwner')}
            </th>
            <th scope="col" className={`${head} w-28 max-lg:hidden`}>
              {t('columnSpace')}
            </th>
            <th scope="col" className={`${head} w-28 max-md:hidden`}>
              {t('columnAge')}
            </th>
            <td className="w-11" />
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              owner={ownerOf(session)}
              space={session.placement.id}
              now={now}
              locale={locale}
              pinned={pins.includes(session.id)}
              chosen={mayControl(session) ? chosen.has(session.id) : undefined}
              onChoose={(isChosen) => onChoose([session.id], isChosen)}
              onChanged={onChanged}
              onError={onError}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};
