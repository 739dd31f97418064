import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { Pin } from 'lucide-react';
import { formatAge } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { setPinned } from '../preferences/pinned.ts';
import { SessionMenu } from '../session/session-menu.tsx';
import { PlaceLink } from '../shell/place-link.tsx';
import { statusTexts, statusTones } from '../shell/session-status.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import { UnreadDot } from '../ui/unread-dot.tsx';

export type SessionRowProps = {
  readonly session: SessionResource;
  readonly owner: string;
  /** Where it is shown. */
  readonly space: string;
  readonly now: number;
  readonly locale: string;
  readonly pinned: boolean;
  /** Undefined: it cannot be chosen, for nothing could be done to it. */
  readonly chosen: boolean | undefined;
  readonly onChoose: (chosen: boolean) => void;
  readonly onChanged: () => void;
  readonly onError: (error: unknown) => void;
};

const quiet = 'truncate px-2 text-[13px] text-ink-soft';

type PinButtonProps = Pick<SessionRowProps, 'session' | 'pinned'> & { readonly title: string };

/** Seen where it is pinned, and else by whoever points at the row. */
const PinButton = ({ session, pinned, title }: PinButtonProps) => {
  const t = useText();
  return (
    <IconButton
      label={t(pinned ? 'unpinSession' : 'pinSession', { title })}
      aria-pressed={pinned}
      onClick={() => setPinned([session.id], !pinned)}
      className={pinned ? 'text-accent!' : 'opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-60'}
    >
      <Pin aria-hidden className={`size-4 ${pinned ? 'fill-current' : ''}`} />
    </IconButton>
  );
};

export const SessionRow = ({ session, owner, space, now, locale, pinned, chosen, onChoose, onChanged, onError }: SessionRowProps) => {
  const t = useText();
  const title = session.title || t('untitled');
  const target = session.target.name ?? session.target.id;
  return (
    <tr data-session={session.id} className={`group/row border-b border-line last:border-b-0 ${chosen ? 'bg-accent-soft/60' : 'hover:bg-sunken/60'}`}>
      <td className="w-11 pl-1.5">
        {chosen === undefined ? null : (
          <label className="grid size-10 cursor-pointer place-items-center">
            <input
              type="checkbox"
              checked={chosen}
              aria-label={t('chooseSession', { title })}
              onChange={(event) => onChoose(event.target.checked)}
              className="size-4 accent-accent"
            />
          </label>
        )}
      </td>
      <th scope="row" className="px-1 py-2.5 text-left font-normal">
        <PlaceLink to={{ kind: 'session', id: session.id }} className="group flex min-w-0 items-center gap-3 rounded-md">
          <StatusDot tone={statusTones[session.status]} />
          <span className="min-w-0">
            <span className="flex min-w-0 items-center gap-2">
              <span className="truncate text-sm font-medium group-hover:text-accent">{title}</span>
              {session.unread ? <UnreadDot /> : null}
              {session.archived ? <span className="shrink-0 rounded-full bg-sunken px-2 text-xs leading-5 text-ink-faint">{t('archived')}</span> : null}
            </span>
            <span className="block truncate text-xs text-ink-faint lg:hidden">
              {target}
              <span className="md:hidden">
                {' · '}
                {owner}
                {' · '}
                {formatAge(session.updatedAt, locale, now)}
              </span>
            </span>
            <span className="sr-only">, {t(statusTexts[session.status])}</span>
          </span>
        </PlaceLink>
      </th>
      <td className="w-9">
        <PinButton session={session} pinned={pinned} title={title} />
      </td>
      <td className={`${quiet} max-lg:hidden`}>{target}</td>
      <td className={`${quiet} max-md:hidden`}>{owner}</td>
      <td className={`${quiet} max-lg:hidden`}>{space}</td>
      <td className={`${quiet} tabular-nums max-md:hidden`}>
        <time dateTime={new Date(session.updatedAt).toISOString()}>{formatAge(session.updatedAt, locale, now)}</time>
      </td>
      <td className="w-11 pr-1">
        <SessionMenu
          session={session}
          label={t('menuOf', { title })}
          control={chosen !== undefined}
          onChanged={onChanged}
          onDeleted={onChanged}
          onError={onError}
        />
      </td>
    </tr>
  );
};
