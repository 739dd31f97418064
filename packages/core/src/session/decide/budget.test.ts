/** The stop at a limit and the warnings before it: BU1 to BU4. */
import { describe, expect, it } from 'vitest';
import {
  call,
  cancel,
  dispatch,
  exceedBudget,
  handedOver,
  modelDone,
  noteBudget,
  openItem,
  restart,
  resume,
  start,
  steer,
  submit,
  toolDone,
  turn,
  turnWithCalls,
  warnBudget,
} from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';
import { addSpent, type Budget, exceeded, levelsOf, nothingSpent, type Spent, usesOf } from '../budget.ts';
import { pendingWork } from '../pending-work.ts';

const spent = (more: Partial<Spent>, turn: Partial<Spent> = {}) => ({ all: { ...nothingSpent, ...more }, turn: { ...nothingSpent, ...turn } });

describe('a budget', () => {
  it('lets calls through until as much was used as it allows', () => {
    expect(exceeded({ max_model_calls: 2 }, spent({ model_calls: 1 }))).toBeUndefined();
    expect(exceeded({ max_model_calls: 2 }, spent({ model_calls: 2 }))).toEqual({ limit: 'max_model_calls', reason: 'reached', used: 2, max: 2 });
    expect(exceeded({ max_total_tokens: 10 }, spent({ total_tokens: 9 }))).toBeUndefined();
    expect(exceeded({ max_total_tokens: 10 }, spent({ total_tokens: 15 }))).toMatchObject({ reason: 'reached', used: 15 });
    expect(exceeded({ max_tokens_per_turn: 10 }, spent({ total_tokens: 90 }, { total_tokens: 9 }))).toBeUndefined();
    expect(exceeded({ max_tokens_per_turn: 10 }, spent({}, { total_tokens: 10 }))).toMatchObject({ limit: 'max_tokens_per_turn' });
    expect(exceeded({}, spent({ model_calls: 999, unreported_calls: 9, unpriced_calls: 9 }))).toBeUndefined();
  });

  it('takes what is unknown for what it may be, each limit for what it counts', () => {
    const unknown = spent({ model_calls: 1, unreported_calls: 1, unpriced_calls: 1 }, { unreported_calls: 1 });
    const reasons = (budget: Budget) => exceeded(budget, unknown)?.reason;
    expect(reasons({ max_model_calls: 5 })).toBeUndefined();
    expect(reasons({ max_total_tokens: 1_000 })).toBe('unreported');
    expect(reasons({ max_tokens_per_turn: 1_000 })).toBe('unreported');
    expect(reasons({ max_cost: 9, currency: 'USD' })).toBe('unpriced');
    expect(exceeded({ max_total_tokens: 1_000 }, spent({ unpriced_calls: 3 }))).toBeUndefined();
  });

  it('is not passed by float dust', () => {
    const dimes = Array.from({ length: 3 }, () => ({ ...nothingSpent, cost: 0.1 })).reduce(addSpent);
    expect(exceeded({ max_cost: 0.3, currency: 'EUR' }, { all: dimes, turn: nothingSpent })).toMatchObject({ used: 0.3, currency: 'EUR' });
  });

  it('knows which percentage of each limit is passed; a limit of nothing is used up', () => {
    const levels = (used: number, max: number) => levelsOf(usesOf({ max_total_tokens: max }, spent({ total_tokens: used })));
    expect([0, 49, 50, 79, 80, 99, 100, 500].map((used) => levels(used, 100).max_total_tokens)).toEqual([undefined, undefined, 50, 50, 80, 80, 100, 100]);
    expect(levels(0, 0)).toEqual({ max_total_tokens: 100 });
  });
});

describe('at a limit', () => {
  it('the turn is interrupted between two model calls, holds its queue, and owes nothing', () => {
    given(submit('a'), submit('b'), start())
      .when(exceedBudget)
      .thenEvents('budget.exceeded', 'run.ended', 'turn.interrupted', 'session.status_requires_action')
      .thenEvent('budget.exceeded', { turn_id: turn('a'), limit: 'max_model_calls', used: 2, max: 2, reason: 'reached' })
      .thenEvent('turn.interrupted', { reason: 'budget_exceeded', error_code: 'budget_exceeded' })
      .thenLive({ status: 'interrupted', id: turn('a') })
      .thenState((state) => expect(pendingWork(state)).toEqual([]));
  });

  it('resume goes on with the call that was refused, under the same name: no tool is run again', () => {
    const then = given(...turnWithCalls('a', call('c1')), dispatch('c1'), toolDone('c1'), exceedBudget, resume('a')).when(restart());
    then.thenEvents('turn.running', 'run.started').thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'model' }]));
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), toolDone('c1'), exceedBudget, resume('a'), restart())
      .when(openItem)
      .thenEvent('item.started', { model_call_id: 'call_a_2' });
  });

  it('cancel lets go, and the next turn can start', () => {
    given(submit('a'), submit('b'), start(), exceedBudget)
      .when(cancel('a'))
      .thenEvent('turn.cancelled', { unverified_calls: [] })
      .thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'start', turnId: turn('b') }]));
  });

  it('is no stop where no model call is owed: while it answers or uses tools, when it was asked to cancel, or has a steer to hear', () => {
    given(submit('a'), start(), openItem).when(exceedBudget).thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')))
      .when(exceedBudget)
      .thenRefused('turn_closed');
    given(submit('a'), start(), cancel('a')).when(exceedBudget).thenRefused('turn_closed');
    given(submit('a'), start(), handedOver).when(exceedBudget).thenRefused('turn_closed');
    given(submit('a'), start(), openItem, steer('a'), modelDone('hi')).when(exceedBudget).thenRefused('turn_closed');
  });

  it('names whose limit it is where that is an ancestor', () => {
    given(submit('a'), start())
      .when({ ...exceedBudget, sessionId: 'ses_root' } as typeof exceedBudget)
      .thenEvent('budget.exceeded', { session_id: 'ses_root' });
  });
});

describe('a warning', () => {
  it('is given once for each percentage that is passed, whoever notices', () => {
    given(submit('a')).when(warnBudget(4)).thenEvents();
    given(submit('a')).when(warnBudget(6)).thenEvents('budget.warning').thenEvent('budget.warning', { percent: 50, used: 6, max: 10 });
    given(submit('a'), warnBudget(6)).when(warnBudget(7)).thenEvents();
    given(submit('a'), warnBudget(6)).when(warnBudget(10)).thenEvents('budget.warning', 'budget.warning').thenEvent('budget.warning', { percent: 100 });
    given(submit('a'), warnBudget(10)).when(warnBudget(12)).thenEvents();
  });

  it('of one limit says nothing of another', () => {
    given(submit('a'), warnBudget(10))
      .when(warnBudget(5, 10, 'max_model_calls'))
      .thenEvents('budget.warning');
  });

  it('is armed again above what is used when the limit is raised', () => {
    const raised = given(submit('a'), warnBudget(10), noteBudget(20, { max_total_tokens: 50 }));
    raised.when(warnBudget(11, 20)).thenEvents();
    raised.when(warnBudget(16, 20)).thenEvents('budget.warning').thenEvent('budget.warning', { percent: 80 });
    given(submit('a'), warnBudget(10), noteBudget(99)).when(warnBudget(50, 99)).thenEvents('budget.warning');
    given(submit('a'), warnBudget(5), noteBudget(5, { max_total_tokens: 100 }))
      .when(warnBudget(5, 5))
      .thenEvents('budget.warning', 'budget.warning');
  });

  it('of what a turn may use belongs to that turn, and is given anew for the next', () => {
    const perTurn = (used: number) => warnBudget(used, 10, 'max_tokens_per_turn');
    given(submit('a')).when(perTurn(6)).thenEvents();
    const first = [submit('a'), start(), perTurn(6), modelDone('hi')];
    given(submit('a'), start())
      .when(perTurn(6))
      .thenEvent('budget.warning', { turn_id: turn('a') });
    given(...first, submit('b'), start())
      .when(perTurn(6))
      .thenEvents('budget.warning')
      .thenEvent('budget.warning', { turn_id: turn('b') });
  });
});
