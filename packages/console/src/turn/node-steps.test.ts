import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { expect, test } from 'vitest';
import { nodeOfRow, nodeStepsOf } from './node-steps.ts';

type Told = { readonly key: string; readonly status: string; readonly [member: string]: unknown };
const step = ({ key, status, ...more }: Told): Envelope =>
  ({ type: status === 'failed' ? 'step.failed' : 'step.updated', data: { step_id: `step_1_${key}`, key, status, attempt: 1, ...more } }) as never;
const shown = (events: readonly Envelope[], isOver = false) => Object.fromEntries(nodeStepsOf(events, isOver).steps);

test('NG1 each node stands as it was told last, with the ways that it took; what nobody told of has not begun', () => {
  const told = [
    step({ key: 'draft', status: 'running', child_session_id: 'ses_child' }),
    step({ key: 'draft', status: 'succeeded' }),
    step({ key: 'draft', status: 'succeeded', taken: [0, 2] }),
    step({ key: 'other', status: 'skipped', attempt: 0 }),
    step({ key: 'review', status: 'waiting', request_id: 'act_1' }),
  ];
  expect(shown(told)).toEqual({ draft: { status: 'succeeded', taken: [0, 2] }, other: { status: 'skipped' }, review: { status: 'waiting' } });
  const again = step({ key: 'draft', status: 'running', step_id: 'step_1_draft~2' });
  const begunAnew = [...told, { type: 'outcome.checked', data: { again: true } } as never, again];
  expect(shown(begunAnew)).toEqual({ draft: { status: 'running' } });
  expect(nodeStepsOf(begunAnew, false).rowOf.get('draft')).toBe('step_1_draft~2');
});

test('NG2 what was open when the turn ended is cancelled, and what failed stays so', () => {
  const told = [step({ key: 'a', status: 'failed' }), step({ key: 'b', status: 'sleeping', until: 9 })];
  expect(shown(told, true)).toEqual({ a: { status: 'failed' }, b: { status: 'cancelled' } });
});

test('a map tells how many of its elements are over; all that belongs to a node leads to it', () => {
  const told = [
    step({ key: 'each', status: 'running', map: { total: 3, parallel: 2, begun: 0, ended: 0, failed: 0 } }),
    step({ key: 'each.0', status: 'running', child_session_id: 'ses_0' }),
    step({ key: 'each.1', status: 'running' }),
    step({ key: 'each.0', status: 'succeeded' }),
    step({ key: 'each.1', status: 'failed' }),
    step({ key: 'each.1', status: 'delayed', until: 5 }),
  ];
  const nodes = nodeStepsOf(told, false);
  expect(shown(told)).toEqual({ each: { status: 'running', note: '1/3' } });
  const at = (id: string, parent?: string) => nodeOfRow(nodes, { id, parent });
  expect([at('step_1_each'), at('step_1_each.1'), at('ses_0'), at('act_1', 'step_1_each'), at('run_1', undefined)]).toEqual([
    ...Array(4).fill('each'),
    undefined,
  ]);
});
