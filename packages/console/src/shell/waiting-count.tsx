import { useApprovals } from '../approvals/approvals-context.ts';
import { useText } from '../i18n/use-text.ts';

/** How much waits for this person; more than are read at once is "100+". */
export const WaitingCount = ({ className = '' }: { readonly className?: string }) => {
  const t = useText();
  const { open = [], hasMore } = useApprovals();
  if (open.length === 0) return null;
  const count = `${open.length}${hasMore ? '+' : ''}`;
  return (
    <span className={`rounded-full bg-warn px-1.5 text-center text-xs leading-5 font-semibold text-surface tabular-nums ${className}`} data-waiting={count}>
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t('waitingCount', { count })}</span>
    </span>
  );
};
