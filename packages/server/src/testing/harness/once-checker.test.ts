/** The checker itself: it names what a log tells twice. */
import { loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { expect, test } from 'vitest';
import type { Logged } from './log-checker.ts';
import { onceFaults } from './once-checker.ts';

const child = { child_session_id: 'ses_c', child_turn_id: 'turn_c' };
const input = { input_id: 'inp_1', kind: 'inject', input: [] };
const logOf = (...events: readonly (readonly [type: string, data: Record<string, unknown>])[]): readonly Logged[] =>
  events.map(([type, data], index) => ({ seq: index + 1, event: loggedEvent(type, 1, data) }));
const family = [
  ['tool.dispatched', { turn_id: 'turn_a', tool_call_id: 'c1', child_session_id: 'ses_c' }],
  ['subagent.started', child],
  ['subagent.updated', { ...child, status: 'requires_action' }],
  ['subagent.completed', { ...child, status: 'completed' }],
] as const;

test('what is told once is no fault', () => {
  expect(onceFaults(logOf(...family, ['input.accepted', input], ['artifact.published', { artifact_id: 'art_1' }]))).toEqual([]);
});

test.each([
  [
    'an input',
    [
      ['input.accepted', input],
      ['input.accepted', input],
    ],
    '2 input.accepted: input inp_1 comes twice',
  ],
  [
    'an artifact',
    [
      ['artifact.published', { artifact_id: 'art_1' }],
      ['artifact.published', { artifact_id: 'art_1' }],
    ],
    '2 artifact.published: artifact art_1 comes twice',
  ],
  ['a child', [family[0], family[0]], '2 tool.dispatched: child ses_c is asked for twice'],
  ['its beginning', [family[0], family[1], family[1]], '3 subagent.started: child ses_c begins, which is open'],
  ['its end', [...family, family[3]], '5 subagent.completed: child ses_c ends, which is ended'],
  ['news after its end', [...family, family[2]], '5 subagent.updated: news of child ses_c, which is ended'],
  ['the end of one that never was', [family[3]], '1 subagent.completed: child ses_c ends, which is unknown'],
] as const)('%s that comes twice is', (_name, events, fault) => {
  expect(onceFaults(logOf(...events))).toEqual([fault]);
});
