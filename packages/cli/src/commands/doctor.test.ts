import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { wholeTurn } from '@turnkeeper/client/testing/turn-script';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkNode } from '../doctor/check-machine.ts';
import { checkClock } from '../doctor/check-server.ts';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
let data: string;
beforeEach(async () => {
  rig = await createCliRig();
  data = join(rig.folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'server.json'), JSON.stringify({ url: rig.server.url, pid: process.pid }));
  rig.server.open('GET', /^\/(healthz|readyz)$/, () => ({ status: 200, body: { status: 'ok' } }));
  rig.server.open('GET', /^\/$/, () => ({ status: 200, body: '<script>', headers: { 'content-type': 'text/html' } }));
  rig.server.on('GET', /\/api\/auth\/me$/, () => ({ status: 200, body: { user: { username: 'ada', roles: ['user'] } } }));
  rig.server.on('GET', /\/api\/v1\/models$/, () => ({ status: 200, body: { models: [{ name: 'openai:x', provider: 'openai' }] } }));
  rig.server.on('GET', /\/agent-sessions$/, () => ({ status: 200, body: { items: [{ id: 'ses_1' }], next_offset: null } }));
  rig.server.append(...wholeTurn('turn_1', 1, 'hi', ['a']));
});
afterEach(() => rig.stop());

const findings = async (env: Record<string, string> = {}) => {
  const { code, out } = await rig.run(['doctor', '--json', '--data', data], { env: { TURNKEEPER_URL: '', ...env } });
  const list = (JSON.parse(out) as { findings: { check: string; status: string; detail: string; advice?: string }[] }).findings;
  return { code, list, of: (check: string) => list.find((finding) => finding.check === check) };
};

test('a set-up in order has nothing but ok', async () => {
  const { code, list, of } = await findings();
  expect(list.filter(({ status, check }) => status !== 'ok' && check !== 'disk space')).toEqual([]);
  expect(code).toBe(0);
  expect(list.map(({ check }) => check)).toEqual([
    'node',
    'data folder',
    'server on it',
    'disk space',
    'files',
    'server',
    'clock',
    'store',
    'console',
    'credential',
    'models',
    'event stream',
  ]);
  expect(of('event stream')?.detail).toContain('came through');
  const text = await rig.run(['doctor', '--data', data], { env: { TURNKEEPER_URL: '' } });
  expect(text.out).toMatch(/^ok {4}node +\d/);
  expect(text.out).not.toContain(rig.server.token);
});

test('each fault is named, with what to do', async () => {
  chmodSync(data, 0o755);
  rig.server.open('GET', /^\/readyz$/, () => ({ status: 503, body: { status: 'unavailable', detail: 'the disk is full' } }));
  rig.server.open('GET', /^\/$/, () => problemAnswer('not_found'));
  rig.server.on('GET', /\/api\/v1\/models$/, () => ({ status: 200, body: { models: [{ name: 'demo:x', provider: 'demo' }] } }));
  const { code, list, of } = await findings();
  expect(code).toBe(1);
  expect(of('data folder')).toMatchObject({ status: 'warn', advice: expect.stringContaining('chmod 700') });
  expect(of('store')).toMatchObject({ status: 'fail', detail: 'unavailable: the disk is full' });
  expect(of('console')?.status).toBe('warn');
  expect(of('models')?.status).toBe('warn');
  expect(list.filter(({ status, advice }) => status !== 'ok' && !advice)).toEqual([]);
});

test('no server, no credential, a wrong one, a stream that ends: each fails', async () => {
  expect((await findings({ TURNKEEPER_TOKEN: '' })).of('credential')?.status).toBe('fail');
  expect((await findings({ TURNKEEPER_TOKEN: 'wrong' })).of('credential')?.status).toBe('fail');
  rig.server.on('GET', /\/events\/stream$/, () => ({ status: 200, body: '<p>sign in</p>', headers: { 'content-type': 'text/html' } }));
  expect((await findings()).of('event stream')).toMatchObject({ status: 'fail', detail: expect.stringContaining('text/html') });
  const gone = await findings({ TURNKEEPER_URL: 'http://127.0.0.1:1' });
  expect(gone.code).toBe(1);
  expect(gone.of('server')?.status).toBe('fail');
  // Of a server elsewhere the folder here says nothing.
  expect(gone.of('data folder')).toBeUndefined();
  writeFileSync(join(data, 'server.json'), JSON.stringify({ url: rig.server.url, pid: 2 ** 30 }));
  const killed = await findings();
  expect(killed.of('server on it')?.status).toBe('warn');
  expect(killed.of('server')?.status).toBe('fail');
});

test('clocks and Node versions', () => {
  const at = (ms: number) => checkClock(new Date(1_000_000_000).toUTCString(), 1_000_000_000 + ms).status;
  expect([at(0), at(-4_000), at(30_000), at(-30_000), at(400_000)]).toEqual(['ok', 'ok', 'warn', 'warn', 'fail']);
  expect(checkClock(null, 1).status).toBe('warn');
  expect([checkNode('20.19.0').status, checkNode('26.1.0').status]).toEqual(['fail', 'ok']);
});
