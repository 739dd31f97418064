import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { go } from '../shell/address.ts';
import { Notice } from '../ui/notice.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { ApprovalCard, approvalCardId } from './approval-card.tsx';
import { useApprovals } from './approvals-context.ts';
import { EmptyQueue } from './empty-queue.tsx';
import { GoneLine } from './gone-line.tsx';
import { inOrder, neighbour, successor } from './queue-order.ts';

type ApprovalsQueueProps = { readonly selectedId: string | undefined };

const focusCard = (id: string): void => {
  const card = document.getElementById(approvalCardId(id));
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest' });
};

const select = (id: string | undefined): void => go(id === undefined ? { kind: 'approvals' } : { kind: 'approvals', action: id }, { replace: true });

/** The first thing in the card to write into or to press. */
const enterCard = (id: string): void =>
  document.getElementById(approvalCardId(id))?.querySelector<HTMLElement>('[data-action] :is(input, textarea, button):not(:disabled)')?.focus();

/** Which one the keys act on, and moving to another. What is chosen stands in the address. */
const useQueue = (open: readonly OpenAction[], wantedId: string | undefined) => {
  const [later, setLater] = useState<readonly string[]>([]);
  const order = inOrder(open, later);
  const selectedId = (order.find(({ request_id }) => request_id === wantedId) ?? order[0])?.request_id;
  /** Moves on when the card is there. */
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current === undefined || next.current !== selectedId) return;
    focusCard(next.current);
    next.current = undefined;
  });
  const moveTo = (id: string | undefined): void => {
    next.current = id;
    select(id);
  };
  return {
    order,
    later,
    selectedId,
    moveTo,
    move: (by: 1 | -1) => moveTo(neighbour(order, selectedId, by)),
    leave: (id: string) => moveTo(successor(order, id)),
    putOff: (id: string) => {
      moveTo(successor(order, id));
      setLater((before) => [...before.filter((known) => known !== id), id]);
    },
  };
};

export const ApprovalsQueue = ({ selectedId: wantedId }: ApprovalsQueueProps) => {
  const t = useText();
  const { open, hasMore, gone, fault, store } = useApprovals();
  const queue = useQueue(open ?? [], wantedId);
  const { order, selectedId } = queue;
  /** What a question was asked back about. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  const withSelected = (act: (id: string) => void) => () => {
    if (selectedId !== undefined) act(selectedId);
  };
  const down = (): void => queue.move(1);
  const up = (): void => queue.move(-1);
  const openSession = withSelected((id) => {
    const sessionId = order.find(({ request_id }) => request_id === id)?.session_id;
    if (sessionId) go({ kind: 'session', id: sessionId });
  });
  useKeys(
    {
      j: { text: t('keyNext'), act: down },
      ArrowDown: { text: t('keyNext'), act: down },
      k: { text: t('keyPrevious'), act: up },
      ArrowUp: { text: t('keyPrevious'), act: up },
      l: { text: t('later'), act: withSelected(queue.putOff) },
      o: { text: t('keyWaiting'), act: openSession },
      i: { text: t('keyEnterCard'), act: withSelected(enterCard) },
    },
    order.length > 0,
  );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col gap-4 px-3 py-5 sm:px-6 sm:py-8">
        {fault === undefined ? null : <Notice tone="danger">{fault.message}</Notice>}
        <ul aria-live="polite" aria-label={t('answeredElsewhere')} className={gone.length === 0 ? 'sr-only' : 'flex flex-col gap-2'}>
          {gone.map((entry) => (
            <GoneLine key={entry.action.request_id} gone={entry} onDismiss={() => store.dismiss(entry.action.request_id)} />
          ))}
        </ul>
        {order.map((action) => (
          <ApprovalCard
            key={action.request_id}
            action={action}
            selected={action.request_id === selectedId}
            putOff={queue.later.includes(action.request_id)}
            asked={asked.includes(action.request_id)}
            onSelect={() => {
              if (action.request_id !== selectedId) select(action.request_id);
            }}
            onLater={() => queue.putOff(action.request_id)}
            onAsked={() => {
              setAsked((before) => [...before, action.request_id]);
              queue.putOff(action.request_id);
            }}
            onAnswered={() => {
              queue.leave(action.request_id);
              store.answered(action.request_id);
            }}
          />
        ))}
        {hasMore ? <p className="text-center text-[13px] text-ink-faint">{t('moreWait', { count: order.length })}</p> : null}
        {open !== undefined && order.length === 0 ? <EmptyQueue /> : null}
      </div>
    </div>
  );
};
