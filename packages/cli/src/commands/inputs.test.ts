/** `steer`, `inject` and `queue`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const turn = (id: string, status: string, preview = id) => ({ id, status, preview, queuePosition: 0 });
const queued = (...ids: readonly string[]) => ({ current: turn('turn_a', 'running'), items: ids.map((id) => turn(id, 'queued', `do\n${id}`)), version: 'v1' });
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/agent-sessions$/, { items: [{ id: 'ses_1', title: '', status: 'running', updatedAt: 1 }], next_offset: null });
  rig.route('POST', /\/(steer|inject)$/, { input_id: 'inp_1', turn_id: 'turn_a', status: 'accepted' }, 202);
});
afterEach(() => rig.stop());
const sent = (method: string) => rig.calls.filter((call) => call.method === method).map(({ path, body }) => ({ path, body }));
const base = '/api/v1/agent-sessions/ses_1';

test('steer speaks to the turn that has started, or to the next, or to the one that is named', async () => {
  rig.route('GET', /\/queue$/, queued('turn_b'));
  expect((await rig.run(['steer', 'be brief'])).out).toContain('turn_a hears it at its next step');
  await rig.run(['steer', 'be brief', '--session', 'ses_1', '--turn', 'turn_b', '--key', 'k1', '--json']);
  rig.route('GET', /\/queue$/, { ...queued('turn_c'), current: null });
  await rig.run(['steer', 'be brief']);
  const body = { message: 'be brief' };
  expect(sent('POST')).toEqual(['turn_a', 'turn_b', 'turn_c'].map((id) => ({ path: `${base}/turns/${id}/steer`, body })));
  rig.route('GET', /\/queue$/, { ...queued(), current: null });
  expect((await rig.run(['steer', 'be brief'])).code).toBe(2);
});

test('inject needs no turn', async () => {
  expect((await rig.run(['inject', 'the house is blue'])).out).toBe(
    'inp_1 is stored: heard at the next step of the turn under way in ses_1, or of the next one.\n',
  );
  expect(sent('POST')).toEqual([{ path: `${base}/inputs/inject`, body: { message: 'the house is blue' } }]);
});

test('queue lists, puts a turn first, and takes one out', async () => {
  rig.route('GET', /\/queue$/, queued('turn_b', 'turn_bb', 'turn_c'));
  rig.route('PUT', /\/queue$/, queued('turn_c', 'turn_b', 'turn_bb'));
  rig.route('DELETE', /\/queue\//, { command: { id: 'cmd_1' }, status_url: '' }, 202);
  expect((await rig.run(['queue', '@last'])).out).toBe('1  turn_b  do turn_b\n2  turn_bb  do turn_bb\n3  turn_c  do turn_c\n');
  expect((await rig.run(['queue', '--first', '3'])).out).toMatch(/^1 {2}turn_c/);
  await rig.run(['queue', '--remove', 'c', '--json']);
  expect(sent('PUT')).toEqual([{ path: `${base}/queue`, body: { order: ['turn_c', 'turn_b', 'turn_bb'], version: 'v1' } }]);
  expect(sent('DELETE').map(({ path }) => path)).toEqual([`${base}/queue/turn_c`]);
  for (const wrong of [
    ['--first', 'turn_x'],
    ['--first', '9'],
    ['--first', 'turn_b'],
    ['--first', '1', '--remove', '2'],
  ]) {
    expect((await rig.run(['queue', 'ses_1', ...wrong])).code).toBe(2);
  }
});
