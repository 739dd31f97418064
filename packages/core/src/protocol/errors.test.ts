import { describe, expect, it } from 'vitest';
import type { EventData } from '../session/events.ts';
import { type ErrorCode, errorTable, problemOf, refuse, TurnkeeperError, turnFailures, turnInterruptions } from './errors.ts';
import { problem } from './wire/identity.ts';

const codes = Object.keys(errorTable) as readonly ErrorCode[];

describe('the error table', () => {
  it('gives each code a status of HTTP’s errors, and a title', () => {
    for (const code of codes) {
      const { status, title } = errorTable[code];
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(status, code).toBeLessThanOrEqual(599);
      expect(title, code).not.toBe('');
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
  });
  it('calls retryable only what may succeed unchanged: 429 and 5xx', () => {
    for (const code of codes) if (errorTable[code].retryable) expect([429, 500, 503], code).toContain(errorTable[code].status);
  });
  it('holds the statuses that the semantics name', () => {
    const named: Partial<Record<ErrorCode, number>> = {
      idempotency_conflict: 409,
      queue_full: 429,
      token_budget_exhausted: 429,
      invalid_cursor: 400,
      cursor_ahead: 409,
      cursor_expired: 410,
      turn_closed: 409,
      action_resolved: 409,
      action_pending: 409,
      tool_result_unknown: 409,
      not_supported: 409,
      session_archived: 409,
      approver_required: 403,
      not_found: 404,
    };
    for (const [code, status] of Object.entries(named)) expect(errorTable[code as ErrorCode].status, code).toBe(status);
  });
  it('names why turns are interrupted: each reason that there is', () => {
    const reasons: Readonly<Record<EventData<'turn.interrupted'>['reason'], string>> = turnInterruptions;
    expect(Object.keys(reasons)).toEqual(['budget_exceeded', 'tool_result_unknown', 'paused']);
  });
  it('names why turns fail', () => {
    for (const [code, meaning] of Object.entries(turnFailures)) expect(`${code}${meaning}`).toMatch(/^[a-z_]+[A-Z]/);
  });
});

describe('a problem', () => {
  it('has the members of RFC 9457, the code twice, and the details', () => {
    const made = problemOf('queue_full', 'full', 'req_1', { limit: 20, scope: 'session' });
    expect(made).toEqual({
      type: 'urn:turnkeeper:error:queue_full',
      title: errorTable.queue_full.title,
      status: 429,
      detail: 'full',
      code: 'queue_full',
      error: 'queue_full',
      request_id: 'req_1',
      limit: 20,
      scope: 'session',
    });
    expect(problem.safeParse(made).success).toBe(true);
  });
  it('keeps its own members whatever the details say', () => {
    expect(problemOf('not_found', 'gone', 'req_1', { status: 200, code: 'ok', request_id: 'other', type: 'x', title: 'y', error: 'z', detail: 'w' })).toEqual(
      problemOf('not_found', 'gone', 'req_1'),
    );
  });
});

describe('errors as values and as exceptions', () => {
  it('are told apart by code', () => {
    expect(refuse('turn_closed', 'over')).toEqual({ ok: false, code: 'turn_closed', detail: 'over', details: {} });
    const error = new TurnkeeperError('storage_unavailable', 'no', { outcome: 'unknown' }, { cause: 1 });
    expect(error).toMatchObject({ name: 'TurnkeeperError', code: 'storage_unavailable', details: { outcome: 'unknown' }, cause: 1 });
    expect(error).toBeInstanceOf(Error);
  });
});
