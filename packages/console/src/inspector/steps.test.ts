import { expect, test } from 'vitest';
import { stepsIn } from './steps.ts';

const step = { step_id: 's1', turn_id: 'turn_1', key: 'review', type: 'agent', status: 'running', attempt: 2, child_session_id: 'ses_1-1', started_at: 5 };

test('steps are read from a list and from a map, and what is none is left out', () => {
  const shown = { id: 's1', turnId: 'turn_1', title: 'review', type: 'agent', status: 'running', attempt: 2, childId: 'ses_1-1', startedAt: 5 };
  expect(stepsIn({ steps: [{ type: 'step.updated', data: step }] })).toMatchObject([shown]);
  expect(stepsIn({ steps: { s1: step, odd: null, other: { nothing: 1 } } })).toMatchObject([shown]);
  expect(stepsIn({})).toEqual([]);
  expect(stepsIn({ steps: 7 })).toEqual([]);
  expect(stepsIn({ steps: [{ data: { ...step, name: 'Look', error: { code: 'timed_out' } } }] })).toMatchObject([{ title: 'Look', error: 'timed_out' }]);
});
