/** Turns and their runs in the view. Times are Unix milliseconds. */
import type { Json } from '../protocol/json.ts';
import type { EventData, LoggedEvent, RunEnd, Submitter, TurnStatus } from '../session/events.ts';
import type { Criteria, VerdictStatus } from '../session/outcome.ts';
import { addUsage, noUsage, type UsageBody } from './usage.ts';

export type TurnBody = Submitter & {
  readonly turn_id: string;
  readonly n: number;
  readonly status: TurnStatus;
  /** The beginning of what was asked, for lists and for a turn that still waits. */
  readonly preview: string;
  readonly metadata?: Json;
  /** What its result must be, and whether it is. */
  readonly outcome?: Criteria;
  readonly verdict?: { readonly status: VerdictStatus; readonly tries: number; readonly reasons: readonly string[] };
  readonly created_at: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  readonly runs: number;
  readonly queue_position?: number;
  readonly not_before?: number;
  readonly cancel_requested?: true;
  readonly reason?: string;
  readonly output_text?: string;
  readonly result?: Json;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly retryable?: boolean;
  readonly unverified_calls?: readonly string[];
  readonly usage: UsageBody;
};

export type RunBody = {
  readonly run_id: string;
  readonly turn_id: string;
  readonly n: number;
  readonly status: 'running' | RunEnd;
  readonly started_at: number;
  readonly ended_at?: number;
  readonly error_code?: string;
};

export const runStarted = (data: EventData<'run.started'>, at: number): RunBody => ({
  run_id: data.run_id,
  turn_id: data.turn_id,
  n: data.n,
  status: 'running',
  started_at: at,
});

export const runEnded = (body: RunBody | undefined, data: EventData<'run.ended'>, at: number): RunBody | undefined =>
  body && { ...body, status: data.status, ended_at: at, ...(data.error_code === undefined ? {} : { error_code: data.error_code }) };

/** As it was noted; nothing where it was not, or where a log that was brought here says something else. */
export const submitterOf = ({ submitted_by, credential_id }: Submitter): Submitter => ({
  ...(typeof submitted_by === 'string' ? { submitted_by } : {}),
  ...(typeof credential_id === 'string' ? { credential_id } : {}),
});

export const turnAccepted = (data: EventData<'turn.accepted'>, at: number): TurnBody => ({
  turn_id: data.turn_id,
  n: data.n,
  status: 'queued',
  preview: data.preview,
  ...(data.metadata === undefined ? {} : { metadata: data.metadata }),
  ...(data.outcome === undefined ? {} : { outcome: data.outcome }),
  ...submitterOf(data),
  created_at: at,
  runs: 0,
  usage: noUsage,
});

/** What held only for the state before: where it waited and why, and what a failed attempt left. */
const moved = (body: TurnBody): TurnBody => {
  const { queue_position: _q, not_before: _n, reason: _r, error_code: _c, error_message: _m, retryable: _t, ended_at: _e, ...rest } = body;
  return rest;
};

/** What is to be tried again is no output. */
const judged = (body: TurnBody, { status, reasons, again, try: tries }: EventData<'outcome.checked'>): TurnBody => {
  const { output_text: _t, result: _r, ...rest } = body;
  return { ...(again ? rest : body), verdict: { status, tries, reasons } };
};

export const turnEvent = (body: TurnBody, event: LoggedEvent): TurnBody => {
  const { at } = event;
  switch (event.type) {
    case 'turn.queued': {
      const { queue_position, reason, not_before } = event.data;
      return { ...moved(body), status: 'queued', queue_position, reason, ...(not_before === undefined ? {} : { not_before }) };
    }
    case 'turn.running':
      return { ...moved(body), status: 'running', started_at: body.started_at ?? at };
    case 'turn.requires_action':
      return { ...moved(body), status: 'requires_action' };
    case 'turn.interrupted':
      return { ...moved(body), status: 'interrupted', reason: event.data.reason, error_code: event.data.error_code };
    case 'turn.cancel_requested':
      return { ...body, cancel_requested: true };
    case 'turn.completed':
    case 'turn.partial_succeeded': {
      const status = event.type === 'turn.completed' ? 'completed' : 'partial_succeeded';
      const { output_text, result } = event.data;
      return { ...moved(body), status, ended_at: at, output_text, ...(result === undefined ? {} : { result }) };
    }
    case 'turn.failed': {
      const { error_code, error_message, retryable, unverified_calls } = event.data;
      const unverified = unverified_calls === undefined ? {} : { unverified_calls };
      return { ...moved(body), status: 'failed', ended_at: at, error_code, error_message, retryable, ...unverified };
    }
    case 'turn.cancelled':
      return { ...moved(body), status: 'cancelled', ended_at: at, unverified_calls: event.data.unverified_calls };
    case 'turn.timed_out':
      return { ...moved(body), status: 'timed_out', ended_at: at, error_code: event.data.error_code, unverified_calls: event.data.unverified_calls };
    case 'outcome.judging': {
      const { output_text, result } = event.data;
      return { ...body, output_text, ...(result === undefined ? {} : { result }) };
    }
    case 'outcome.checked':
      return judged(body, event.data);
    case 'run.started':
      return { ...body, runs: event.data.n };
    case 'usage.recorded':
    case 'model.completed':
      return { ...body, usage: addUsage(body.usage, event) };
    default:
      return body;
  }
};
