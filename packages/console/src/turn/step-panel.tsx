import { X } from 'lucide-react';
import { useSessionAccess } from '../auth/session-access-context.ts';
import { useText } from '../i18n/use-text.ts';
import { addressOf, pageAt } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { ModelCallView } from './model-call-view.tsx';
import { kindIcons, rowName, statusLooks, statusTexts } from './row-look.ts';
import { StepFacts } from './step-facts.tsx';
import { StepLog } from './step-log.tsx';
import type { TraceRow } from './trace.ts';

type StepPanelProps = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly row: TraceRow;
  readonly query: Query;
  readonly origin: number;
  readonly now: number;
  readonly onClose: () => void;
};

const tabTexts = { facts: 'turnTabFacts', request: 'turnTabRequest', log: 'turnTabLog' } as const;
type Tab = keyof typeof tabTexts;

/** What a step was, what it told, and for those with the right what the model was shown. */
export const StepPanel = ({ sessionId, turnId, row, query, origin, now, onClose }: StepPanelProps) => {
  const t = useText();
  const { inspect } = useSessionAccess();
  const tabs: readonly Tab[] = row.call && inspect ? ['facts', 'request', 'log'] : ['facts', 'log'];
  const current = tabs.find((tab) => tab === query['tab']) ?? 'facts';
  const Icon = kindIcons[row.kind];
  const { icon: StatusIcon, tone } = statusLooks[row.status];
  const name = rowName(row, t);
  return (
    <section
      aria-label={name}
      data-panel={row.id}
      className="flex h-[min(70dvh,34rem)] shrink-0 flex-col border-t border-line bg-canvas shadow-soft 2xl:h-auto 2xl:w-[32rem] 2xl:border-t-0 2xl:border-l 2xl:shadow-none"
    >
      <div className="flex items-center gap-2 px-4 pt-2 sm:px-5">
        <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <h2 className="min-w-0 truncate text-[15px] font-semibold">{name}</h2>
        <StatusIcon aria-hidden className={`size-4 shrink-0 motion-reduce:animate-none ${tone}`} />
        <span className="shrink-0 text-[13px] text-ink-soft">{t(statusTexts[row.status])}</span>
        <IconButton label={t('turnCloseStep')} className="ml-auto" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <TabLinks
        label={t('turnStepTabs')}
        current={current}
        tabs={tabs.map((id) => ({ id, text: t(tabTexts[id]), to: pageAt('turn', { ...query, tab: id }) }))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div tabIndex={0} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-4 focus-visible:-outline-offset-2 sm:px-5">
        {current === 'facts' ? <StepFacts sessionId={sessionId} row={row} origin={origin} now={now} /> : null}
        {current === 'log' ? <StepLog events={row.events} origin={origin} /> : null}
        {current === 'request' && row.call ? <ModelCallView sessionId={sessionId} turnId={turnId} callId={row.call.id} status={row.call.status} /> : null}
        <span className="mt-auto">
          <CopyButton label={t('turnCopyStepLink')} text={new URL(addressOf(pageAt('turn', query)), location.href).href} />
        </span>
      </div>
    </section>
  );
};
