import type { FailedTurn } from '@turnkeeper/core/protocol/wire/overview';
import { X } from 'lucide-react';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { Rows } from '../ui/rows.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import { useNow } from '../ui/use-now.ts';
import { titleOf, turnPlace } from './turn-place.ts';

const toggleId = 'dismissed-turns';

/** The one below (or above) has the focus next; of the last one the link to what was put away, as soon as it is there. */
const focusAfter = (row: Element | null): void => {
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button');
  if (next) next.focus();
  else requestAnimationFrame(() => document.getElementById(toggleId)?.focus());
};

/** `onDismiss`: missing of one that was put away. */
type FailedLineProps = { readonly turn: FailedTurn; readonly now: number; readonly onDismiss?: () => void };

const FailedLine = ({ turn, now, onDismiss }: FailedLineProps) => {
  const t = useText();
  const locale = useLocale();
  const title = titleOf(turn, t('untitled'));
  return (
    <li data-failed={turn.turn_id} className={`flex items-start rounded-2xl${onDismiss ? ' pr-2' : ''}`}>
      <PlaceLink to={turnPlace(turn)} title={t('failedHint')} className="group flex min-w-0 flex-1 items-start gap-3 rounded-2xl px-4 py-3 hover:bg-sunken/60">
        <span className="mt-2 leading-none">
          <StatusDot tone="failed" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-3">
            <span className="min-w-0 flex-1 truncate text-sm font-medium group-hover:text-accent">{title}</span>
            <time className="shrink-0 text-xs text-ink-faint tabular-nums" dateTime={new Date(turn.ended_at).toISOString()}>
              {formatAge(turn.ended_at, locale, now)}
            </time>
          </span>
          <span className="line-clamp-2 text-[13px] leading-snug text-danger [overflow-wrap:anywhere]">
            {turn.error_message ?? (turn.status === 'timed_out' ? t('turnTimedOut') : turn.error_code)}
          </span>
        </span>
      </PlaceLink>
      {onDismiss ? (
        <IconButton
          label={t('dismissNamed', { title })}
          className="mt-2 size-8! max-sm:size-10! max-sm:mt-1"
          onClick={(event) => {
            focusAfter(event.currentTarget.closest('li'));
            onDismiss();
          }}
        >
          <X aria-hidden className="size-4" />
        </IconButton>
      ) : null}
    </li>
  );
};

type FailedTurnsProps = {
  readonly open: readonly FailedTurn[];
  readonly dismissed: readonly FailedTurn[];
  readonly showsDismissed: boolean;
  readonly onDismiss: (turnId: string) => void;
};

export const FailedTurns = ({ open, dismissed, showsDismissed, onDismiss }: FailedTurnsProps) => {
  const t = useText();
  const now = useNow(10_000);
  if (open.length + dismissed.length === 0) return null;
  const toggle = (
    <PlaceLink
      id={toggleId}
      to={pageAt('now', showsDismissed ? {} : { dismissed: '1' })}
      className="rounded-md text-[13px] text-ink-soft underline-offset-2 hover:text-accent hover:underline"
    >
      {showsDismissed ? t('hideDismissed') : t('showDismissed', { count: dismissed.length })}
    </PlaceLink>
  );
  return (
    <Panel title={t('failedTurns')} action={dismissed.length > 0 ? toggle : null}>
      {open.length === 0 ? null : (
        <Rows label={t('failedTurns')}>
          {open.map((turn) => (
            <FailedLine key={turn.turn_id} turn={turn} now={now} onDismiss={() => onDismiss(turn.turn_id)} />
          ))}
        </Rows>
      )}
      {showsDismissed && dismissed.length > 0 ? (
        <Rows label={t('dismissedTurns')}>
          {dismissed.map((turn) => (
            <FailedLine key={turn.turn_id} turn={turn} now={now} />
          ))}
        </Rows>
      ) : null}
    </Panel>
  );
};
