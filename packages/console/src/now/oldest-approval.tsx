import { useState } from 'react';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { useApprovals } from '../approvals/approvals-context.ts';
import { inOrder } from '../approvals/queue-order.ts';
import { useText } from '../i18n/use-text.ts';
import { go } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Panel } from '../ui/panel.tsx';
import { useKeys } from '../ui/use-keys.ts';

/** What has waited longest, to be answered right here. */
export const OldestApproval = () => {
  const t = useText();
  const { open = [], hasMore, store } = useApprovals();
  const [later, setLater] = useState<readonly string[]>([]);
  const [action] = inOrder(open, later);
  const putOff = (id: string): void => setLater((before) => [...before.filter((known) => known !== id), id]);
  useKeys(
    action
      ? {
          l: { text: t('keyLater'), act: () => putOff(action.request_id) },
          o: { text: t('keyWaiting'), act: () => go({ kind: 'session', id: action.session_id }) },
        }
      : {},
  );
  if (!action) return null;
  const all = (
    <PlaceLink
      to={{ kind: 'approvals', action: action.request_id }}
      className="rounded-md text-[13px] text-ink-soft underline-offset-2 hover:text-accent hover:underline"
    >
      {t('allWaiting', { count: `${open.length}${hasMore ? '+' : ''}` })}
    </PlaceLink>
  );
  return (
    <Panel title={t('oldestApproval')} action={open.length > 1 ? all : null}>
      <ApprovalCard
        key={action.request_id}
        action={action}
        selected
        putOff={later.includes(action.request_id)}
        onSelect={() => {}}
        onLater={() => putOff(action.request_id)}
        onAnswered={() => store.answered(action.request_id)}
      />
    </Panel>
  );
};
