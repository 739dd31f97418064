/** What of a session's log is an event for its mini-tool, and how it is told. */

import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { EventData, EventType } from '@turnkeeper/core/session/events';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { App } from '../../app/app.ts';
import type { NewMinitoolEvent } from '../../ports/minitools.ts';
import { failureOf, messagesOf, saidBy } from '../sessions/turn-result.ts';
import { resolverOf, waitKindOf, waitOf } from '../sessions/wait-shape.ts';

/** Types of rows that may be told; all others are passed over unread. */
const told: ReadonlySet<string> = new Set<EventType>([
  'item.completed',
  'turn.completed',
  'turn.partial_succeeded',
  'turn.failed',
  'turn.cancelled',
  'turn.timed_out',
  'required_action.created',
  'required_action.resolved',
]);
export const isTold = (type: string): boolean => told.has(type);

/** After these there is something new for people to look at. */
export const isNews = ({ type }: Pick<NewMinitoolEvent, 'type'>): boolean => type === 'turn.completed' || type === 'turn.failed' || type === 'turn.waiting';

/** What a turn's message brought along, as its events repeat it. */
export const metadataOfTurn = async ({ sessions }: Pick<App, 'sessions'>, sid: number, turnId: string): Promise<JsonObject | undefined> => {
  const row = await sessions.store.resource(sid, turnId);
  return row?.kind === 'turn' ? metadataOf((JSON.parse(row.body) as TurnBody).metadata) : undefined;
};

type Log = { readonly sid: number; readonly sessionId: SessionId };

const metadataOf = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

/** Reads pieces of one session's log. What the turn's message brought along is read once for each turn. */
export class LogReader {
  readonly #app: Pick<App, 'sessions'>;
  readonly #log: Log;
  readonly #metadata = new Map<string, JsonObject | undefined>();

  constructor(app: Pick<App, 'sessions'>, log: Log) {
    this.#app = app;
    this.#log = log;
  }

  async eventsOf(rows: readonly LogRow[]): Promise<readonly NewMinitoolEvent[]> {
    const events: NewMinitoolEvent[] = [];
    for (const row of rows) {
      const event = isTold(row.type) ? await this.#eventOf(row) : undefined;
      if (event) events.push(event);
    }
    return events;
  }

  async #eventOf(row: LogRow): Promise<NewMinitoolEvent | undefined> {
    const data = JSON.parse(row.data) as { readonly turn_id: TurnId };
    const body = await this.#bodyOf(row, data);
    if (!body) return undefined;
    const { type, ...more } = body;
    const { sessionId } = this.#log;
    const metadata = await this.#metadataOf(data.turn_id);
    const whole = { type, sessionId, turnId: data.turn_id, ...more, createdAt: new Date(row.at).toISOString(), ...(metadata ? { metadata } : {}) };
    return { sessionId, type, body: JSON.stringify(whole), at: row.at };
  }

  async #bodyOf({ type, at }: LogRow, data: unknown): Promise<({ readonly type: string } & JsonObject) | undefined> {
    switch (type as EventType) {
      case 'item.completed': {
        const { item } = data as EventData<'item.completed'>;
        const text = saidBy(item);
        return text === undefined ? undefined : { type: 'assistant.message', messageId: item.id, text };
      }
      case 'turn.completed':
      case 'turn.partial_succeeded': {
        const { turn_id, output_text } = data as EventData<'turn.completed'>;
        return { type: 'turn.completed', outputText: output_text, messageIds: await messagesOf(this.#app, this.#log.sid, turn_id) };
      }
      case 'turn.failed':
      case 'turn.cancelled':
      case 'turn.timed_out': {
        const { error_code, retryable } = data as Partial<EventData<'turn.failed'>>;
        const failure = failureOf(type.slice('turn.'.length), error_code, retryable);
        return failure && { type: 'turn.failed', ...failure };
      }
      case 'required_action.created': {
        const action: ActionBody = { ...(data as EventData<'required_action.created'>), status: 'open', created_at: at };
        const wait = waitOf(this.#log.sessionId, action);
        return wait && { type: 'turn.waiting', reason: wait.kind, requestId: wait.requestId, wait: wait as unknown as JsonObject };
      }
      case 'required_action.resolved': {
        const { kind, request_id, resolution, resolved_by } = data as EventData<'required_action.resolved'>;
        if (!waitKindOf(kind)) return undefined;
        return { type: 'turn.wait_resolved', requestId: request_id, resolvedBy: resolverOf(resolution, resolved_by) };
      }
      default:
        return undefined;
    }
  }

  async #metadataOf(turnId: string): Promise<JsonObject | undefined> {
    if (this.#metadata.has(turnId)) return this.#metadata.get(turnId);
    const metadata = await metadataOfTurn(this.#app, this.#log.sid, turnId);
    this.#metadata.set(turnId, metadata);
    return metadata;
  }
}
