/** The agent of a test: a script that says what an agent would say. */
import type { MiniToolFormResult } from '../context/forms.ts';
import type { SessionFormWait, SessionPermissionWait, SessionQuestionWait } from '../context/session-waits.ts';
import type { SessionPermissionMode } from '../context/sessions.ts';
import type { ToolResult } from '../context/tools.ts';

export type KitAttachment = { readonly name: string; readonly mimeType: string; readonly kind?: string; readonly bytes: Uint8Array };

/** One turn, as the script plays it. Whatever waits ends with a rejection when the turn is cancelled. */
export interface KitTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** Which turn of its session it is, from 1. */
  readonly number: number;
  readonly text: string;
  readonly attachments: readonly KitAttachment[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly permissionMode: SessionPermissionMode;
  readonly signal: AbortSignal;
  /** A message, told as one delta and then as a whole. */
  say(text: string): void;
  /** Asks as a tool would: at once true in mode `acceptCalls`, but for what is `destructive`. False where it was denied. */
  askPermission(
    asked: Pick<SessionPermissionWait, 'toolName'> & Partial<Pick<SessionPermissionWait, 'toolInput' | 'toolTitle' | 'dangerous' | 'destructive'>>,
  ): Promise<boolean>;
  /** Answers by header. */
  askQuestions(questions: SessionQuestionWait['questions']): Promise<Readonly<Record<string, string>>>;
  askForm(form: SessionFormWait['form']): Promise<Pick<MiniToolFormResult, 'submitted' | 'values'>>;
  /** Calls a tool of the mini-tool in this session. */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Until the kit's clock has been moved so far. */
  sleep(ms: number): Promise<void>;
  /** Ends the turn as failed. */
  fail(code: string, retryable?: boolean): never;
}

/** A text that it gives, or a promise of one, is said as the last message; with anything else nothing more is said. */
export type KitAgent = (turn: KitTurn) => unknown;

/** Repeats what it is told. */
export const echo: KitAgent = ({ text }) => `You said: ${text}`;

/** How a script ends its turn as failed. */
export class TurnFailed extends Error {
  override readonly name = 'TurnFailed';
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, retryable: boolean) {
    super(`the turn failed: ${code}`);
    this.code = code;
    this.retryable = retryable;
  }
}
