/**
 * What a log may tell only once: that an input was accepted, that a child began and how it ended, that something was
 * published (IN1, CH7, CH8). Faults are named, with the seq.
 */
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { Logged } from './log-checker.ts';

type Told = { readonly inputs: Set<string>; readonly artifacts: Set<string>; readonly children: Map<string, 'owed' | 'open' | 'ended'> };

const childFault = (
  { children }: Told,
  event: Extract<LoggedEvent, { type: 'subagent.started' | 'subagent.updated' | 'subagent.completed' }>,
): string | undefined => {
  const { type, data } = event;
  const known = children.get(data.child_session_id);
  switch (type) {
    case 'subagent.started':
      children.set(data.child_session_id, 'open');
      return known === 'owed' ? undefined : `child ${data.child_session_id} begins, which is ${known ?? 'unknown'}`;
    case 'subagent.updated':
      return known === 'open' ? undefined : `news of child ${data.child_session_id}, which is ${known ?? 'unknown'}`;
    case 'subagent.completed':
      children.set(data.child_session_id, 'ended');
      return known === 'open' ? undefined : `child ${data.child_session_id} ends, which is ${known ?? 'unknown'}`;
  }
};

const firstTime = (known: Set<string>, id: string, what: string): string | undefined => {
  if (known.has(id)) return `${what} ${id} comes twice`;
  known.add(id);
  return undefined;
};

const faultOf = (told: Told, event: LoggedEvent): string | undefined => {
  switch (event.type) {
    case 'input.accepted':
      return firstTime(told.inputs, event.data.input_id, 'input');
    case 'artifact.published':
      return firstTime(told.artifacts, event.data.artifact_id, 'artifact');
    case 'tool.dispatched': {
      const { child_session_id: child } = event.data;
      if (child === undefined) return undefined;
      const known = told.children.has(child);
      told.children.set(child, 'owed');
      return known ? `child ${child} is asked for twice` : undefined;
    }
    case 'step.updated': {
      // One that works on a step is intended by that.
      const { child_session_id: child, status } = event.data;
      if (child !== undefined && (status === 'running' || status === 'delayed') && !told.children.has(child)) told.children.set(child, 'owed');
      return undefined;
    }
    case 'outcome.judging':
      told.children.set(event.data.child_session_id, 'owed');
      return undefined;
    case 'subagent.started':
    case 'subagent.updated':
    case 'subagent.completed':
      return childFault(told, event);
    default:
      return undefined;
  }
};

/** Names what is told twice, or of what was not; empty when nothing is. */
export const onceFaults = (log: readonly Logged[]): readonly string[] => {
  const told: Told = { inputs: new Set(), artifacts: new Set(), children: new Map() };
  return log.flatMap(({ seq, event }) => {
    const fault = faultOf(told, event);
    return fault === undefined ? [] : [`${seq} ${event.type}: ${fault}`];
  });
};
