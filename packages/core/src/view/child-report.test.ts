/** What a child tells: also how those actions ended that its parent may show without the child knowing. */
import { expect, it } from 'vitest';
import type { ActionBody } from './action.ts';
import { childReport } from './child-report.ts';
import type { TurnBody } from './turn.ts';

const action = (request_id: string, more: Partial<ActionBody>): ActionBody =>
  ({ turn_id: 'turn_a-1', request_id, kind: 'question', version: 1, answer_schema: {}, approver: 'owner', created_at: 1, ...more }) as ActionBody;

it('names all that is open, and how everything else ended', () => {
  const actions = [
    action('act_1', { status: 'answered', resolved_by: 'user:ann' }),
    action('act_2', { status: 'open' }),
    action('act_3', { status: 'expired' }),
  ];
  const report = childReport(
    { id: 'ses_a-1', name: 'helper', agentId: 'agt_1', path: 'helper:1' },
    { turn: { status: 'requires_action' } as TurnBody, actions, asOf: 7 },
  );
  expect(report.actions.map(({ request_id, child_session_id }) => [request_id, child_session_id])).toEqual([['act_2', 'ses_a-1']]);
  expect(report.closed).toEqual({ act_1: { resolution: 'answered', resolvedBy: 'user:ann' }, act_3: { resolution: 'expired' } });
  expect(report.is).toEqual({ status: 'requires_action' });
});
