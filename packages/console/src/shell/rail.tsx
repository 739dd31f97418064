import { Plus } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { AccountMenu } from './account-menu.tsx';
import { addressOf, go, type Place } from './address.ts';
import { Brand } from './brand.tsx';
import { SessionList } from './session-list.tsx';
import type { SessionList as Sessions } from './use-sessions.ts';

type RailProps = {
  readonly place: Place;
  readonly list: Sessions;
  readonly archived: boolean;
  readonly onArchived: (archived: boolean) => void;
  /** Something was chosen: a drawer closes. */
  readonly onOpen: () => void;
};

const linkButton = 'rounded-lg px-3 py-1.5 text-left text-[13px] text-ink-faint transition-colors duration-150 hover:text-ink';

export const Rail = ({ place, list, archived, onArchived, onOpen }: RailProps) => {
  const t = useText();
  return (
    <nav aria-label={t('sessions')} className="flex h-full flex-col">
      <div className="flex flex-col gap-5 p-4 pb-3">
        <div className="px-2 pt-1">
          <Brand />
        </div>
        <a
          href={addressOf({ kind: 'new' })}
          aria-current={place.kind === 'new' ? 'page' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            go({ kind: 'new' });
            onOpen();
          }}
          className="flex h-10 items-center gap-2.5 rounded-xl border border-line bg-surface px-3 text-sm font-medium transition-colors duration-150 hover:border-line-strong aria-[current]:border-accent aria-[current]:text-accent"
        >
          <Plus aria-hidden className="size-4" />
          {t('newChat')}
        </a>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        <h2 className="px-3 py-2 text-xs font-medium text-ink-faint">{archived ? t('archived') : t('sessions')}</h2>
        <SessionList sessions={list.sessions} selectedId={place.kind === 'session' ? place.id : undefined} onOpen={onOpen} />
        <div className="mt-2 flex flex-col items-start">
          {list.hasMore ? (
            <button type="button" className={linkButton} onClick={list.showMore}>
              {t('olderSessions')}
            </button>
          ) : null}
          <button type="button" className={linkButton} onClick={() => onArchived(!archived)}>
            {archived ? t('hideArchived') : t('showArchived')}
          </button>
        </div>
      </div>
      <div className="border-t border-line p-3">
        <AccountMenu />
      </div>
    </nav>
  );
};
