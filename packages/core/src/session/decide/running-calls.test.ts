/** Calls while they run: the forms that they put to people, and the loss of what runs them. */
import { describe, expect, it } from 'vitest';
import {
  action,
  answer,
  askForm,
  asks,
  call,
  cancel,
  delegating,
  dispatch,
  expire,
  external,
  filledIn,
  handedOver,
  lost,
  modelDone,
  rejectAnswer,
  restart,
  safe,
  stopped,
  succeeded,
  takeBackForm,
  text,
  to,
  toolDone,
  toolsLost,
  turnWithCalls,
} from '../../testing/commands.ts';
import { given, type Story } from '../../testing/given.ts';
import { applyToResource, type Body, toolKey, touched } from '../../view/resources.ts';
import { pendingWork } from '../pending-work.ts';
import { maxFoundTools } from '../state.ts';

const running = [...turnWithCalls('a', call('c1')), dispatch('c1')];
const form = { title: 'Key?', schema: { type: 'object' } } as const;
const first = action('a', 1);
const declined = { kind: 'form', submitted: false } as const;

/** The resource of that id, folded from the story. */
const resource = (story: Story, kind: 'required_action' | 'tool', id: string): Record<string, unknown> =>
  story.events.reduce<Body | undefined>(
    (body, event) => (touched(event).some((ref) => ref.kind === kind && ref.id === id) ? applyToResource(kind, body, event) : body),
    undefined,
  ) as unknown as Record<string, unknown>;
const tool = (story: Story) => resource(story, 'tool', toolKey({ turn_id: 'turn_a', tool_call_id: 'c1' }));

describe('a form of a running call', () => {
  it('RN1 is an action of a call that goes on: the turn stays running, and the call is shown as waiting', () => {
    const story = given(...running)
      .when(askForm('c1', { form, key: 'k', approver: ['ann'], note: { minitool: 'bot' }, expiresAt: 90_000 }))
      .thenEvents('required_action.created')
      .thenEvent('required_action.created', {
        request_id: first,
        kind: 'form',
        while_running: true,
        answer_key: 'k',
        form,
        prompt: 'Key?',
        approver: ['ann'],
        tool_note: { minitool: 'bot' },
        expires_at: 90_000,
        tool_call: { id: 'c1', name: 'tool_c1', input: { id: 'c1' } },
      })
      .thenLive({ status: 'running' })
      .story();
    expect(story.state.live?.calls[0]?.status).toBe('dispatched');
    expect(tool(story)['status']).toBe('waiting');
    expect(pendingWork(story.state).map(({ kind }) => kind)).toEqual(['tool', 'expire']);
  });

  it('RN1 RN3 answered, it is gone with what was sealed; the call runs on and has no result of it', () => {
    const { story } = given(...running, askForm('c1'));
    const after = given(...running, askForm('c1'))
      .when(answer('a', to(first, { ...filledIn, values: { token: 'hunter2' } } as never)))
      .thenEvents('command.accepted', 'required_action.accepted', 'required_action.resolved', 'command.completed')
      .thenEvent('required_action.resolved', { resolution: 'answered', resolved_by: 'user:ann', while_running: true, sealed: 'sealed' })
      .thenLive({ openActions: [], status: 'running' })
      .story();
    expect(JSON.stringify([story, after])).not.toContain('hunter2');
    expect(resource(after, 'required_action', first)).toMatchObject({ status: 'answered', sealed: 'sealed' });
    expect(tool(after)['status']).toBe('running');
    expect(after.state.live?.calls[0]?.status).toBe('dispatched');
  });

  it('declined, it says so and nothing more', () => {
    given(...running, askForm('c1'))
      .when(answer('a', to(first, declined)))
      .thenEvent('required_action.resolved', { resolution: 'denied', while_running: true })
      .thenNot('tool.completed', 'run.ended');
  });

  it('expires without a result, whatever the tool says of answers that do not come', () => {
    given(...running, askForm('c1', { expiresAt: 5_000 }))
      .when({ ...expire(first, 5_000), otherwise: 'go on' } as never)
      .thenEvents('required_action.resolved')
      .thenEvent('required_action.resolved', { resolution: 'expired' });
  });

  it('RN1 a call has one open at a time, and another once it is resolved', () => {
    given(...running, askForm('c1'))
      .when(askForm('c1'))
      .thenRefused('action_pending');
    given(...running, askForm('c1'), answer('a', to(first, declined)))
      .when(askForm('c1'))
      .thenEvent('required_action.created', { request_id: action('a', 2) });
  });

  it('RN2 is asked by a call that runs, and by no other', () => {
    given(...turnWithCalls('a', call('c1')))
      .when(askForm('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1', asks)))
      .when(askForm('c1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1', external)))
      .when(askForm('c1'))
      .thenRefused('turn_closed');
    given(...running, toolDone('c1'))
      .when(askForm('c1'))
      .thenRefused('turn_closed');
    given(...running, cancel('a'))
      .when(askForm('c1'))
      .thenRefused('turn_closed');
  });

  it('RN2 closes with the result of its call, and with that of no other', () => {
    const two = [...turnWithCalls('a', call('c1'), call('c2')), dispatch('c1'), dispatch('c2'), askForm('c1')];
    given(...two)
      .when(toolDone('c2'))
      .thenEvents('tool.completed');
    given(...two)
      .when(toolDone('c1'))
      .thenEvents('required_action.resolved', 'tool.completed')
      .thenEvent('required_action.resolved', { resolution: 'cancelled' });
  });

  it('RN2 closes with its turn, and with its run, however that ends', () => {
    given(...running, askForm('c1'), cancel('a'))
      .when(stopped())
      .thenEvent('required_action.resolved', { request_id: first, resolution: 'cancelled' })
      .thenLive(undefined);
    given(...running, askForm('c1'))
      .when(stopped('timed_out'))
      .thenEvent('required_action.resolved', { resolution: 'cancelled' });
    const again = given(...turnWithCalls('a', call('c1', safe)), dispatch('c1'), askForm('c1')).when(lost);
    again.thenEvents('run.ended', 'required_action.resolved', 'turn.queued').thenLive({ openActions: [] });
    expect(tool(again.story())['status']).toBe('running');
    const unknown = given(...running, askForm('c1')).when(handedOver);
    unknown.thenEvents('run.ended', 'required_action.resolved', 'required_action.created', 'turn.interrupted', 'session.status_requires_action');
    expect(unknown.story().state.live?.openActions).toMatchObject([{ kind: 'reconciliation' }]);
    expect(tool(unknown.story())['status']).toBe('unknown');
  });

  it('is taken back by the run that asked', () => {
    given(...running, askForm('c1'))
      .when(takeBackForm('c1'))
      .thenEvent('required_action.resolved', { resolution: 'cancelled' });
    given(...running)
      .when(takeBackForm('c1'))
      .thenRefused('turn_closed');
  });

  it('RN7 that was answered too late for its call says so, and stays closed; one that is open, or of another turn, has lost nothing', () => {
    const answered = [...running, askForm('c1'), answer('a', to(first, filledIn))];
    given(...answered)
      .when(rejectAnswer('a', first))
      .thenEvents('required_action.rejected')
      .thenEvent('required_action.rejected', { request_id: first, command_id: 'cmd_1', reason: 'withdrawn', pending: false })
      .thenLive({ openActions: [] });
    given(...answered, toolDone('c1'))
      .when(rejectAnswer('a', first))
      .thenEvents('required_action.rejected');
    given(...running, askForm('c1'))
      .when(rejectAnswer('a', first))
      .thenRefused('turn_closed');
    given(...answered)
      .when(rejectAnswer('b', first))
      .thenRefused('turn_closed');
    given(...answered, stopped('timed_out'))
      .when(rejectAnswer('a', first))
      .thenRefused('turn_closed');
  });

  it('RN2 cannot be answered once it is closed', () => {
    given(...running, askForm('c1'), toolDone('c1'))
      .when(answer('a', to(first, filledIn)))
      .thenRefused('action_resolved');
  });
});

describe('RN4 the time of a turn', () => {
  const at = (story: Story) => story.state.live;
  it('stands still while all that runs waits for people', () => {
    const before = at(given(...running).story)?.runStartedAt ?? 0;
    const asked = given(...running, askForm('c1')).story;
    expect(at(asked)?.waitingSince).toBe(asked.at);
    const story = given(...running, askForm('c1'), { ...answer('a', to(first, declined)), at: asked.at + 60_000 }).story;
    expect(at(story)).toMatchObject({ runStartedAt: before + 60_000 });
    expect(at(story)?.waitingSince).toBeUndefined();
  });

  it('goes on while another call runs, and stands still from that one’s result on', () => {
    const two = [...turnWithCalls('a', call('c1'), call('c2', asks)), dispatch('c1')];
    const waits = given(...two, askForm('c1')).story;
    expect(at(waits)?.waitingSince).toBe(waits.at);
    const runs = [...turnWithCalls('a', call('c1'), call('c2')), dispatch('c1'), dispatch('c2'), askForm('c1')];
    expect(at(given(...runs).story)?.waitingSince).toBeUndefined();
    expect(at(given(...runs, toolDone('c2')).story)?.waitingSince).toBeDefined();
  });

  it('counts of a lost run what it ran before it waited', () => {
    const started = at(given(...running).story)?.runStartedAt ?? 0;
    const asked = given(...running, askForm('c1')).story;
    const story = given(...running, askForm('c1'), { ...lost, at: asked.at + 500_000, ranUntil: asked.at + 9 } as never).story;
    expect(at(story)?.ranMs).toBe(asked.at - started);
    expect(at(story)?.waitingSince).toBeUndefined();
  });
});

describe('RN5 calls that lost their process', () => {
  it('have an unknown result, and wait for a person', () => {
    const story = given(...running)
      .when({ type: 'tools_lost', callIds: ['c1'], inputs: { c1: { to: 'bob' } } })
      .thenEvents('run.ended', 'required_action.created', 'turn.interrupted', 'session.status_requires_action')
      .thenEvent('run.ended', { status: 'interrupted', unknown_calls: ['c1'] })
      .thenEvent('required_action.created', { kind: 'reconciliation', tool_call: { id: 'c1', name: 'tool_c1', input: { to: 'bob' } } })
      .thenLive({ status: 'interrupted', lostRuns: 0 })
      .story();
    expect(tool(story)['status']).toBe('unknown');
    expect(pendingWork(story.state)).toEqual([]);
    given(...running, toolsLost('c1'))
      .when(answer('a', to(first, succeeded)))
      .thenEvent('turn.queued', { reason: 'answered' });
  });

  it('wait until nothing else of the step runs', () => {
    const two = [...turnWithCalls('a', call('c1'), call('c2')), dispatch('c1')];
    given(...two)
      .when(toolsLost('c1'))
      .thenRefused('turn_not_resumable');
    given(...two, dispatch('c2'))
      .when(toolsLost('c1'))
      .thenRefused('turn_not_resumable');
    given(...two, dispatch('c2'), toolDone('c2'))
      .when(toolsLost('c1'))
      .thenLive({ status: 'interrupted' });
    given(...two, dispatch('c2'))
      .when(toolsLost('c1', 'c2'))
      .thenLive({ status: 'interrupted' });
  });

  it('leave a child at its work, whose result is still waited for afterwards', () => {
    given(...turnWithCalls('a', call('c1'), delegating('c2')), dispatch('c1'), dispatch('c2'))
      .when(toolsLost('c1'))
      .thenLive({ status: 'interrupted' });
  });

  it('are none where nothing runs, where the turn is being stopped, or without a name', () => {
    given(...turnWithCalls('a', call('c1')))
      .when(toolsLost('c1'))
      .thenRefused('turn_closed');
    given(...running, cancel('a'))
      .when(toolsLost('c1'))
      .thenRefused('turn_closed');
    given(...running)
      .when(toolsLost())
      .thenRefused('turn_closed');
    given(...running, toolDone('c1'))
      .when(toolsLost('c1'))
      .thenRefused('turn_closed');
  });

  it('close their forms with them', () => {
    given(...running, askForm('c1'))
      .when(toolsLost('c1'))
      .thenEvent('required_action.resolved', { request_id: first, resolution: 'cancelled' });
  });
});

describe('RN6 tools that were found', () => {
  const found = (callId: string, ...names: readonly string[]) =>
    ({ type: 'tool_done', callId, outcome: { status: 'success', output: [text('found')], found: names } }) as const;
  it('are remembered once each, the newest of them, over turns and runs', () => {
    given(...running)
      .when(found('c1', 'bot_a', 'bot_b', 'bot_a'))
      .thenEvent('tool.completed', { found_tools: ['bot_a', 'bot_b', 'bot_a'] })
      .thenState((state) => expect(state.foundTools).toEqual(['bot_a', 'bot_b']));
    const many = Array.from({ length: maxFoundTools }, (_, n) => `bot_${n}`);
    const story = given(...running, found('c1', 'old', 'bot_3'), modelDone('', call('c2')), dispatch('c2'), found('c2', ...many), modelDone('done')).story;
    expect(story.state.foundTools).toHaveLength(maxFoundTools);
    expect(story.state.foundTools).not.toContain('old');
    expect(story.state.live).toBeUndefined();
  });

  it('are none of a call that found nothing', () => {
    given(...running)
      .when(toolDone('c1'))
      .thenState((state) => expect(state.foundTools).toBeUndefined());
  });
});

it('a call that is repeated after a lost run asks again', () => {
  given(...turnWithCalls('a', call('c1', safe)), dispatch('c1'), askForm('c1'), lost, restart(), dispatch('c1'))
    .when(askForm('c1'))
    .thenEvent('required_action.created', { request_id: action('a', 2), while_running: true });
});
