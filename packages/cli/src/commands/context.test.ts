import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const session = { id: 'ses_1', title: 'Number 1', status: 'idle', archived: false, target: { type: 'agent', id: 'agt_1' }, createdAt: 1, updatedAt: 1 };
const forked = { ...session, id: 'ses_2', title: 'A trial', forked_from: { session_id: 'ses_1', checkpoint_id: 'ckpt_a_1', turn_id: 'turn_a' } };
const data = [
  { checkpoint_id: 'ckpt_b_1', created_at: 2, reason: 'turn.completed', turn_id: 'turn_b' },
  { checkpoint_id: 'ckpt_a_9', created_at: 1, reason: 'context.compacted', turn_id: 'turn_a' },
  { checkpoint_id: 'ckpt_a_1', created_at: 1, reason: 'turn.completed', turn_id: 'turn_a' },
];
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/agent-sessions$/, { items: [session], next_offset: null });
  rig.route('GET', /\/ses_1\/checkpoints$/, { data, next_cursor: null, has_more: true });
  rig.route('POST', /\/ses_1\/checkpoints\/restore$/, session);
  rig.route('POST', /\/ses_1\/fork$/, forked, 201);
});
afterEach(() => rig.stop());
const bodies = () => rig.calls.filter(({ method }) => method === 'POST').map(({ body }) => body);

test('checkpoints lists them, and says that there are more', async () => {
  const { out, err } = await rig.run(['checkpoints', '@last', '--limit', '3']);
  expect(out).toContain('ckpt_b_1');
  expect(err).toContain('--limit 6');
});

test('restore-context takes a turn, a checkpoint or its beginning', async () => {
  for (const to of ['turn_a', 'ckpt_a_1', 'ckpt_b']) expect((await rig.run(['restore-context', '1', '--to', to, '--reason', 'why'])).code).toBe(0);
  expect(bodies()).toEqual(['ckpt_a_1', 'ckpt_a_1', 'ckpt_b_1'].map((checkpoint_id) => ({ checkpoint_id, reason: 'why' })));
  expect((await rig.run(['restore-context', '1', '--to', 'ckpt_a'])).code).toBe(2);
  expect((await rig.run(['restore-context', '1'])).code).toBe(2);
});

test('fork makes a session, or fills one', async () => {
  expect((await rig.run(['fork', '--at', 'turn_a', '--title', 'A trial'])).out).toBe('ses_2 (A trial) begins with the context of ses_1\n');
  await rig.run(['fork', '1', '--at', 'ckpt_a_1', '--into', 'ses_1', '--reason', 'why']);
  expect(bodies()).toEqual([
    { at: 'turn_a', title: 'A trial', reason: '' },
    { checkpoint_id: 'ckpt_a_1', target_session_id: 'ses_1', reason: 'why' },
  ]);
});

test('show says where a session came from', async () => {
  rig.route('GET', /\/agent-sessions$/, { items: [{ ...forked, target: { type: 'agent', id: 'agt_1' } }], next_offset: null });
  rig.route('GET', /\/ses_2\/snapshot$/, { turns: [], required_actions: [], usage: { total_tokens: 0 } });
  expect((await rig.run(['show', 'ses_2'])).out).toContain('ses_1 after turn_a');
});

test('what is no checkpoint and no turn is refused before the server is asked, and it is said how to list them', async () => {
  for (const args of [
    ['fork', '--at', '1'],
    ['restore-context', '1', '--to', 'nope'],
    ['restore-context', '1', '--to', 'turn_x'],
  ]) {
    const { code, err } = await rig.run(args);
    expect(code, args.join(' ')).toBe(2);
    expect(err).toMatch(/is no checkpoint \(ckpt_…\) of ses_1, and no turn \(turn_…\).*turnkeeper checkpoints ses_1\n/);
  }
  expect(bodies()).toEqual([]);
  rig.server.on('POST', /\/ses_1\/fork$/, () => problemAnswer('not_found'));
  expect((await rig.run(['fork', '--at', 'ckpt_x_1'])).code).toBe(2);
});
