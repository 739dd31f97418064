/** What goes on now, over all sessions of the caller. */
import type { OverviewAnswer } from '@turnkeeper/core/protocol/wire/overview';
import type { Transport } from '../transport/transport.ts';
import { api, type Retried } from './paths.ts';

export type OverviewQuery = {
  /** As in a list of sessions. */
  readonly owner?: string;
  /** When the reader's day began (Unix milliseconds). */
  readonly day_from?: number;
};
/** Counts of what runs, waits and failed, the turns behind them, and what today cost. */
export type OverviewCall = (query?: OverviewQuery, options?: Retried) => Promise<OverviewAnswer>;

export const createOverviewCall =
  ({ request }: Transport): OverviewCall =>
  (query, options) =>
    request('GET', `${api}/overview`, { ...options, ...(query ? { query } : {}) });
