import { useText } from '../i18n/use-text.ts';
import { unreadIn, useMinitools } from './minitools-context.ts';

/** How many sessions of this person's mini-tools have something new. It asks for nothing: it is quieter than what waits. */
export const UnreadCount = ({ className = '' }: { readonly className?: string }) => {
  const t = useText();
  const count = unreadIn(useMinitools().minitools);
  if (count === 0) return null;
  const shown = count > 99 ? '99+' : String(count);
  return (
    <span className={`flex items-center gap-1 text-xs leading-5 text-ink-soft tabular-nums ${className}`} data-unread={count}>
      <span aria-hidden className="size-2 rounded-full bg-danger" />
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{t('unreadCount', { count: shown })}</span>
    </span>
  );
};
