/** Child sessions, and what is told of them while they work, as one line each. No colour in here: callers add it. */
import type { TreeEnvelope } from '@turnkeeper/client/stream/stream-tree';
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import { type LoggedEvent, outcomeEvents } from '@turnkeeper/core/session/events';
import type { SubagentBody } from '@turnkeeper/core/view/subagent';
import { callText } from './describe.ts';
import { oneLine } from './printable.ts';

export const childCells = ({ path, status, background, child_session_id, error_code }: SubagentBody): readonly string[] => [
  oneLine(path, 60),
  `${status.replaceAll('_', ' ')}${error_code === undefined ? '' : `: ${error_code}`}${background ? ' (background)' : ''}`,
  child_session_id,
];

const saidBy = (event: LoggedEvent): string | undefined => {
  switch (event.type) {
    case 'item.completed':
      return textOf(event.data.item.content) || undefined;
    case 'tool.requested':
      return `⚙ ${callText(event.data.name, event.data.input)}`;
    case 'required_action.created':
      return `? ${event.data.kind} ${event.data.request_id}`;
    default:
      return outcomeEvents.has(event.type) ? event.type.slice('turn.'.length).replaceAll('_', ' ') : undefined;
  }
};

/** What an event of a child says, behind its path; undefined where it says nothing to people. */
export const childLine = (envelope: TreeEnvelope): string | undefined => {
  const said = envelope.path === undefined ? undefined : saidBy(loggedEvent(envelope.type, envelope.created_at, envelope.data));
  return said === undefined ? undefined : `${envelope.path}  ${oneLine(said, 200)}`;
};
