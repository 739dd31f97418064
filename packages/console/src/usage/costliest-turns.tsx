import type { UsageReportAnswer } from '@turnkeeper/core/protocol/wire/usage-report';
import { formatUsage } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { costText } from './cost-text.ts';

/** Where the money went: each leads to its turn. */
export const CostliestTurns = ({ turns }: { readonly turns: UsageReportAnswer['costliest'] }) => {
  const t = useText();
  const locale = useLocale();
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Panel title={t('costliestTitle')} hint={t('costliestHint')}>
      <Rows label={t('costliestTitle')}>
        {turns.map(({ session_id, session_title, turn_id, preview, at, usage }) => (
          <Row
            key={`${session_id}/${turn_id}`}
            id={turn_id}
            title={
              <PlaceLink to={pageAt('turn', { session: session_id, turn: turn_id })} className="line-clamp-2 rounded-md hover:text-accent">
                {preview || t('untitled')}
              </PlaceLink>
            }
            note={`${session_title || t('untitled')} · ${when.format(at)}`}
            actions={<span className="text-[13px] tabular-nums">{formatUsage(usage, locale, t).join(' · ') || costText(usage, locale, t)}</span>}
          />
        ))}
      </Rows>
    </Panel>
  );
};
