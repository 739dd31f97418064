/** A limit that stops a child stops the turn that waits for it, and one resume lets both go on: CH9. */
import { describe, expect, it } from 'vitest';
import {
  call,
  childEnded,
  childMade,
  childResumed,
  dispatch,
  lost,
  modelDone,
  restart,
  resume,
  start,
  submit,
  turn,
  type Wish,
} from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';
import type { ChildReport } from '../child-report.ts';
import type { SessionId } from '../ids.ts';
import { pendingWork } from '../pending-work.ts';

const one: SessionId = 'ses_a-1';
const two: SessionId = 'ses_a-2';
const told = (childId: SessionId, status: 'running' | 'requires_action' | 'interrupted', actions: ChildReport['actions'] = []): Wish => ({
  type: 'child_report',
  childId,
  report: { name: 'helper', agentId: 'agt_1', path: 'helper:1', actions, closed: {}, is: { status } },
});
const delegated = (id: string) => call(id, { name: 'delegate', executor: 'session', replaySafe: true });
const waits = [submit('a'), start(), modelDone('', delegated('c1'), delegated('c2')), dispatch('c1'), childMade(one), dispatch('c2'), childMade(two)];
const action = { request_id: 'act_a-1_1', child_session_id: two, kind: 'external_execution', version: 1, answer_schema: {}, approver: 'application' } as const;

describe('a turn that waits for a child which a limit stopped', () => {
  it('goes on while another child works, and is interrupted when none does', () => {
    given(...waits)
      .when(told(one, 'interrupted'))
      .thenEvents('subagent.updated')
      .thenLive({ status: 'running' });
    given(...waits, told(one, 'interrupted'))
      .when(told(two, 'interrupted'))
      .thenEvents('subagent.updated', 'run.ended', 'turn.interrupted', 'session.status_requires_action')
      .thenEvent('turn.interrupted', { reason: 'budget_exceeded', error_code: 'budget_exceeded' })
      .thenState((state) => expect(pendingWork(state)).toEqual([]));
  });

  it('waits for people first where people are asked, and is interrupted when they have answered', () => {
    const asked = [...waits, told(one, 'interrupted'), told(two, 'requires_action', [action])];
    const parked = given(...waits, told(one, 'interrupted')).when(told(two, 'requires_action', [action]));
    parked.thenLive({ status: 'requires_action' });
    given(...asked)
      .when(told(two, 'interrupted'))
      .thenEvents('required_action.resolved', 'subagent.updated', 'turn.interrupted')
      .thenLive({ status: 'interrupted' });
  });

  it('lets the child go on when it is resumed, and waits for it again', () => {
    const resumed = [...waits, told(one, 'interrupted'), told(two, 'interrupted'), resume('a')];
    const owes = (...more: readonly Wish[]) =>
      pendingWork(given(...resumed, ...more).story.state).map((work) => (work.kind === 'child' ? `${work.step} ${work.childId}` : work.kind));
    expect(owes()).toEqual([`resume ${one}`, `resume ${two}`, 'restart']);
    expect(owes(restart())).toEqual([`resume ${one}`, `resume ${two}`, 'await']);
    expect(owes(restart(), childResumed(one))).toEqual([`resume ${two}`, 'await']);
    // Its own word comes first, now and then.
    expect(owes(restart(), told(one, 'running'), childResumed(two))).toEqual(['await']);
    given(...resumed, restart(), told(one, 'running'))
      .when(childResumed(one))
      .thenRefused('turn_closed');
  });

  it('is interrupted again when the child is', () => {
    const again = [
      ...waits,
      told(one, 'interrupted'),
      told(two, 'interrupted'),
      resume('a'),
      restart(),
      childResumed(one),
      childResumed(two),
      told(one, 'interrupted'),
    ];
    given(...again)
      .when(told(two, 'interrupted'))
      .thenEvents('subagent.updated', 'run.ended', 'turn.interrupted', 'session.status_requires_action');
  });

  it('is interrupted by its next run when the child was stopped while the turn was queued', () => {
    given(...waits, told(one, 'interrupted'), lost, told(two, 'interrupted'))
      .when(restart())
      .thenEvents('turn.running', 'run.started', 'run.ended', 'turn.interrupted', 'session.status_requires_action');
  });

  it('goes on by itself when the child was cancelled: its result is that', () => {
    given(...waits, told(one, 'interrupted'), childEnded(two), told(one, 'interrupted'))
      .when(childEnded(one, 'cancelled'))
      .thenEvents('tool.completed', 'subagent.completed', 'turn.queued', 'session.status_running');
  });

  it('goes on by itself when the child was resumed at its own address', () => {
    given(...waits, told(one, 'interrupted'), told(two, 'interrupted'))
      .when(told(one, 'running'))
      .thenEvent('turn.queued', { turn_id: turn('a'), reason: 'answered' });
  });
});
