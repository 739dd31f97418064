/** What runs need of the process they run in. */
import type { Evaluate } from '@turnkeeper/core/workflow/expression-port';
import type { Budgets } from '../app/budgets.ts';
import type { Family } from '../app/family.ts';
import type { KnownContexts } from '../app/known-contexts.ts';
import type { Session } from '../app/lane.ts';
import type { OwnerLimits } from '../app/owner-limits.ts';
import type { RunGates } from '../app/run-gates.ts';
import type { SessionFiles } from '../app/session-files.ts';
import type { Clock } from '../ports/clock.ts';
import type { Models } from '../ports/model.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Tools } from '../ports/tool.ts';
import type { Slots } from './slots.ts';

export type RunServices = {
  readonly store: SessionStore;
  readonly contexts: KnownContexts;
  readonly clock: Clock;
  readonly models: Models;
  readonly tools: Tools;
  readonly files: SessionFiles;
  /** What sessions of a tree do for each other. */
  readonly family: Family;
  readonly slots: Slots;
  /** What sessions may use. */
  readonly budgets: Budgets;
  /** What limits the owners of sessions, and where their turns wait for room. */
  readonly limits: OwnerLimits;
  readonly gates: RunGates;
  readonly telemetry: Telemetry;
  /** Of the expressions of workflows. */
  readonly evaluate: Evaluate;
  /** An error that nobody expected: logged, never shown. */
  readonly report: (error: unknown, about: { readonly sessionId: string; readonly turnId?: string | undefined }) => void;
  /** How long a tool or model call may ignore its abort. */
  readonly graceMs: number;
  /** Another node is to run it: it is given back between two steps (app/hosted-sessions.ts). */
  readonly isForeign: (session: Session) => boolean;
  /** Its people are not there: a tool that would ask them while it runs is told so at once (CW3). */
  readonly isBackground: (session: Session) => boolean;
};
