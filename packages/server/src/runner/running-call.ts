/** A call of a held session while it runs here: what it is, and what it needs of the run. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import type { Tool } from '../ports/tool.ts';
import type { FormTerms } from './call-forms.ts';
import type { LostCalls } from './lost-calls.ts';
import type { StepReport } from './model-step.ts';
import type { RunServices } from './run-services.ts';
import type { StateWatch } from './state-watch.ts';

export type ToolStep = {
  readonly session: Session;
  readonly turnId: TurnId;
  readonly callId: string;
  readonly input: JsonObject;
  /** Finds what runs it, by the call's name. Throws `ToolsUnavailable`. */
  readonly tool: () => Promise<Tool | undefined>;
  /** Who is asked what it asks while it runs. Throws `ToolsUnavailable`. */
  readonly formTerms: () => Promise<FormTerms>;
  readonly services: RunServices;
  readonly signal: AbortSignal;
  readonly report: StepReport;
  /** False: the claim is not to be relied on any more, and no tool is started on it. */
  readonly mayAct: () => boolean;
  /** The session as it is known now. */
  readonly state: () => SessionState | undefined;
  readonly watch: StateWatch;
  /** Calls of this session that lost their process (N24). */
  readonly lost: LostCalls;
};

/** A call id may come again in a later turn: a late report of this one must not meet it (N6). */
export const isRunning = ({ live }: SessionState, { turnId, callId }: Pick<ToolStep, 'turnId' | 'callId'>): boolean =>
  live?.id === turnId && live.status === 'running' && live.calls.some((call) => call.id === callId && call.status === 'dispatched');
