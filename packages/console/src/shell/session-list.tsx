import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { formatWhen } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { StatusDot } from '../ui/status-dot.tsx';
import { addressOf, go } from './address.ts';

const tones = { idle: 'idle', running: 'running', requires_action: 'waiting' } as const;
const statusTexts = { idle: 'statusIdle', running: 'statusRunning', requires_action: 'statusWaiting' } as const;

type RowProps = { readonly session: SessionResource; readonly selected: boolean; readonly onOpen: () => void };

const SessionRow = ({ session, selected, onOpen }: RowProps) => {
  const t = useText();
  const locale = useLocale();
  const place = { kind: 'session', id: session.id } as const;
  return (
    <a
      href={addressOf(place)}
      aria-current={selected ? 'page' : undefined}
      onClick={(event) => {
        // With a modifier the browser opens a new tab: that is a link's own right.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(place);
        onOpen();
      }}
      className={`flex items-center gap-3 rounded-xl px-3 py-2.5 transition-colors duration-150 ${selected ? 'bg-accent-soft text-ink' : 'text-ink-soft hover:bg-sunken hover:text-ink'}`}
    >
      <StatusDot tone={tones[session.status]} />
      <span className="sr-only">{t(statusTexts[session.status])}</span>
      <span className={`min-w-0 flex-1 truncate text-sm ${selected ? 'font-medium' : ''}`}>{session.title || t('untitled')}</span>
      <time className="shrink-0 text-xs text-ink-faint tabular-nums">{formatWhen(session.updatedAt, locale, Date.now())}</time>
    </a>
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
