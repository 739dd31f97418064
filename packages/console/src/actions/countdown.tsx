import { formatClock } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { useNow } from '../ui/use-now.ts';

const soonMs = 60_000;

/** How long an action can still be answered. Not announced: it would speak every second. */
export const Countdown = ({ until }: { readonly until: number }) => {
  const t = useText();
  const left = until - useNow();
  return (
    <span role="timer" aria-live="off" className={`text-[13px] tabular-nums ${left < soonMs ? 'font-medium text-danger' : 'text-ink-faint'}`}>
      {left > 0 ? t('expiresIn', { time: formatClock(left) }) : t('hasExpired')}
    </span>
  );
};
