import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { ChevronRight } from 'lucide-react';
import { formatDuration } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';

/** The events of a step, each by its time in the turn; open for all that it says. */
export const StepLog = ({ events, origin }: { readonly events: readonly Envelope[]; readonly origin: number }) => {
  const t = useText();
  if (events.length === 0) return <p className="text-sm text-ink-soft">{t('turnLogEmpty')}</p>;
  return (
    <ul data-log className="divide-y divide-line rounded-2xl border border-line bg-surface">
      {events.map(({ id, type, created_at, data }) => (
        <li key={id}>
          <details className="group">
            <summary className="flex items-baseline gap-3 px-3.5 py-1.5 text-[13px] select-none hover:bg-sunken [&::-webkit-details-marker]:hidden">
              <span className="w-16 shrink-0 text-right text-xs text-ink-faint tabular-nums">+{formatDuration(created_at - origin, t)}</span>
              <code className="min-w-0 flex-1 truncate font-mono text-[12.5px]">{type}</code>
              <ChevronRight aria-hidden className="size-3.5 shrink-0 self-center text-ink-faint transition-transform duration-150 group-open:rotate-90" />
            </summary>
            <pre className="max-h-72 overflow-auto border-t border-line bg-sunken px-3.5 py-2.5 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
              {JSON.stringify(data, null, 2)}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
};
