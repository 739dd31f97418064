import type { ConnectionState } from '@turnkeeper/client/stream/connection-state';
import { useText } from '../i18n/use-text.ts';

/** Says nothing loud while all is well. A cut is shown after a moment: most are mended before anybody could read it. */
export const ConnectionBadge = ({ connection }: { readonly connection: ConnectionState }) => {
  const t = useText();
  const pill = 'inline-flex shrink-0 items-center gap-1.5 rounded-full px-2.5 py-1 text-xs';
  switch (connection.kind) {
    case 'live':
      return (
        <span className={`${pill} text-ink-faint`} data-connection="live">
          <span aria-hidden className="size-1.5 rounded-full bg-ok" />
          <span className="max-sm:sr-only">{t('live')}</span>
        </span>
      );
    case 'connecting':
      return (
        <span className={`${pill} animate-late text-ink-faint`} data-connection="connecting">
          {t('connecting')}
        </span>
      );
    case 'reconnecting':
      return (
        <span role="status" title={t('reconnectingHint')} className={`${pill} animate-late bg-warn-soft text-warn`} data-connection="reconnecting">
          <span aria-hidden className="size-1.5 animate-breathe rounded-full bg-warn" />
          <span className="max-sm:sr-only">{t('reconnecting')}</span>
        </span>
      );
    case 'closed':
      return (
        <span className={`${pill} text-ink-faint`} data-connection="closed">
          {t('disconnected')}
        </span>
      );
  }
};
