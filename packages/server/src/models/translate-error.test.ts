import { APICallError, JSONParseError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';
import { safeMessage } from './safe-message.ts';
import { type ErrorContext, toModelError } from './translate-error.ts';

const context: ErrorContext = { provider: 'p', secrets: ['hunter2-key'], requestTexts: () => [], answered: false, now: 0 };
const call = (statusCode: number | undefined, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
  new APICallError({ message: 'm', url: 'http://u', requestBodyValues: { secret: 'request' }, ...(statusCode === undefined ? {} : { statusCode }), ...more });

describe('what is retryable', () => {
  it.each([
    ['408', call(408), true],
    ['409', call(409), true],
    ['425', call(425), true],
    ['429', call(429), true],
    ['500', call(500), true],
    ['400', call(400), false],
    ['the provider says no', call(500, { responseHeaders: { 'x-should-retry': 'false' } }), false],
    ['the provider says yes', call(400, { responseHeaders: { 'x-should-retry': 'true' } }), true],
    ['the quota is used up', call(429, { data: { error: { code: 'insufficient_quota' } } }), false],
    ['an answer that broke off', call(200, { cause: new TypeError('terminated') }), true],
    ['the network', Object.assign(new Error('x'), { code: 'ECONNRESET' }), true],
    ['the network, deep', new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'EAI_AGAIN' }) }), true],
    ['a certificate', new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }) }), false],
    ['garbled', new JSONParseError({ text: 'x', cause: new Error('y') }), true],
    ['cannot be asked for', new UnsupportedFunctionalityError({ functionality: 'audio' }), false],
    ['a mistake in here', new TypeError('undefined is not a function'), false],
    ['an error frame', { message: 'overloaded', code: 503 }, true],
    ['an error frame without a status', { message: 'oops' }, true],
    ['a refusing error frame', { message: 'bad', code: '400' }, false],
  ] as const)('%s', (_, error, retryable) => {
    expect(toModelError(error, context).retryable).toBe(retryable);
  });

  it('keeps nothing of the original', () => {
    const error = toModelError(call(500, { message: 'with hunter2-key' }), context);
    expect(error.cause).toBeUndefined();
    expect(error.message).toBe('The model provider "p" answered with status 500: with [redacted]');
  });
});

describe('retry-after', () => {
  const now = Date.parse('2026-11-29T10:00:00Z');
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 29 Nov 2026 10:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 29 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '3', 'retry-after-ms': 'soon' }, 3000],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '-1' }, 0],
    [{ 'retry-after': 'whenever' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('%j', (headers, expected) => {
    // `-1` is read as a year by Date.parse: a time long past.
    expect(retryAfterMs(headers, now)).toBe(expected);
  });
});

describe('safe messages', () => {
  it('names no key, whatever its form', () => {
    for (const text of [
      'key=abc123xyz',
      'Bearer abc.def',
      'sk-ant-abcdef',
      'AIzaSyA1234567890',
      'http://user:pw@host/',
      'hunter2-key',
      encodeURIComponent('p/ss=word'),
    ]) {
      const safe = safeMessage(`Error: ${text} is bad`, ['hunter2-key', 'p/ss=word'], []);
      expect(safe).toContain('[redacted]');
      for (const part of ['abc', 'user:pw', 'hunter2', 'p%2Fss', 'SyA1']) expect(safe).not.toContain(part);
    }
    expect(safeMessage('none of it', ['none'], [])).toBe('none of it');
  });

  it('is short, of whole characters, in one line, and does not repeat the request', () => {
    expect([...(safeMessage('👍\n'.repeat(1000), [], []) ?? '')].length).toBeLessThanOrEqual(300);
    const request = 'a long enough sentence that the user wrote\nin two lines';
    expect(safeMessage(`Invalid: ${request}`, [], [request])).toBeUndefined();
    expect(safeMessage('Invalid: too long', [], [request])).toBe('Invalid: too long');
  });
});
