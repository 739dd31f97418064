/**
 * What the parts of the service answer to mini-tools, and what the host of their processes gives those parts.
 *
 * HM1 A handler is asked only what the manifest allows and what fits the schema of the message (requests/); which session, key or
 *     name is the mini-tool's own it decides itself, by `minitool.id`: ids in the parameters prove nothing.
 * HM2 `call` is there only while that run of a tool goes on, and only where the message carried its token.
 */

import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { Manifest } from '@turnkeeper/minitool/manifest/schema';
import type { HostRequests, ToolNotices, ToolRequests, WireFailure } from '@turnkeeper/minitool/protocol';
import type { MinitoolRow } from '../ports/minitools.ts';
import type { ToolRun } from '../ports/tool.ts';

/** A mini-tool whose process runs, while one of its requests is answered. */
export type AskingMinitool = {
  readonly id: string;
  /** For people: the manifest's `name`. */
  readonly name: string;
  readonly row: MinitoolRow;
  readonly manifest: Manifest;
  /** Absolute; the process may read and write them. Attachments wait in `outboxPath`. */
  readonly storagePath: string;
  readonly outboxPath: string;
  /** Aborts when the process takes the request back or ends: whoever waits for long stops then. */
  readonly signal: AbortSignal;
  /** Into the mini-tool's own log. */
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
};

/** A run of a tool that is under way. */
export type CallInProgress = {
  readonly token: string;
  readonly minitoolId: string;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly callId: string;
  /** Aborts when the call is cancelled, times out or has its answer. */
  readonly signal: AbortSignal;
  /** Puts a form to the people of its session. */
  readonly ask: ToolRun['ask'];
};

type Answered =
  | 'sessions.call'
  | `storage.${'get' | 'set' | 'delete' | 'clear' | 'keys'}`
  | `secrets.${'get' | 'set' | 'delete'}`
  | 'form.request'
  | `consume.${'begin' | 'end'}`
  | 'webhooks.begin'
  | 'schedules.begin';

/** One function for each request that the host does not answer itself. One that throws a `MinitoolFailure` or a `TurnkeeperError` answers with its code. */
export type HostApi = {
  readonly [Method in Answered]: (minitool: AskingMinitool, params: HostRequests[Method][0], call?: CallInProgress) => Promise<HostRequests[Method][1]>;
};

/** A refusal that the mini-tool gets as an error with this `code`. */
export class MinitoolFailure extends Error {
  override readonly name = 'MinitoolFailure';
  readonly code: WireFailure['code'];
  readonly details: JsonObject | undefined;

  constructor(code: WireFailure['code'], message: string, details?: JsonObject) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The mini-tool does not run here now: whoever wanted to tell it something tries again once it has been activated. */
export class MinitoolDown extends Error {
  override readonly name = 'MinitoolDown';
}

/** What is handed over until the mini-tool has dealt with it: it rejects with the mini-tool's own failure, or with `MinitoolDown`. */
export type Delivered = 'consume.deliver' | 'webhooks.deliver' | 'schedules.fire';

/** The running mini-tools, as the parts that answer them see them. */
export interface RunningMinitools {
  /** Ids of those that are activated on this node. */
  running(): readonly string[];
  /** Best effort and in order; nothing where it does not run, or has not subscribed to what this is. */
  tell<Notice extends keyof ToolNotices>(minitoolId: string, notice: Notice, body: ToolNotices[Notice]): void;
  deliver<Method extends Delivered>(minitoolId: string, method: Method, params: ToolRequests[Method][0], signal?: AbortSignal): Promise<void>;
  /** `activate` has answered, the first time and after each restart. The function takes the listener back. */
  onActivated(listener: (minitoolId: string) => void): () => void;
  /** Its process has ended, for whatever reason. */
  onEnded(listener: (minitoolId: string) => void): () => void;
}
