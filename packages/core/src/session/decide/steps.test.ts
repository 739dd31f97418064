/** The steps of a run: S14, S15, S16. */
import { describe, expect, it } from 'vitest';
import {
  action,
  asks,
  call,
  cancel,
  dispatch,
  external,
  handedOver,
  itemDelta,
  modelDone,
  modelFailed,
  openItem,
  restart,
  rules,
  safe,
  start,
  submit,
  text,
  toolDone,
  turn,
  turnWithCalls,
} from '../../testing/commands.ts';
import { given, givenWith } from '../../testing/given.ts';
import { pendingWork } from '../pending-work.ts';

const running = [submit('a'), start()];
const toolDelta = { type: 'tool_delta', callId: 'c1', output: [text('50 %')] } as const;

describe('the model call', () => {
  it('opens an item, streams into it and completes it under the same ids', () => {
    given(...running)
      .when(openItem)
      .thenEvents('item.started')
      .thenEvent('item.started', { item_id: 'item_a_2', model_call_id: 'call_a_1', model: 'demo:test' });
    given(...running, openItem)
      .when(itemDelta(text('he')))
      .thenEvents('item.delta')
      .thenEvent('item.delta', { item_id: 'item_a_2', model_call_id: 'call_a_1' });
    given(...running, openItem)
      .when(modelDone('hello'))
      .thenEvent('item.completed', { item_id: 'item_a_2', model_call_id: 'call_a_1', final_output: true });
  });
  it('completes the turn when it asks for nothing', () => {
    given(...running, openItem)
      .when(modelDone('hello'))
      .thenEvents('item.completed', 'usage.recorded', 'run.ended', 'turn.completed', 'session.status_idle')
      .thenEvent('turn.completed', { output_text: 'hello' })
      .thenEvent('run.ended', { status: 'completed' })
      .thenLive(undefined);
  });
  it('may complete without having streamed; the ids are the next ones', () => {
    given(...running)
      .when(modelDone('hello'))
      .thenEvent('item.completed', { item_id: 'item_a_2', model_call_id: 'call_a_1' });
  });
  it('says when the provider reported no usage', () => {
    const { usage: _, cost: __, ...silent } = modelDone('hello');
    given(...running)
      .when(silent)
      .thenEvent('model.completed', { status: 'completed' })
      .thenNot('usage.recorded');
  });
  it('is not made while calls of the step are to be done, nor without a run', () => {
    for (const history of [turnWithCalls('a', call('c1')), turnWithCalls('a', call('c1', external), call('c2')), [submit('a')], [...running, handedOver]]) {
      given(...history)
        .when(openItem)
        .thenRefused('turn_closed');
      given(...history)
        .when(modelDone('hi'))
        .thenRefused('turn_closed');
      given(...history)
        .when(modelFailed())
        .thenRefused('turn_closed');
      given(...history)
        .when(itemDelta(text('x')))
        .thenRefused('turn_closed');
    }
    given(...running, openItem)
      .when(openItem)
      .thenRefused('turn_closed');
    given(...running)
      .when(itemDelta(text('x')))
      .thenRefused('turn_closed');
  });
  it('is a failed attempt when a call id stands twice, or the context would ask for other calls', () => {
    const unusable = [
      modelDone('hi', call('c1'), call('c1')),
      { ...modelDone('hi', call('c1')), parts: [text('hi')] },
      { ...modelDone('hi', call('c1')), calls: [] },
    ];
    for (const wish of unusable) {
      given(...running, openItem)
        .when(wish)
        .thenEvents('model.completed')
        .thenEvent('model.completed', { status: 'failed', error_code: 'model_error', item_id: 'item_a_2' });
    }
    givenWith(rules({ maxModelFailures: 1 }), ...running)
      .when(modelDone('hi', call('c1'), call('c1')))
      .thenEvent('turn.failed', { error_code: 'model_error' });
  });
});

describe('a failed model call', () => {
  it('is tried again at the time that the runner says', () => {
    given(...running, openItem)
      .when(modelFailed({ retryAt: 7_000 }))
      .thenEvents('model.completed')
      .thenEvent('model.completed', { status: 'failed', retry_at: 7_000, item_id: 'item_a_2' })
      .thenState((state) => expect(pendingWork(state)).toEqual([{ kind: 'model', turnId: turn('a'), notBefore: 7_000 }]));
  });
  it('gets new ids at each attempt, also when it never streamed', () => {
    given(...running, modelFailed())
      .when(openItem)
      .thenEvent('item.started', { item_id: 'item_a_3', model_call_id: 'call_a_2' });
    given(...running, openItem, modelFailed())
      .when(openItem)
      .thenEvent('item.started', { item_id: 'item_a_3', model_call_id: 'call_a_2' });
  });
  it('fails the turn when it may not be repeated, or was repeated enough', () => {
    given(...running)
      .when(modelFailed({ retryable: false }))
      .thenEvents('model.completed', 'run.ended', 'turn.failed', 'session.status_idle')
      .thenEvent('turn.failed', { error_code: 'model_error' });
    givenWith(rules({ maxModelFailures: 2 }), ...running, modelFailed())
      .when(modelFailed())
      .thenEvent('turn.failed', { retryable: true });
  });
  it('counts attempts anew after a step', () => {
    givenWith(rules({ maxModelFailures: 2 }), ...running, modelFailed(), modelDone('on', call('c1', safe)), dispatch('c1'), toolDone('c1'))
      .when(modelFailed())
      .thenEvents('model.completed');
  });
  it('leaves the end to the stop when the turn was asked to cancel', () => {
    given(...running, cancel('a'))
      .when(modelFailed({ retryable: false }))
      .thenEvents('model.completed')
      .thenLive({ status: 'running' });
  });
});

describe('tool calls', () => {
  it('are requested together; the server’s may run at once', () => {
    given(...running)
      .when(modelDone('both', call('c1'), call('c2', safe)))
      .thenEvents('item.completed', 'usage.recorded', 'tool.requested', 'tool.requested')
      .thenEvent('tool.requested', { tool_call_id: 'c1', replay_safe: false, asks: false })
      .thenState((state) => expect(pendingWork(state).map((work) => work.kind)).toEqual(['tool', 'tool']));
  });
  it('park the turn when all of them wait for people', () => {
    given(...running)
      .when(modelDone('please', call('c1', asks), call('c2', external)))
      .thenEvents(
        'item.completed',
        'usage.recorded',
        'tool.requested',
        'required_action.created',
        'tool.requested',
        'required_action.created',
        'run.ended',
        'turn.requires_action',
        'session.status_requires_action',
      )
      .thenEvent('required_action.created', { kind: 'confirmation', request_id: action('a', 1), tool_call: { id: 'c1', name: 'tool_c1', input: { id: 'c1' } } })
      .thenEvent('required_action.created', { kind: 'external_execution', request_id: action('a', 2), approver: 'application' })
      .thenEvent('run.ended', { status: 'suspended' })
      .thenEvent('turn.requires_action', { request_ids: [action('a', 1), action('a', 2)] });
  });
  it('that cannot be carried out get their refusal as a result, and the model goes on', () => {
    given(...running)
      .when(modelDone('try', call('c1', { refusal: 'no such tool' })))
      .thenEvent('tool.completed', { tool_call_id: 'c1', status: 'error' })
      .thenState((state) => expect(pendingWork(state)).toEqual([{ kind: 'model', turnId: turn('a'), notBefore: 0 }]));
  });
  it('beyond 64 of a step are refused, each with a result', () => {
    const calls = Array.from({ length: 70 }, (_, n) => call(`c${n}`));
    const then = given(...running).when(modelDone('many', ...calls));
    then.thenEvent('tool.completed', { tool_call_id: 'c69', status: 'error' }).thenState((state) => {
      expect(state.live?.calls).toHaveLength(64);
      expect(pendingWork(state)).toHaveLength(64);
    });
    expect(then.story().events.filter((event) => event.type === 'tool.completed')).toHaveLength(6);
    expect(then.story().events.filter((event) => event.type === 'tool.requested')).toHaveLength(70);
  });
  it('end the turn when its model calls are used up; nobody is asked for what is closed at once', () => {
    givenWith(rules({ maxSteps: 1 }), ...running)
      .when(modelDone('again', call('c1', asks), call('c2')))
      .thenEvent('turn.failed', { error_code: 'max_steps' })
      .thenEvent('tool.completed', { tool_call_id: 'c1', status: 'cancelled' })
      .thenNot('required_action.created');
    givenWith(rules({ maxSteps: 1 }), ...running)
      .when(modelDone('done'))
      .thenEvent('turn.completed', {});
  });
  it('asked for after a cancel are closed by the stop; nobody is asked', () => {
    given(...running, cancel('a'))
      .when(modelDone('please', call('c1', asks), call('c2', external)))
      .thenNot('required_action.created', 'turn.requires_action')
      .thenState((state) => expect(pendingWork(state)).toEqual([{ kind: 'stop', turnId: turn('a') }]));
  });
});

describe('dispatch', () => {
  it('is durable before the tool runs, and happens once', () => {
    given(...turnWithCalls('a', call('c1')))
      .when(dispatch('c1', { to: 'bob' }))
      .thenEvents('tool.dispatched')
      .thenEvent('tool.dispatched', { input: { to: 'bob' } });
    given(...turnWithCalls('a', call('c1')), dispatch('c1'))
      .when(dispatch('c1'))
      .thenRefused('turn_closed');
  });
  it('is refused for what waits, is done, is unknown, or belongs to a turn that stops', () => {
    given(...turnWithCalls('a', call('c1', asks), call('c2')))
      .when(dispatch('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), toolDone('c1'))
      .when(dispatch('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')))
      .when(dispatch('c9'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')), cancel('a'))
      .when(dispatch('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')), handedOver)
      .when(dispatch('c1'))
      .thenRefused('turn_closed');
  });
});

describe('a tool that runs', () => {
  it('shows progress only while it is dispatched', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'))
      .when(toolDelta)
      .thenEvents('tool.delta');
    given(...turnWithCalls('a', call('c1')))
      .when(toolDelta)
      .thenRefused('turn_closed');
  });
  it('gives its result to the model once all calls are done', () => {
    given(...turnWithCalls('a', call('c1'), call('c2')), dispatch('c1'), dispatch('c2'), toolDone('c1'))
      .when(toolDone('c2', 'error'))
      .thenEvents('tool.completed')
      .thenState((state) => expect(pendingWork(state)).toEqual([{ kind: 'model', turnId: turn('a'), notBefore: 0 }]));
  });
  it('parks the turn when only answers are missing', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', asks)), dispatch('c1'))
      .when(toolDone('c1'))
      .thenEvents('tool.completed', 'run.ended', 'turn.requires_action', 'session.status_requires_action');
  });
  it('reports once, and only while its run is open', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), toolDone('c1'))
      .when(toolDone('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')))
      .when(toolDone('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1', safe)), dispatch('c1'), handedOver, restart())
      .when(toolDone('c1'))
      .thenRefused('turn_closed');
  });
  it('may report while the turn stops, without going on', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', asks)), dispatch('c1'), cancel('a'))
      .when(toolDone('c1'))
      .thenEvents('tool.completed');
  });
  it('whose outcome nobody knows is listed when the turn ends', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), toolDone('c1', 'unknown'), cancel('a'))
      .when({ type: 'stopped', outcome: 'cancelled', partialText: '' })
      .thenEvent('turn.cancelled', { unverified_calls: ['c1'] });
  });
});
