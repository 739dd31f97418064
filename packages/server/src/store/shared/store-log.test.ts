/** A store that fails for a while costs the log two lines, without a trace and without a password. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { expect, test, vi } from 'vitest';
import type { SessionStore } from '../../ports/session-store.ts';
import { createStoreLog, inWords } from './store-log.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const unavailable = new TurnkeeperError('storage_unavailable', 'The database cannot be used now', {}, { cause: refused });

const setUp = () => {
  let now = 0;
  const logger = { warn: vi.fn(), info: vi.fn() };
  const log = createStoreLog(logger, { now: () => now, elapsed: () => now, after: () => () => {} });
  return { logger, log, pass: (ms: number) => (now += ms) };
};

test('SL1: an outage is told when it begins and when it is over', async () => {
  const { logger, log, pass } = setUp();
  const ping = vi.fn(async () => {});
  const sessions = log.over({ ping, heartbeat: async () => true, claim: async () => [] } as Partial<SessionStore> as SessionStore);
  ping.mockRejectedValueOnce(unavailable);
  await expect(sessions.ping()).rejects.toBe(unavailable);
  for (let second = 0; second < 10; second += 1) {
    pass(1_000);
    expect(log.failed(unavailable)).toBe(true);
  }
  expect(logger.warn.mock.calls).toEqual([
    [
      { code: 'storage_unavailable', cause: 'The database cannot be used now: connect ECONNREFUSED 127.0.0.1:5432' },
      expect.stringContaining('storage_unavailable') as unknown,
    ],
  ]);
  await sessions.ping();
  expect(logger.info).not.toHaveBeenCalled();
  pass(3_000);
  // It may write nothing, and so tells nothing.
  await sessions.claim({ node: 'n', now: 0, limit: 1 });
  expect(logger.info).not.toHaveBeenCalled();
  await sessions.heartbeat('n', 1);
  await sessions.ping();
  expect(logger.info.mock.calls).toEqual([[{ after_ms: 13_000 }, expect.stringContaining('is over') as unknown]]);
});

test('what is not the store is left to others; a store that was closed is none of their business', () => {
  const { logger, log } = setUp();
  expect(log.failed(new TypeError('x'))).toBe(false);
  expect(log.failed(new TurnkeeperError('internal_error', 'x'))).toBe(false);
  expect(log.failed(new TurnkeeperError('shutting_down', 'The store is closed.'))).toBe(true);
  expect(logger.warn).not.toHaveBeenCalled();
});

test('SL2: messages alone, of all addresses of a name', () => {
  const both = new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), refused]);
  expect(inWords(new Error('No answer', { cause: both }))).toBe('No answer: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432');
  expect(inWords(Object.assign(new Error('Invalid URL'), { input: 'postgres://u:secret@h/d' }))).not.toContain('secret');
});

test('every call that the store could not serve is counted by its name, reads as well as writes, and what else goes wrong is not', async () => {
  const struck: string[] = [];
  const log = createStoreLog({ warn: () => {}, info: () => {} }, { now: () => 0, elapsed: () => 0, after: () => () => {} }, (operation) =>
    struck.push(operation),
  );
  const fails = (error: unknown) => async (): Promise<never> => Promise.reject(error);
  const store = {
    load: fails(unavailable),
    events: fails(unavailable),
    heads: fails(new TypeError('x')),
    write: fails(unavailable),
    close: fails(unavailable),
  };
  const sessions = log.over(store as Partial<SessionStore> as SessionStore);
  for (const name of ['load', 'events', 'heads', 'write', 'close'] as const) await expect((sessions[name] as () => Promise<unknown>)()).rejects.toThrow();
  expect(struck).toEqual(['load', 'events', 'write']);
});
