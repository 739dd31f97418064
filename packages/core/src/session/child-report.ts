/** What a child session tells its parent. */
import type { OutputBlock } from '../protocol/content.ts';
import type { Json } from '../protocol/json.ts';
import type { ActionResolution, RequiredAction } from './events.ts';
import type { ChildOutcome, ChildStatus } from './family-events.ts';
import type { SessionId } from './ids.ts';

/** What a child session is to its parent: the name that was called, the agent behind it, where it stands. */
export type ChildName = { readonly name: string; readonly agentId: string; readonly path: string };

/** An open action of the child, or of a child of its own. */
export type ChildAction = RequiredAction & { readonly child_session_id: SessionId };

/** A child as it is when it tells. What its parent knows already changes nothing there. */
export type ChildReport = ChildName & {
  /** All that is open. */
  readonly actions: readonly ChildAction[];
  /** How those ended that are not open any more, by request id: what its parent shows may be newer than the child knows. */
  readonly closed: { readonly [requestId: string]: { readonly resolution: ActionResolution; readonly resolvedBy?: string } };
  /** The child's last event at the moment that this was read; none of a child that was never made, or is gone. */
  readonly asOf?: number;
  readonly is:
    | { readonly status: ChildStatus; readonly until?: number; readonly paused?: true }
    /** `output`: what it came to, or why to nothing; `result`: the same as a value, where its session says what that is. */
    | { readonly status: ChildOutcome; readonly output: readonly OutputBlock[]; readonly result?: Json; readonly errorCode?: string };
};
