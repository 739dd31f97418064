import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { formatWhen } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { StatusDot } from '../ui/status-dot.tsx';
import { PlaceLink } from './place-link.tsx';
import { statusTexts, statusTones } from './session-status.ts';

type RowProps = { readonly session: SessionResource; readonly selected: boolean; readonly onOpen: () => void };

const SessionRow = ({ session, selected, onOpen }: RowProps) => {
  const t = useText();
  const locale = useLocale();
  return (
    <PlaceLink
      to={{ kind: 'session', id: session.id }}
      aria-current={selected ? 'page' : undefined}
      onOpen={onOpen}
      className={`flex items-center gap-3 rounded-xl px-3 py-2 transition-colors duration-150 ${selected ? 'bg-accent-soft text-ink' : 'text-ink-soft hover:bg-sunken hover:text-ink'}`}
    >
      <StatusDot tone={statusTones[session.status]} />
      <span className="sr-only">{t(statusTexts[session.status])}</span>
      <span className={`min-w-0 flex-1 truncate text-sm ${selected ? 'font-medium' : ''}`}>{session.title || t('untitled')}</span>
      <time className={`shrink-0 text-xs tabular-nums ${selected ? 'text-ink-soft' : 'text-ink-faint'}`}>
        {formatWhen(session.updatedAt, locale, Date.now())}
      </time>
    </PlaceLink>
  );
};

type SessionListProps = { readonly sessions: readonly SessionResource[] | undefined; readonly selectedId: string | undefined; readonly onOpen: () => void };

export const SessionList = ({ sessions, selectedId, onOpen }: SessionListProps) => {
  const t = useText();
  if (sessions === undefined) return null;
  if (sessions.length === 0) return <p className="px-3 py-2 text-sm text-ink-faint">{t('noSessions')}</p>;
  return (
    <ul className="flex flex-col gap-0.5">
      {sessions.map((session) => (
        <li key={session.id}>
          <SessionRow session={session} selected={session.id === selectedId} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
};
