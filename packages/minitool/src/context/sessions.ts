/**
 * `ctx.sessions`: sessions that a mini-tool owns. Wants `permissions.sessions`; answering waits `permissions.sessionInteractions`.
 *
 * Whatever goes wrong is a rejected promise with a `code`, never an exception thrown at once: `permission_denied`, `invalid_argument`,
 * `not_found` (also for what belongs to somebody else), `caller_context_unavailable`, `cursor_expired`, …
 */
import type { Disposable } from './lifetime.ts';
import type { SessionBridgeEvent, SessionDurableEvent, SessionEventPage, SessionEventQuery } from './session-events.ts';
import type { SessionWait, SessionWaitPollOptions, SessionWaitRespondResult, SessionWaitResponse } from './session-waits.ts';

export type MinitoolSessionActivity = 'interactive' | 'background';
export type SessionPermissionMode = 'ask' | 'acceptCalls';

/** A session. Times are ISO 8601. */
export interface MinitoolSessionDescriptor {
  readonly sessionId: string;
  readonly owner: { readonly type: 'minitool'; readonly minitoolId: string };
  /** A container of this mini-tool, or the list of a space; the owner is the mini-tool either way. */
  readonly placement:
    | { readonly type: 'minitool'; readonly minitoolId: string; readonly containerId: string }
    | { readonly type: 'space'; readonly spaceId: string };
  readonly activity: MinitoolSessionActivity;
  readonly profileId?: string;
  /** The space whose context a session in a container runs with. */
  readonly contextSpaceId?: string;
  readonly state: { readonly pinned: boolean; readonly archived: boolean };
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What `create` gives. */
export interface CreatedSession extends MinitoolSessionDescriptor {
  /** With `externalKey`: false where the session was there already. */
  readonly created?: boolean;
}

/** What `create` gives with `initialMessage`. */
export interface CreatedSessionWithTurn extends CreatedSession {
  readonly turnId: string;
}

export type SessionMessageAttachmentKind = 'image' | 'pdf' | 'text' | 'file';

export interface SessionMessageAttachment {
  readonly name: string;
  readonly mimeType: string;
  /** The bytes as base64, strictly: no line breaks, no `data:` before it, padded. */
  readonly data: string;
  readonly kind?: SessionMessageAttachmentKind;
}

export interface SessionUserMessage {
  /** At most 100,000 characters (code points); empty only with attachments. */
  readonly text: string;
  /** At most 10; 20 MB each and together. */
  readonly attachments?: SessionMessageAttachment[];
  /** The outside platform's own id of the message, never a random one; at most 512 characters. The same key is the same turn. */
  readonly idempotencyKey: string;
  /** JSON of at most 4 KiB that every event of the turn carries: what a reply needs to find its chat. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface SessionCreateOptions {
  /** A container of the manifest. Exactly one of `containerId` and `space`. */
  readonly containerId?: string;
  readonly space?: { readonly spaceId: string };
  readonly title?: string;
  /** @deprecated Ignored: a container names its profile in the manifest. */
  readonly profileId?: string;
  /** Takes directory, model, policy and space of the session that the tool was called in; only while `execute` runs. */
  readonly context?: 'caller';
  /** `interactive` unless given. `background`: nobody is notified when it completes or waits. */
  readonly activity?: MinitoolSessionActivity;
  /** Unless given: `ask` for interactive sessions, `acceptCalls` for background ones. */
  readonly permissionMode?: SessionPermissionMode;
  /** Created with the session or not at all: a `create` that fails leaves no session behind. */
  readonly initialMessage?: SessionUserMessage;
  /** One session for each key, for instance a contact: a second `create` gives the first one's session, `created: false`. */
  readonly externalKey?: string;
}

export interface SessionListOptions {
  readonly containerId?: string;
  readonly includeArchived?: boolean;
}

export interface SessionSendOptions {
  /** Turns of a session run one after another, in the order of their messages. */
  readonly delivery?: 'queue';
}

export type SessionSendReceipt =
  | {
      readonly sessionId: string;
      readonly turnId: string;
      readonly clientMessageId: string;
      /** `duplicate`: the key was used before, this is the receipt of then. */
      readonly state: 'accepted' | 'duplicate';
      readonly queued: boolean;
      /** Running and queued turns of the session. */
      readonly pendingCount: number;
      /** Turns ahead; 0 runs or is about to. */
      readonly queuePosition?: number;
      /** A duplicate whose content is not that of then: it was not sent. */
      readonly contentDiffers?: boolean;
    }
  | {
      readonly sessionId: string;
      readonly state: 'rejected';
      readonly queued: false;
      readonly code: 'queue_full';
      readonly scope: 'session' | 'minitool';
      readonly pendingCount: number;
      readonly limit: number;
      /** Wait this long, then send again with the same key. */
      readonly retryAfterMs: number;
    };

/** Milliseconds, 60,000 unless given; held to 1,000 … 600,000. The end of a wait never ends the turn. */
export interface SessionWaitOptions {
  readonly timeoutMs?: number;
}

export type SessionTurnWaitResult =
  | {
      readonly state: 'completed';
      readonly sessionId: string;
      readonly turnId: string;
      readonly outputText: string;
      readonly messageIds: string[];
      readonly completedAt: string;
    }
  | {
      readonly state: 'failed';
      readonly sessionId: string;
      readonly turnId: string;
      readonly code: string;
      readonly retryable: boolean;
      readonly failedAt: string;
    }
  | { readonly state: 'timeout'; readonly sessionId: string; readonly turnId: string };

export interface Sessions {
  create(options: SessionCreateOptions & { readonly initialMessage: SessionUserMessage }): Promise<CreatedSessionWithTurn>;
  create(options: SessionCreateOptions): Promise<CreatedSession>;
  get(sessionId: string): Promise<MinitoolSessionDescriptor | undefined>;
  /** The newest first, as many as fit into 1 MiB. */
  list(options?: SessionListOptions): Promise<MinitoolSessionDescriptor[]>;
  send(sessionId: string, message: SessionUserMessage, options?: SessionSendOptions): Promise<SessionSendReceipt>;
  /** The exact result of one turn, at once where it has settled. */
  waitForTurn(sessionId: string, turnId: string, options?: SessionWaitOptions): Promise<SessionTurnWaitResult>;
  /** Hears all sessions while the process runs. Listeners are called in the order of each session's events. */
  onDidReceiveEvent(listener: (event: SessionBridgeEvent) => unknown): Disposable;
  /** What has happened, for what was missed; not for polling. */
  listEvents(options: SessionEventQuery): Promise<SessionEventPage>;
  listWaits(sessionId: string): Promise<SessionWait[]>;
  respondToWait(sessionId: string, requestId: string, response: SessionWaitResponse): Promise<SessionWaitRespondResult>;
  /** The wait of a session as soon as there is one; undefined when the time has passed. */
  waitForWait(sessionId: string, options?: SessionWaitPollOptions): Promise<SessionWait | undefined>;

  /**
   * Every durable event at least once, also those of a time when nothing ran: the server keeps how far a consumer has come in each
   * session. One event at a time within a session, sessions side by side; what the handler rejects comes again, later each time.
   */
  consume(name: string, handler: (event: SessionDurableEvent) => unknown): Disposable;
  /** True where the turn was ended by this. */
  cancelTurn(sessionId: string, turnId: string): Promise<boolean>;
  setPermissionMode(sessionId: string, mode: SessionPermissionMode): Promise<void>;
}
