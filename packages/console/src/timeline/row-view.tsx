import { memo } from 'react';
import { ActionCard } from '../actions/action-card.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { OutboxMessage } from './outbox-message.tsx';
import { QueuedTurn } from './queued-turn.tsx';
import { type EntryRow, type Row, sameRow } from './rows.ts';
import { SteerMessage } from './steer-message.tsx';
import { ToolCard } from './tool-card.tsx';
import { TurnEnd } from './turn-end.tsx';
import { UserMessage } from './user-message.tsx';

type RowViewProps = { readonly sessionId: string; readonly isChild: boolean; readonly row: Row };

const Entry = ({ sessionId, row: { entry, steer, settled } }: { readonly sessionId: string; readonly row: EntryRow }) => {
  switch (entry.kind) {
    case 'message':
      return entry.item.item.role === 'user' ? <UserMessage sessionId={sessionId} item={entry.item} steer={steer} /> : <AssistantMessage item={entry.item} />;
    case 'tool':
      return <ToolCard sessionId={sessionId} entry={entry} settled={settled} />;
    case 'action':
      return <ActionCard sessionId={sessionId} action={entry.action} />;
  }
};

const View = ({ sessionId, isChild, row }: RowViewProps) => {
  switch (row.kind) {
    case 'entry':
      return <Entry sessionId={sessionId} row={row} />;
    case 'steer':
      return <SteerMessage input={row.input} />;
    case 'end':
      return <TurnEnd sessionId={sessionId} row={row} isChild={isChild} />;
    case 'queued':
      return <QueuedTurn sessionId={sessionId} turn={row.turn} position={row.position} queue={row.queue} live={row.live} />;
    case 'outbox':
      return <OutboxMessage message={row.message} />;
  }
};

/** Drawn anew only when something in it has changed: while an answer streams, that is one row of many. */
export const RowView = memo(View, (a, b) => a.sessionId === b.sessionId && a.isChild === b.isChild && sameRow(a.row, b.row));
