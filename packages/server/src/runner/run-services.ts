/** What runs need of the process they run in. */
import type { Clock } from '../ports/clock.ts';
import type { Models } from '../ports/model.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Tools } from '../ports/tool.ts';
import type { Slots } from './slots.ts';

export type RunServices = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly models: Models;
  readonly tools: Tools;
  readonly slots: Slots;
  /** An error that nobody expected: logged, never shown. */
  readonly report: (error: unknown, about: { readonly sessionId: string }) => void;
  /** How long a tool or model call may ignore its abort. */
  readonly graceMs: number;
};
