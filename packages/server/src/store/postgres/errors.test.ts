/** What certainly did not commit is told from what may have (W8). */
import { expect, it, test } from 'vitest';
import { changeError, type Failure, failureOf, readError } from './errors.ts';

const told = (code: string): Error => Object.assign(new Error(code), { severity: 'ERROR', code });
const bySocket = (code: string): Error => Object.assign(new Error(code), { code });

test.each<[string, string, Failure]>([
  ['serialization failure', '40001', 'again'],
  ['deadlock', '40P01', 'again'],
  ['statement over its time', '57014', 'unavailable'],
  ['lock not had in time', '55P03', 'unavailable'],
  ['disk full', '53100', 'unavailable'],
  ['too many connections', '53300', 'unavailable'],
  ['read-only after a fail-over', '25006', 'elsewhere'],
  ['ended by an administrator', '57P01', 'lost'],
  ['ended by a crash', '57P02', 'lost'],
  ['starting up or shutting down', '57P03', 'lost'],
  ['idle too long in a transaction', '25P03', 'lost'],
  ['connection failure', '08006', 'lost'],
  ['a unique key', '23505', 'refused'],
])('%s (%s) is %s', (_, code, failure) => {
  expect(failureOf(told(code))).toBe(failure);
});

it('whatever the server did not say itself leaves the outcome open, for changes; a read is merely not answered', () => {
  for (const error of [bySocket('ECONNRESET'), bySocket('EPIPE'), new Error('Query read timeout'), new Error('Connection terminated unexpectedly')]) {
    expect(failureOf(error)).toBe('lost');
    expect(changeError(error)).toMatchObject({ code: 'storage_unavailable', details: { outcome: 'unknown' } });
    expect(readError(error)).toMatchObject({ code: 'storage_unavailable', details: {} });
  }
});

it('what the server refused for certain has no open outcome', () => {
  for (const code of ['40001', '57014', '25006', '53100']) expect(changeError(told(code))).toMatchObject({ code: 'storage_unavailable', details: {} });
  expect(changeError(told('23505'))).toMatchObject({ code: 'internal_error' });
});
