/** What was used over a time, of all sessions that one may read. */
import type { UsageReportAnswer, UsageReportQuery } from '@turnkeeper/core/protocol/wire/usage-report';
import type { Transport } from '../transport/transport.ts';
import { api, type Cancellable } from './paths.ts';

export type UsageQuery = Partial<UsageReportQuery>;

export type UsageCalls = {
  /** Turns that began at `from` or later and before `to` (the last 30 days unless given), summed by `group_by` (days unless given). */
  readonly report: (query: UsageQuery, options?: Cancellable) => Promise<UsageReportAnswer>;
  /** The same as CSV, for other programs. `complete`: as in the report. */
  readonly csv: (query: UsageQuery, options?: Cancellable) => Promise<{ readonly table: string; readonly complete: boolean }>;
};

/** It looks through every session of that time. */
const reportTimeoutMs = 60_000;

export const createUsageCalls = ({ request, download }: Transport): UsageCalls => ({
  report: (query, options) => request('GET', `${api}/usage`, { query, timeoutMs: reportTimeoutMs, ...options }),
  csv: async (query, { signal } = {}) => {
    const asked = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
    const answer = await download(`${api}/usage/csv?${asked}`, signal ? { signal } : {});
    // Its file's name says it.
    const complete = answer.headers.get('content-disposition')?.includes('-incomplete') !== true;
    return { table: await answer.text(), complete };
  },
});
