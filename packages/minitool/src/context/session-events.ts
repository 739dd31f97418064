/** What happens in the sessions of a mini-tool. */
import type { SessionWait, SessionWaitKind, SessionWaitResolver } from './session-waits.ts';

/** What every event says. `metadata` is that of the message which began the turn. */
interface EventBase {
  readonly sessionId: string;
  readonly turnId: string;
  readonly createdAt: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
/** Kept for 7 days, at most 10,000 of a mini-tool. `sequence` grows by mini-tool and is the cursor of `listEvents`. */
interface DurableBase extends EventBase {
  readonly sequence: number;
}

export type SessionDurableEvent =
  | (DurableBase & { readonly type: 'assistant.message'; readonly messageId: string; readonly text: string })
  | (DurableBase & { readonly type: 'turn.completed'; readonly outputText: string; readonly messageIds: string[] })
  | (DurableBase & { readonly type: 'turn.failed'; readonly code: string; readonly retryable: boolean })
  | (DurableBase & { readonly type: 'turn.waiting'; readonly reason: SessionWaitKind; readonly requestId: string; readonly wait: SessionWait })
  | (DurableBase & { readonly type: 'turn.wait_resolved'; readonly requestId: string; readonly resolvedBy: SessionWaitResolver });

export type SessionBridgeEvent =
  | SessionDurableEvent
  /** Live only: `listEvents` never has it. */
  | (EventBase & { readonly type: 'assistant.delta'; readonly messageId: string; readonly delta: string });

export interface SessionEventQuery {
  readonly sessionId: string;
  /** A `sequence`; what comes after it is given. */
  readonly after?: number;
  readonly limit?: number;
}

export interface SessionEventPage {
  readonly events: SessionDurableEvent[];
  readonly nextCursor?: number;
}
