/**
 * What `ctx.notifications.onDidPost` tells a mini-tool: that a turn of one of its sessions is done, waits or has failed.
 *
 * NT1 Only of its own interactive sessions: a background one, and a child, notifies nobody. What was cancelled is no news to anybody.
 * NT2 What was said is not in it: which session, what it is called, and what became of its turn.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { LoggedEvent, SessionEvent } from '@turnkeeper/core/session/events';
import { isChild } from '../app/is-child.ts';
import type { SessionNews } from '../ports/telemetry.ts';

const kinds: Readonly<Partial<Record<SessionEvent['type'], 'background-done' | 'waiting' | 'error'>>> = {
  'turn.completed': 'background-done',
  'turn.partial_succeeded': 'background-done',
  'turn.requires_action': 'waiting',
  'turn.failed': 'error',
  'turn.timed_out': 'error',
  'turn.interrupted': 'error',
};

/** Undefined where there is nothing to notify of. */
export const notificationOf = (id: string, { row, config }: SessionNews['session'], event: LoggedEvent): JsonObject | undefined => {
  const kind = kinds[event.type];
  if (kind === undefined || isChild(row) || config.minitool?.activity !== 'interactive') return undefined;
  return { id, kind, createdAt: new Date(event.at).toISOString(), sessionId: row.id, title: row.title };
};
