/** Calls that ask people: S23. */
import { describe, expect, it } from 'vitest';
import {
  action,
  answer,
  answered,
  asking,
  asks,
  call,
  cancel,
  dispatch,
  expire,
  external,
  handedOver,
  lost,
  modelDone,
  question,
  restart,
  result,
  rules,
  start,
  submit,
  text,
  to,
  toolDone,
  turn,
  turnWithCalls,
} from '../../testing/commands.ts';
import { given, givenWith, type Story } from '../../testing/given.ts';
import { applyToResource, type Body, toolKey, touched } from '../../view/resources.ts';
import { dueAt, pendingWork } from '../pending-work.ts';

const first = action('a', 1);
const size = question('size', {
  options: [
    { label: 'S', description: 'small' },
    { label: 'L', description: 'large' },
  ],
});
const colours = question('colours', { multi_select: true });
const asked = asking(size, colours);
const opening = [submit('a'), start()];
const answers = { size: 'L', colours: ['red', 'of the sea'] };

describe('a question', () => {
  it('is asked as soon as the model asks it, and the turn parks', () => {
    given(...opening)
      .when(modelDone('', call('c1', { ...asked, approver: ['ann', 'bob'], expiresAt: 90_000 })))
      .thenEvents(
        'item.completed',
        'usage.recorded',
        'tool.requested',
        'required_action.created',
        'run.ended',
        'turn.requires_action',
        'session.status_requires_action',
      )
      .thenEvent('required_action.created', {
        request_id: first,
        kind: 'question',
        version: 1,
        tool_call: { id: 'c1', name: 'tool_c1', input: { id: 'c1' } },
        questions: [size, colours],
        prompt: 'Which size?',
        options: size.options,
        answer_schema: {
          type: 'object',
          required: ['answers'],
          properties: {
            answers: {
              type: 'object',
              required: ['size', 'colours'],
              additionalProperties: false,
              properties: {
                size: { type: 'string', minLength: 1 },
                colours: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
              },
            },
          },
        },
        approver: ['ann', 'bob'],
        expires_at: 90_000,
      });
  });
  it('is never confirmed first, whatever the mode', () => {
    given(...opening)
      .when(modelDone('', call('c1', { ...asked, ...asks, alwaysAsks: true })))
      .thenEvent('tool.requested', { asks: false })
      .thenEvent('required_action.created', { kind: 'question' });
  });
  it('without anything to ask is refused at once: nothing would answer it', () => {
    for (const empty of [asking(), { executor: 'person' } as const]) {
      given(...opening)
        .when(modelDone('', call('c1', empty)))
        .thenNot('required_action.created')
        .thenEvent('tool.completed', { status: 'error' })
        .thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'model' }]));
    }
  });
  it('is refused like any call that cannot be carried out', () => {
    given(...opening)
      .when(modelDone('', call('c1', { ...asked, refusal: 'too many' })))
      .thenNot('required_action.created')
      .thenEvent('tool.completed', { status: 'error' });
  });
  it('is owed to nobody: a parked turn needs no runner, a running one none for it', () => {
    const { state } = given(...turnWithCalls('a', call('c1', asked))).story;
    expect([pendingWork(state), dueAt(state)]).toEqual([[], null]);
    expect(pendingWork(given(...turnWithCalls('a', call('c1', asked), call('c2'))).story.state)).toMatchObject([{ kind: 'tool', callId: 'c2' }]);
  });
  it('is owed to nobody even before its action is open: no runner could do anything about it', () => {
    const ref = { turn_id: turn('a'), run_id: 'run_a_1', item_id: 'item_a_2', model_call_id: 'call_a_1', execution_id: turn('a'), tool_call_id: 'c1' };
    const requested = { ...ref, name: 'ask_user', input: {}, executor: 'person', replay_safe: true, asks: false } as const;
    const { story, when } = given(...opening, { type: 'tool.requested', data: requested });
    expect(pendingWork(story.state)).toEqual([]);
    when(dispatch('c1')).thenRefused('turn_closed');
  });
  it('is never dispatched', () => {
    given(...turnWithCalls('a', call('c1', asked), call('c2')))
      .when(dispatch('c1'))
      .thenRefused('turn_closed');
  });
  it('is asked of nobody when the turn ends with the step that asks', () => {
    givenWith(rules({ maxSteps: 1 }), ...opening)
      .when(modelDone('', call('c1', asked)))
      .thenNot('required_action.created')
      .thenEvent('tool.completed', { status: 'cancelled' })
      .thenEvent('turn.failed', { error_code: 'max_steps' });
    given(...opening, cancel('a'))
      .when(modelDone('', call('c1', asked)))
      .thenNot('required_action.created')
      .thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'stop' }]));
  });
});

describe('its answer', () => {
  it('is the result of the call, as the model can read it, and the turn goes on', () => {
    const then = given(...turnWithCalls('a', call('c1', asked))).when(answer('a', to(first, answered(answers))));
    then
      .thenEvents(
        'command.accepted',
        'required_action.accepted',
        'required_action.resolved',
        'tool.completed',
        'turn.queued',
        'command.completed',
        'session.status_running',
      )
      .thenEvent('required_action.resolved', { kind: 'question', resolution: 'answered', resolved_by: 'user:ann', tool_call_id: 'c1' })
      .thenEvent('tool.completed', { status: 'success' });
    expect(then.story().rows.at(-1)?.entry).toEqual({
      kind: 'tool_result',
      result: { callId: 'c1', name: 'tool_c1', output: [text('{"size":"L","colours":["red","of the sea"]}')], isError: false },
    });
  });
  it('is taken together with answers of other kinds, in any order', () => {
    const waiting = turnWithCalls('a', call('c1', asked), call('c2', asks), call('c3', external));
    const all = [to(first, answered(answers)), to(action('a', 2), { kind: 'confirmation', allow: true } as const), to(action('a', 3), result())];
    for (const order of [all, all.toReversed()]) {
      given(...waiting)
        .when(answer('a', ...order))
        .thenEvent('turn.queued', {})
        .thenState((state) => expect(state.live?.calls.map(({ status }) => status)).toEqual(['done', 'requested', 'done']));
    }
  });
  it('of another kind is refused', () => {
    given(...turnWithCalls('a', call('c1', asked)))
      .when(answer('a', to(first, result())))
      .thenRefused('validation_failed', { action_id: first, kind: 'question' });
  });
});

describe('a question that is open', () => {
  it('expires once: the call gets a result that says so', () => {
    const then = given(...turnWithCalls('a', call('c1', { ...asked, expiresAt: 50_000 }))).when(expire(first, 50_000));
    then.thenEvent('required_action.resolved', { kind: 'question', resolution: 'expired' }).thenEvent('turn.queued', { reason: 'answered' });
    expect(then.story().rows.at(-1)?.entry).toMatchObject({ result: { callId: 'c1', output: [text('Nobody answered in time.')], isError: true } });
  });
  it('is closed by the cancel of its turn', () => {
    given(...turnWithCalls('a', call('c1', asked)))
      .when(cancel('a'))
      .thenEvent('required_action.resolved', { kind: 'question', resolution: 'cancelled' })
      .thenEvent('tool.completed', { status: 'cancelled' })
      .thenEvent('turn.cancelled', { unverified_calls: [] });
  });
  it('outlives the loss of the run beside it, and waits on without one', () => {
    for (const end of [lost, handedOver]) {
      const beside = [...turnWithCalls('a', call('c1', asked), call('c2', { replaySafe: true })), dispatch('c2'), end, restart(), dispatch('c2')];
      given(...beside)
        .when(toolDone('c2'))
        .thenEvent('turn.requires_action', { request_ids: [first] })
        .thenState((state) => expect(pendingWork(state)).toEqual([]));
    }
    given(...turnWithCalls('a', call('c1', asked), call('c2')), dispatch('c2'), lost)
      .when(answer('a', to(first, answered(answers))))
      .thenNot('turn.queued')
      .thenLive({ status: 'interrupted' });
  });
});

describe('in the view', () => {
  const viewOf = (story: Story) => {
    const bodies = new Map<string, Body | undefined>();
    for (const event of story.events) {
      for (const { kind, id } of touched(event)) bodies.set(`${kind} ${id}`, applyToResource(kind, bodies.get(`${kind} ${id}`), event));
    }
    return { action: bodies.get(`required_action ${first}`), tool: bodies.get(`tool ${toolKey({ turn_id: turn('a'), tool_call_id: 'c1' })}`) };
  };
  it('it stands with all that is asked, its call as waiting, then both with the answer', () => {
    const waiting = turnWithCalls('a', call('c1', asked));
    expect(viewOf(given(...waiting).story)).toMatchObject({
      action: { kind: 'question', status: 'open', questions: [size, colours], prompt: 'Which size?', options: size.options },
      tool: { status: 'waiting', executor: 'person' },
    });
    expect(viewOf(given(...waiting, answer('a', to(first, answered(answers)))).story)).toMatchObject({
      action: { status: 'answered', resolved_by: 'user:ann' },
      tool: { status: 'success', output: [text(JSON.stringify(answers))] },
    });
  });
});
