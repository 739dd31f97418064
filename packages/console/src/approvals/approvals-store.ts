/**
 * All that waits for this person, over all sessions, as it was last read.
 *
 * Owns: what is open, and what became of that which went away without this page's doing.
 *
 * AP1 What was answered here is taken away at once and never comes back, though an older answer of the server may still
 *     hold it.
 * AP2 What went away otherwise is said once, with who answered it where that can be read.
 */
import type { ActionPage, OpenAction } from '@turnkeeper/client/calls/actions';
import type { Retried } from '@turnkeeper/client/calls/paths';
import type { ResourcesPage } from '@turnkeeper/client/calls/sessions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { Resolution } from '../actions/resolution.ts';

export type GoneAction = { readonly action: OpenAction; readonly resolution: Resolution };

export type Approvals = {
  /** Undefined until the first answer. Oldest first. */
  readonly open: readonly OpenAction[] | undefined;
  /** There are more than these. */
  readonly hasMore: boolean;
  /** The newest last. */
  readonly gone: readonly GoneAction[];
  /** Why the last reading failed; what was read before still stands. */
  readonly fault: Error | undefined;
};

export type ApprovalsStore = {
  readonly get: () => Approvals;
  readonly subscribe: (listener: () => void) => () => void;
  /** Reads it again; one reading at a time. */
  readonly refresh: (options?: Retried) => Promise<void>;
  readonly answered: (requestId: string) => void;
  readonly dismiss: (requestId: string) => void;
};

type Calls = {
  readonly page: (query: { readonly limit: number }, options?: Retried) => Promise<ActionPage>;
  readonly allActions: (sessionId: string, query: { readonly after?: string; readonly limit: number }) => Promise<ResourcesPage<ActionBody>>;
};

/** More than anybody answers before the next reading. */
const pageSize = 100;
/** As many as are kept to be said. */
const mostGone = 5;
const mostPages = 10;

const oldestFirst = (a: OpenAction, b: OpenAction): number => a.created_at - b.created_at || a.request_id.localeCompare(b.request_id);

/** What became of an action that is not open any more. */
const resolutionOf = async (calls: Calls, { session_id, request_id }: OpenAction): Promise<Resolution> => {
  let after: string | undefined;
  for (let read = 0; read < mostPages; read += 1) {
    const page = await calls.allActions(session_id, { limit: 1_000, ...(after === undefined ? {} : { after }) });
    const found = page.data.find(({ data }) => data.request_id === request_id)?.data;
    if (found) return { status: found.status, ...(found.resolved_by === undefined ? {} : { by: found.resolved_by }) };
    if (!page.has_more || page.next_cursor === null) break;
    after = page.next_cursor;
  }
  return { status: 'cancelled' };
};

export const createApprovals = (calls: Calls): ApprovalsStore => {
  let state: Approvals = { open: undefined, hasMore: false, gone: [], fault: undefined };
  const answeredHere = new Set<string>();
  const listeners = new Set<() => void>();
  let reading: Promise<void> | undefined;
  let again = false;
  const moveTo = (next: Partial<Approvals>): void => {
    state = { ...state, ...next };
    for (const listener of [...listeners]) listener();
  };

  /** [AP2] */
  const tellGone = async (action: OpenAction): Promise<void> => {
    // The session itself may be gone, and with it all that waited in it.
    const resolution = await resolutionOf(calls, action).catch((): Resolution => ({ status: 'cancelled' }));
    // [AP1] The reading may have overtaken the answer to what was answered here.
    if (answeredHere.has(action.request_id)) return;
    // It may only have moved beyond what is read.
    if (resolution.status === 'open') return;
    moveTo({ gone: [...state.gone, { action, resolution }].slice(-mostGone) });
  };
  const take = ({ required_actions, has_more }: ActionPage): void => {
    const listed = Object.values(required_actions);
    // [AP1]
    const open = listed.filter(({ request_id }) => !answeredHere.has(request_id)).sort(oldestFirst);
    const known = new Set(open.map(({ request_id }) => request_id));
    const missing = (state.open ?? []).filter(({ request_id }) => !known.has(request_id));
    moveTo({ open, hasMore: has_more === true, fault: undefined });
    for (const action of missing) void tellGone(action);
  };
  const read = async (options: Retried | undefined): Promise<void> => {
    try {
      take(await calls.page({ limit: pageSize }, options));
    } catch (error) {
      moveTo({ fault: error as Error });
    }
  };
  const refresh = async (options?: Retried): Promise<void> => {
    again = true;
    reading ??= (async () => {
      while (again) {
        again = false;
        await read(options);
      }
      reading = undefined;
    })();
    await reading;
  };

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    answered: (requestId) => {
      answeredHere.add(requestId);
      moveTo({ open: state.open?.filter(({ request_id }) => request_id !== requestId) });
      void refresh();
    },
    dismiss: (requestId) => moveTo({ gone: state.gone.filter(({ action }) => action.request_id !== requestId) }),
  };
};
