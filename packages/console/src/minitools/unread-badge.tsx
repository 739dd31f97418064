import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';

/** How many sessions have something new, beside what keeps them. */
export const UnreadBadge = ({ count }: { readonly count: number }) => {
  const t = useText();
  return count === 0 ? null : <Badge tone="danger">{t('unreadCount', { count })}</Badge>;
};
