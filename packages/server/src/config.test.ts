/** Configurations that are wrong, and what is said of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const data = mkdtempSync(join(tmpdir(), 'tk-config-'));
afterAll(() => rmSync(data, { recursive: true }));

const refusal = (env: Record<string, string>): string => {
  try {
    readConfig({ data }, env);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
};

test('secrets are never repeated', () => {
  for (const name of ['TURNKEEPER_ADMIN_TOKEN', 'TURNKEEPER_SECRET_KEY']) {
    const said = refusal({ [name]: 'hunter2 hunter2 hunter2' });
    expect(said).toContain(name);
    expect(said).not.toContain('hunter2');
  }
  const file = join(data, 'turnkeeper.config.json');
  writeFileSync(file, '{"providers": {"x": {"apiKey": hunter2}}}');
  expect(refusal({})).toContain('is not valid JSON');
  expect(refusal({})).not.toContain('hunter');
  rmSync(file);
});

test('a secret key is 32 bytes', () => {
  for (const key of ['0'.repeat(64), Buffer.alloc(32, 250).toString('base64'), Buffer.alloc(32, 250).toString('base64url')])
    expect(refusal({ TURNKEEPER_SECRET_KEY: key })).toBe('');
  for (const key of ['0'.repeat(63), Buffer.alloc(31).toString('base64')]) expect(refusal({ TURNKEEPER_SECRET_KEY: key })).not.toBe('');
});

test('the demo is on or off, and nothing else', () => {
  const demo = (value: string): boolean => readConfig({ data }, { TURNKEEPER_DEMO: value }).demo;
  expect(['0', 'false', '1', 'true', ''].map(demo)).toEqual([false, false, true, true, true]);
  for (const value of ['no', 'off', '2']) expect(refusal({ TURNKEEPER_DEMO: value })).toContain('TURNKEEPER_DEMO');
  expect(readConfig({ data, demo: false }, { TURNKEEPER_DEMO: '1' }).demo).toBe(false);
});
