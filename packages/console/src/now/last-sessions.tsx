import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go } from '../shell/address.ts';
import { SessionList } from '../shell/session-list.tsx';
import { Panel } from '../ui/panel.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useLoaded } from '../ui/use-loaded.ts';

const shown = 3;

/** One's own sessions that moved last. */
export const LastSessions = () => {
  const t = useText();
  const { sessions } = useClient();
  const read = useCallback(() => sessions.list({ owner: 'me', order: 'updated', limit: shown }), [sessions]);
  const items = useLoaded(read, 10_000).data?.items ?? [];
  const [last] = items;
  useKeys(last ? { r: { text: t('keyLast'), act: () => go({ kind: 'session', id: last.id }) } } : {});
  if (items.length === 0) return null;
  return (
    <Panel title={t('lastSessions')}>
      <div className="rounded-2xl border border-line bg-surface p-1.5">
        <SessionList sessions={items} selectedId={undefined} onOpen={() => {}} />
      </div>
    </Panel>
  );
};
