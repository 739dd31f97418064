import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const schedule = {
  id: 'sched_1',
  session_id: 'ses_1',
  cron: '0 9 * * *',
  timezone: 'Europe/Berlin',
  at: null,
  message: 'What is new?',
  input: null,
  metadata: {},
  on_missed: 'run_once',
  enabled: true,
  next_at: 1_800_000_000_000,
  version: 3,
  created_at: 1,
  updated_at: 1,
  created_by: { type: 'user', id: 'ann' },
};
const run = {
  id: 'r',
  schedule_id: 'sched_1',
  slot: 1_800_000_000_000,
  slot_until: null,
  asked_by: 'schedule',
  outcome: 'rejected',
  code: 'queue_full',
  turn_id: null,
  at: 1,
};

beforeEach(async () => {
  rig = await createCliRig();
  rig.server.on('GET', /\/agent-sessions$/, () => ({
    status: 200,
    body: { items: [{ id: 'ses_1', title: 'a', updatedAt: 2, createdAt: 1, status: 'idle', archived: false }], next_offset: null },
  }));
  rig.route('GET', /\/ses_1\/schedules$/, () => ({ items: [schedule], next_offset: null }));
  rig.route('POST', /\/ses_1\/schedules$/, () => schedule);
  rig.route('PATCH', /\/schedules\/sched_1$/, () => ({ ...schedule, enabled: false, next_at: null }));
  rig.route('GET', /\/schedules\/sched_1\/runs$/, () => ({ items: [run], next_offset: null }));
  rig.route('POST', /\/schedules\/sched_1\/run$/, () => ({ ...run, outcome: 'submitted', turn_id: 'turn_7' }));
  rig.route('POST', /\/ses_1\/client-tokens$/, () => ({ token: 'tkc_1', session_id: 'ses_1', scopes: ['read'], expires_at: 1_800_000_000_000 }));
});
afterEach(() => rig.stop());

const sent = (method: string) => rig.calls.findLast((call) => call.method === method)?.body;

test('schedules are made by cron or at an instant, and never by both or neither', async () => {
  const { code, out } = await rig.run(['schedules', 'add', '--cron', '0 9 * * *', '--timezone', 'Europe/Berlin', '--skip-missed', 'What is new?']);
  expect(code).toBe(0);
  expect(out).toContain('sched_1  next: 2027-01-15T08:00:00.000Z');
  expect(sent('POST')).toEqual({ cron: '0 9 * * *', timezone: 'Europe/Berlin', message: 'What is new?', onMissed: 'skip', enabled: true });
  await rig.run(['schedules', 'add', '--at', '2027-01-31T09:00:00+01:00', '--off', 'x']);
  expect(sent('POST')).toEqual({ at: '2027-01-31T09:00:00+01:00', message: 'x', onMissed: 'run_once', enabled: false });
  for (const wrong of [['x'], ['--cron', '* * * * *', '--at', '2027-01-31T09:00:00Z', 'x'], ['--at', 'tomorrow', 'x'], ['--at', '2027-01-31T09:00:00', 'x']])
    expect((await rig.run(['schedules', 'add', ...wrong])).code, wrong.join(' ')).toBe(2);
});

test('they are shown, switched off by the version that was read, and run', async () => {
  expect((await rig.run(['schedules', 'ls'])).out).toMatch(/sched_1 +2027-01-15T08:00:00.000Z +0 9 \* \* \* \(Europe\/Berlin\) +What is new\?/);
  expect((await rig.run(['schedules', 'off', 'sched_1'])).out).toContain('next: off');
  expect(sent('PATCH')).toEqual({ version: 3, enabled: false });
  expect((await rig.run(['schedules', 'runs', 'What is new?'])).out).toMatch(/2027-01-15T08:00:00.000Z +schedule +rejected +queue_full/);
  expect((await rig.run(['schedules', 'run', 'sched_1'])).out.trim()).toBe('turn_7');
});

test('update changes what is named, at the version that was read', async () => {
  const update = (...args: string[]) => rig.run(['schedules', 'update', 'sched_1', ...args]);
  expect((await update('--cron', '0 8 * * *', '--timezone', 'UTC', '--missed', 'skip')).code).toBe(0);
  expect(sent('PATCH')).toEqual({ version: 3, cron: '0 8 * * *', timezone: 'UTC', onMissed: 'skip' });
  await update('--at', '2027-01-31T09:00:00+01:00', '--message', 'Send it.');
  expect(sent('PATCH')).toEqual({ version: 3, at: '2027-01-31T09:00:00+01:00', message: 'Send it.' });
  await update('--input', '{"order": 1}');
  expect(sent('PATCH')).toEqual({ version: 3, input: { order: 1 } });
  rig.route('GET', /\/ses_1\/schedules$/, { items: [{ ...schedule, metadata: { kept: 1, gone: 2, city: 'Rome' } }], next_offset: null });
  await update('--metadata', 'city=Bern', '--metadata', 'vip=true', '--unset', 'gone');
  expect(sent('PATCH')).toEqual({ version: 3, metadata: { kept: 1, city: 'Bern', vip: true } });
  const before = rig.calls.length;
  for (const wrong of [
    [],
    ['--cron', '* * * * *', '--at', '2027-01-31T09:00:00Z'],
    ['--at', 'tomorrow'],
    ['--message', 'x', '--input', '{}'],
    ['--input', '{'],
    ['--metadata', 'x'],
  ])
    expect((await update(...wrong)).code, wrong.join(' ')).toBe(2);
  expect(rig.calls).toHaveLength(before);
});

test('a client’s token is printed alone', async () => {
  const { code, out } = await rig.run(['client-token', '--scope', 'read', '--expires', '3600']);
  expect([code, out.trim()]).toEqual([0, 'tkc_1']);
  expect(sent('POST')).toEqual({ scopes: ['read'], expiresInSeconds: 3_600 });
});
