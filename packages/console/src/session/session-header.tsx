import type { ConnectionState } from '@turnkeeper/client/stream/connection-state';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { UsageBody } from '@turnkeeper/core/view/usage';
import type { ReactNode } from 'react';
import { formatUsage } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { ConnectionBadge } from './connection-badge.tsx';

type SessionHeaderProps = {
  readonly menuButton: ReactNode;
  readonly session: SessionResource | undefined;
  /** Of a child: the session that it is read below. */
  readonly parentId: string | undefined;
  readonly usage: UsageBody | undefined;
  readonly connection: ConnectionState;
  readonly menu: ReactNode;
};

export const SessionHeader = ({ menuButton, session, parentId, usage, connection, menu }: SessionHeaderProps) => {
  const t = useText();
  const locale = useLocale();
  const spent = usage ? formatUsage(usage, locale, t).join(' · ') : '';
  const target = session?.target;
  return (
    <header className="flex h-16 shrink-0 items-center gap-2 border-b border-line px-4 sm:px-6">
      {menuButton}
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-[15px] leading-tight font-semibold">{session ? session.title || session.path || t('untitled') : ' '}</h1>
        <p className="truncate text-[13px] leading-snug text-ink-faint">
          {target ? (target.name ?? target.id) : ' '}
          {target?.model ? ` · ${target.model}` : ''}
          {parentId === undefined ? null : (
            <>
              {' · '}
              <PlaceLink to={{ kind: 'session', id: parentId }} className="underline underline-offset-2">
                {t('openParent')}
              </PlaceLink>
            </>
          )}
          {session?.imported ? ` · ${t('importedMark')}` : null}
          {session?.forked_from ? (
            <>
              {' · '}
              <PlaceLink to={{ kind: 'session', id: session.forked_from.session_id }} className="underline underline-offset-2">
                {t('forkedFrom')}
              </PlaceLink>
            </>
          ) : null}
        </p>
      </div>
      {spent === '' ? null : (
        <span title={t('spentSoFar')} className="shrink-0 text-xs text-ink-faint tabular-nums max-lg:hidden">
          {spent}
        </span>
      )}
      <ConnectionBadge connection={connection} />
      {menu}
    </header>
  );
};
