import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const session = (changes: object = {}) => ({
  id: 'ses_1',
  title: 'Chat with Ada',
  status: 'idle',
  archived: false,
  target: { type: 'agent', id: 'agent_1' },
  owner: { type: 'minitool', id: 'bot' },
  placement: { type: 'container', id: 'bot/inbox' },
  activity: 'background',
  unread: true,
  createdAt: 1,
  updatedAt: 2,
  ...changes,
});
const usage = { model_calls: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0, estimated_cost: 0, currency: null, cost_complete: true, unpriced_calls: 0 };
const snapshot = { session: session(), as_of: 'c1', turns: [], items: [], subagents: [], required_actions: [], usage };
const listed = (...items: object[]): void => rig.route('GET', /\/agent-sessions$/, { items, next_offset: null });

beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/ses_1\/snapshot$/, snapshot);
  rig.route('POST', /\/ses_1\/seen$/, undefined, 204);
});
afterEach(() => rig.stop());
const seen = (): number => rig.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/seen')).length;

test('whoever is shown a session has looked at it: its mark goes; a program is nobody, and what has no mark is left alone', async () => {
  listed(session());
  expect((await rig.run(['ls'])).out).toContain('• Chat with Ada');
  expect(seen()).toBe(0);
  expect((await rig.run(['show', 'ses_1', '--json'])).code).toBe(0);
  expect(seen()).toBe(0);
  expect((await rig.run(['show', 'ses_1'])).out).toMatch(/status +idle +unread/);
  expect(seen()).toBe(1);
  listed(session({ unread: undefined }));
  expect((await rig.run(['show', 'ses_1'])).out).not.toContain('unread');
  expect(seen()).toBe(1);
});

test('who may only read it is told nothing of the refusal', async () => {
  listed(session());
  rig.route('POST', /\/ses_1\/seen$/, { code: 'forbidden', detail: 'You may read this session but not control it.' }, 403);
  const { code, err } = await rig.run(['show', 'ses_1']);
  expect([code, err, seen()]).toEqual([0, '', 1]);
});

test('@last is a session of one’s own, not one that a mini-tool has put among them', async () => {
  const own = session({ owner: { type: 'user', id: 'usr_1' }, activity: undefined, unread: undefined, updatedAt: 1 });
  listed(session({ id: 'ses_2', placement: { type: 'space', id: 'default' }, unread: undefined, updatedAt: 9 }), own);
  expect((await rig.run(['show'])).out).toMatch(/id +ses_1/);
});
