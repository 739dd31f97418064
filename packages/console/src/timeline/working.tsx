import type { TurnBody } from '@turnkeeper/core/view/turn';
import { useText } from '../i18n/use-text.ts';

/** The turn runs and has nothing to show yet. */
export const Working = ({ turn }: { readonly turn: TurnBody }) => {
  const t = useText();
  const again = turn.status === 'queued' && (turn.reason === 'recovered' || turn.reason === 'handed_over');
  return (
    <p className="flex animate-late items-center gap-2.5 text-sm text-ink-faint">
      <span aria-hidden className="flex gap-1">
        {[0, 0.2, 0.4].map((delay) => (
          <span key={delay} className="size-1.5 animate-breathe rounded-full bg-accent" style={{ animationDelay: `${delay}s` }} />
        ))}
      </span>
      {again ? t('thinkingAgain') : t('working')}
    </p>
  );
};
