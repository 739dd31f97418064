/** `export` and `import`: what is refused before the server is asked. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const session = { id: 'ses_1', title: 'One', status: 'idle', archived: false, createdAt: 1, updatedAt: 1 };
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/agent-sessions$/, { items: [session], next_offset: null });
  rig.route('GET', /\/ses_1\/export/, { type: 'session.export' });
  rig.route('POST', /\/agent-sessions\/import$/, session, 201);
});
afterEach(() => rig.stop());

test('export writes over no file unless it is told to', async () => {
  const file = join(rig.folder, 'a.ndjson');
  expect((await rig.run(['export', '-o', 'a.ndjson'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('session.export');
  writeFileSync(file, 'mine');
  expect(await rig.run(['export', '-o', 'a.ndjson'])).toMatchObject({ code: 2, err: expect.stringContaining('--force') });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await rig.run(['export', '-o', 'a.ndjson', '--force'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe('mine');
});

test('import says what is wrong with a file of events alone, and with one that is not there', async () => {
  writeFileSync(join(rig.folder, 'events.ndjson'), '{"type":"session.created"}\n{"type":"turn.accepted"}\n');
  expect(await rig.run(['import', 'events.ndjson'])).toMatchObject({ code: 2, err: expect.stringContaining('export it without --events') });
  expect(existsSync(join(rig.folder, 'none'))).toBe(false);
  expect(await rig.run(['import', 'none'])).toMatchObject({ code: 2, err: `There is no file ${join(rig.folder, 'none')}.\n` });
  expect(rig.calls).toEqual([]);
  writeFileSync(join(rig.folder, 'whole.ndjson'), '{"type":"session.export"}\n');
  expect((await rig.run(['import', 'whole.ndjson'])).out).toContain('imported ses_1');
});

test('webhooks add wants to be told of which events', async () => {
  rig.route('POST', /\/ses_1\/webhooks$/, { id: 'wh_1', signing_secret: 'whsec_1' }, 201);
  expect(await rig.run(['webhooks', 'add', 'https://example.com'])).toMatchObject({ code: 2, err: expect.stringMatching(/--session.*--app/) });
  expect((await rig.run(['webhooks', 'add', 'https://example.com', '--session', '@last'])).out).toBe('whsec_1\n');
});

test('webhooks redeliver sends one delivery again, and says how it was taken', async () => {
  const webhook = { id: 'wh_1', url: 'https://example.com', event_types: [], status: 'active', last_error: null };
  rig.route('GET', /\/ses_1\/webhooks$/, { items: [webhook], next_offset: null });
  rig.route('GET', /\/wh_1\/deliveries$/, { items: ['del_1a', 'del_2b'].map((id) => ({ id, event_id: `evt_${id}` })), next_offset: null });
  let taken = { delivered: true, response_status: 204 as number | null, error: null as string | null };
  rig.route('POST', /\/wh_1\/deliveries\/del_2b\/redeliver$/, () => taken);
  expect(await rig.run(['webhooks', 'redeliver', 'wh_1', '2b', '--session', '@last'])).toMatchObject({ code: 0, out: 'https://example.com took it (204)\n' });
  taken = { delivered: false, response_status: null, error: 'too slow' };
  expect(await rig.run(['webhooks', 'redeliver', 'wh_1', 'del_2b', '--session', 'ses_1'])).toMatchObject({ code: 1, out: expect.stringContaining('too slow') });
  expect(await rig.run(['webhooks', 'redeliver', 'wh_1', 'del', '--session', 'ses_1'])).toMatchObject({ code: 2, err: expect.stringContaining('fits 2') });
});
