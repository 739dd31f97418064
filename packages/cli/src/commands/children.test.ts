import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
beforeEach(async () => {
  rig = await createCliRig();
});
afterEach(() => rig.stop());

const child = (id: string, path: string, status: string) => ({
  data: {
    ...{ child_session_id: id, child_turn_id: `turn_${id}`, turn_id: 'turn_1', name: 'helper', agent_id: 'a', path, background: false, status, started_at: 1 },
    ...(status === 'running' ? {} : { ended_at: 2 }),
  },
});
const page = (...data: object[]) => ({ data, next_cursor: null, has_more: false, as_of: 'c' });

test('children prints the whole tree, each child before its own; --open only those that work', async () => {
  const session = { id: 'ses_1', title: 'Plan', status: 'running', archived: false, owner: { type: 'user', id: 'u' }, createdAt: 1, updatedAt: 1 };
  rig.route('GET', /\/agent-sessions$/, { items: [session], next_offset: null });
  rig.route('GET', /\/ses_1\/subagents/, page(child('ses_1-1', 'helper:1', 'running'), child('ses_1-2', 'helper:2', 'failed')));
  rig.route('GET', /\/ses_1-1\/subagents/, page(child('ses_1-1-1', 'helper:1/leaf:1', 'completed')));
  rig.route('GET', /\/(ses_1-2|ses_1-1-1)\/subagents/, page());
  const all = (await rig.run(['children', 'ses_1'])).out.split('\n').filter(Boolean);
  expect(all.map((line) => line.split(/ {2,}/))).toEqual([
    ['helper:1', 'running', 'ses_1-1'],
    ['helper:1/leaf:1', 'completed', 'ses_1-1-1'],
    ['helper:2', 'failed', 'ses_1-2'],
  ]);
  const open = JSON.parse((await rig.run(['children', 'ses_1', '--open', '--json'])).out) as { items: { child_session_id: string }[] };
  expect(open.items.map(({ child_session_id }) => child_session_id)).toEqual(['ses_1-1']);
});
