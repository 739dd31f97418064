/** Turns that are created by time, and tokens for browsers: both of one session. */
import type { ClientScope, CreatedClientToken } from '@turnkeeper/core/protocol/wire/client-tokens';
import type { NewSchedule, PatchScheduleRequest, ScheduleResource, ScheduleRunResource } from '@turnkeeper/core/protocol/wire/schedules';
import type { Transport } from '../transport/transport.ts';
import { type Keyed, type Page, type PageQuery, part, sessionPath } from './paths.ts';

export type ScheduleCalls = {
  /** `cron` with a `timezone`, or `at`; `message`, or `input`. */
  readonly create: (sessionId: string, schedule: NewSchedule, options: Keyed) => Promise<ScheduleResource>;
  readonly list: (sessionId: string, query?: PageQuery) => Promise<Page<ScheduleResource>>;
  readonly get: (sessionId: string, scheduleId: string) => Promise<ScheduleResource>;
  /** `version`: the one that was read. What is missing stays. */
  readonly patch: (sessionId: string, scheduleId: string, changes: PatchScheduleRequest) => Promise<ScheduleResource>;
  readonly delete: (sessionId: string, scheduleId: string) => Promise<void>;
  /** What became of its slots, the newest first; the last 1,000 are kept. */
  readonly runs: (sessionId: string, scheduleId: string, query?: PageQuery) => Promise<Page<ScheduleRunResource>>;
  /** Now, on your behalf; its slots stay as they are. */
  readonly run: (sessionId: string, scheduleId: string, options: Keyed) => Promise<ScheduleRunResource>;
};

export type ClientTokenCalls = {
  /** For a browser: good for this session alone, for 15 minutes unless told otherwise. */
  readonly create: (sessionId: string, token?: { readonly scopes?: readonly ClientScope[]; readonly expiresInSeconds?: number }) => Promise<CreatedClientToken>;
};

const schedulesPath = (sessionId: string): string => `${sessionPath(sessionId)}/schedules`;
const schedulePath = (sessionId: string, id: string): string => `${schedulesPath(sessionId)}/${part(id)}`;

export const createScheduleCalls = ({ request }: Transport): ScheduleCalls => ({
  create: (sessionId, body, options) => request('POST', schedulesPath(sessionId), { body, ...options }),
  list: (sessionId, query) => request('GET', schedulesPath(sessionId), query ? { query } : {}),
  get: (sessionId, id) => request('GET', schedulePath(sessionId, id)),
  patch: (sessionId, id, body) => request('PATCH', schedulePath(sessionId, id), { body }),
  delete: (sessionId, id) => request('DELETE', schedulePath(sessionId, id)),
  runs: (sessionId, id, query) => request('GET', `${schedulePath(sessionId, id)}/runs`, query ? { query } : {}),
  run: (sessionId, id, options) => request('POST', `${schedulePath(sessionId, id)}/run`, options),
});

export const createClientTokenCalls = ({ request }: Transport): ClientTokenCalls => ({
  create: (sessionId, body = {}) => request('POST', `${sessionPath(sessionId)}/client-tokens`, { body }),
});
