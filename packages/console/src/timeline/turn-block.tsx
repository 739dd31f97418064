import { isSettled } from '@turnkeeper/client/stream/turn-outcome';
import type { TimelineEntry, TimelineTurn } from '@turnkeeper/client/view/timeline';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { memo } from 'react';
import { ActionCard } from '../actions/action-card.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { InterruptedNotice } from './interrupted-notice.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import { sameTurn } from './same-turn.ts';
import { ToolCard } from './tool-card.tsx';
import { UserMessage } from './user-message.tsx';
import { Working } from './working.tsx';

type TurnBlockProps = {
  readonly sessionId: string;
  readonly entry: TimelineTurn;
  readonly isNewest: boolean;
  /** Far above: the browser may leave out drawing it while it is not looked at. */
  readonly skippable: boolean;
};

const Entry = ({ sessionId, entry }: { readonly sessionId: string; readonly entry: TimelineEntry }) => {
  switch (entry.kind) {
    case 'message':
      return entry.item.item.role === 'user' ? <UserMessage item={entry.item} /> : <AssistantMessage item={entry.item} />;
    case 'tool':
      return <ToolCard sessionId={sessionId} entry={entry} />;
    case 'action':
      return <ActionCard sessionId={sessionId} action={entry.action} />;
  }
};

/** Nothing moves on the screen though the turn runs: say that it does. */
const showsWorking = (turn: TurnBody | undefined, entries: readonly TimelineEntry[]): boolean => {
  if (!turn || (turn.status !== 'running' && turn.status !== 'queued')) return false;
  const last = entries.at(-1);
  if (last?.kind === 'message' && last.item.item.role === 'assistant') return last.item.item.status !== 'in_progress';
  return !(last?.kind === 'tool' && last.tool?.status === 'running');
};

const Turn = ({ sessionId, entry: { turn, entries }, isNewest, skippable }: TurnBlockProps) => (
  <article
    className={`flex flex-col gap-4 ${skippable ? '[contain-intrinsic-size:auto_300px] [content-visibility:auto]' : ''}`}
    data-turn-status={turn?.status}
  >
    {entries.map((entry) => (
      <Entry key={entry.key} sessionId={sessionId} entry={entry} />
    ))}
    {showsWorking(turn, entries) && turn ? <Working turn={turn} /> : null}
    {turn?.status === 'interrupted' ? <InterruptedNotice sessionId={sessionId} turn={turn} entries={entries} /> : null}
    {turn && isSettled(turn.status) ? <OutcomeLine sessionId={sessionId} turn={turn} entries={entries} canResume={isNewest} /> : null}
  </article>
);

/** Drawn anew only when something in it has changed: while an answer streams, that is one turn of many. */
export const TurnBlock = memo(
  Turn,
  (a, b) => a.isNewest === b.isNewest && a.skippable === b.skippable && a.sessionId === b.sessionId && sameTurn(a.entry, b.entry),
);
