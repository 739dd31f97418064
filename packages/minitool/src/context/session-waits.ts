/** What a turn waits for: a permission, an answer to questions, or a form. */
import type { MiniToolFormField } from './forms.ts';

export type SessionWaitKind = 'permission' | 'question' | 'form';

/** Who ended a wait. */
export type SessionWaitResolver = 'user' | 'minitool' | 'timeout' | 'system';

export interface SessionWaitBase {
  readonly sessionId: string;
  readonly turnId?: string;
  /** What `respondToWait` takes. */
  readonly requestId: string;
  readonly kind: SessionWaitKind;
  readonly createdAt: string;
  /** Only where the wait ends by itself. */
  readonly expiresAt?: string;
}

export interface SessionPermissionWait extends SessionWaitBase {
  readonly kind: 'permission';
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly toolTitle?: string;
  /** Only of a mini-tool's tool. */
  readonly toolSource?: { readonly type: 'builtin' | 'minitool'; readonly id?: string; readonly name?: string };
  /** It is asked each time: no answer stands for later calls. */
  readonly dangerous?: boolean;
  /** It cannot be undone. A mini-tool may deny it, never allow it: that answer is `forbidden`. */
  readonly destructive?: boolean;
}

export interface SessionQuestionWait extends SessionWaitBase {
  readonly kind: 'question';
  readonly questions: ReadonlyArray<{
    readonly question: string;
    readonly header: string;
    readonly multiSelect: boolean;
    readonly options: ReadonlyArray<{ readonly label: string; readonly description: string }>;
  }>;
}

export interface SessionFormWait extends SessionWaitBase {
  readonly kind: 'form';
  /** The mini-tool that asks. */
  readonly extensionId?: string;
  readonly form: {
    readonly title: string;
    readonly description?: string;
    readonly submitLabel?: string;
    readonly cancelLabel?: string;
    readonly fields: MiniToolFormField[];
  };
}

export type SessionWait = SessionPermissionWait | SessionQuestionWait | SessionFormWait;

export type SessionWaitResponse =
  | { readonly kind: 'permission'; readonly allow: boolean }
  /** By the `header` of each question. */
  | { readonly kind: 'question'; readonly answers: Record<string, string> }
  | { readonly kind: 'form'; readonly submitted: boolean; readonly values?: Record<string, string | number | boolean | string[]> };

export type SessionWaitRespondResult =
  | { readonly state: 'accepted'; readonly requestId: string }
  /** Somebody, or the clock, was first. */
  | { readonly state: 'stale'; readonly requestId: string; readonly resolvedBy: SessionWaitResolver }
  | { readonly state: 'not_found'; readonly requestId: string }
  | { readonly state: 'forbidden'; readonly requestId: string; readonly reason: string };

/** Milliseconds, 60,000 unless given; held to 1,000 … 600,000. */
export interface SessionWaitPollOptions {
  readonly timeoutMs?: number;
}
