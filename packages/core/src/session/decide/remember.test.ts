/** Tools that a person allowed for the rest of the session: S24. */
import { describe, expect, it } from 'vitest';
import {
  action,
  allow,
  alwaysAsks,
  answer,
  asks,
  call,
  dispatch,
  external,
  lost,
  modelDone,
  openItem,
  remember,
  restart,
  start,
  submit,
  to,
  toolDone,
  turnWithCalls,
} from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';
import type { Command } from '../commands.ts';
import { decide } from '../decide.ts';
import { maxAllowedTools, type SessionState } from '../state.ts';

const first = action('a', 1);
const second = action('a', 2);
const pay = { ...asks, name: 'pay' };
const waiting = turnWithCalls('a', call('c1', pay));
const allowed = [...waiting, answer('a', to(first, remember)), restart(), dispatch('c1'), toolDone('c1'), openItem];
/** The same state with other allowed tools, as an older or fuller session has them. */
const withTools = (state: SessionState, allowedTools: readonly string[]): SessionState => ({ ...state, allowedTools });

describe('a confirmation', () => {
  it('says whether its answer can be remembered, and so does its schema', () => {
    given(...turnWithCalls('a', call('c1', pay), call('c2', alwaysAsks)))
      .when(answer('a', to(first, allow)))
      .thenNot('required_action.created');
    const { events } = given(...turnWithCalls('a', call('c1', pay), call('c2', alwaysAsks))).story;
    const created = events.flatMap((event) => (event.type === 'required_action.created' ? [event.data] : []));
    expect(created.map((data) => [data.can_remember, 'remember' in (data.answer_schema['properties'] as object)])).toEqual([
      [true, true],
      [false, false],
    ]);
  });
});

describe('a tool that was allowed for the session', () => {
  it('is named by the event, and remembered', () => {
    given(...waiting)
      .when(answer('a', to(first, remember)))
      .thenEvent('required_action.resolved', { resolution: 'answered', remembered_tool: 'pay' })
      .thenState((state) => expect(state.allowedTools).toEqual(['pay']));
  });
  it('is remembered with edited arguments too: they are of this one call', () => {
    given(...waiting)
      .when(answer('a', to(first, { kind: 'confirmation', allow: true, remember: 'session', input: { to: 'eve' } })))
      .thenEvent('required_action.resolved', { input: { to: 'eve' }, remembered_tool: 'pay' });
  });
  it('is not asked for again: not in this turn', () => {
    given(...allowed)
      .when(modelDone('', call('c2', pay)))
      .thenNot('required_action.created')
      .thenEvent('tool.requested', { asks: false })
      .thenLive({ status: 'running' });
  });
  it('and not in a later one', () => {
    given(...allowed, modelDone('done'), submit('b'), start())
      .when(modelDone('', call('c2', pay)))
      .thenNot('required_action.created');
  });
  it('nor after the loss of a process', () => {
    given(...allowed, lost, restart())
      .when(modelDone('', call('c2', pay)))
      .thenNot('required_action.created');
  });
  it('of the application goes to it at once', () => {
    given(...allowed)
      .when(modelDone('', call('c2', { ...pay, ...external })))
      .thenEvent('required_action.created', { kind: 'external_execution' });
  });
  it('is asked for all the same when it asks every time now', () => {
    given(...allowed)
      .when(modelDone('', call('c2', { ...pay, alwaysAsks: true })))
      .thenEvent('required_action.created', { kind: 'confirmation', can_remember: false });
  });
  it('leaves others as they are: other tools, and what was asked before', () => {
    given(...allowed)
      .when(modelDone('', call('c2', { ...asks, name: 'pay_back' })))
      .thenEvent('required_action.created', { kind: 'confirmation' });
    given(...turnWithCalls('a', call('c1', pay), call('c2', pay)))
      .when(answer('a', to(first, remember)))
      .thenState((state) => expect(state.live?.openActions.map(({ id }) => id)).toEqual([second]));
  });
  it('may be allowed twice in one request, and is remembered once', () => {
    given(...turnWithCalls('a', call('c1', pay), call('c2', pay)))
      .when(answer('a', to(first, remember), to(second, remember)))
      .thenState((state) => expect(state.allowedTools).toEqual(['pay']));
  });
});

describe('an answer to be remembered is refused, whole', () => {
  const fault = (detail: string) => ({ action_id: first, errors: [{ pointer: '/payload/remember', detail }] });
  it('when it denies', () => {
    given(...waiting)
      .when(answer('a', to(first, { kind: 'confirmation', allow: false, remember: 'session' })))
      .thenRefused('validation_failed', fault('only what is allowed can be remembered'));
  });
  it('when the tool asks every time', () => {
    given(...turnWithCalls('a', call('c1', alwaysAsks), call('c2', pay)))
      .when(answer('a', to(second, remember), to(first, remember)))
      .thenRefused('validation_failed', fault('this tool asks every time: its answer cannot be remembered'));
  });
  it('when it was asked before there was anything to remember', () => {
    const old = { turn_id: 'turn_a', request_id: second, kind: 'confirmation', version: 1, answer_schema: {}, approver: 'owner' } as const;
    given(...waiting, { type: 'required_action.created', data: { ...old, tool_call: { id: 'c1', name: 'pay', input: {} } } })
      .when(answer('a', to(second, remember)))
      .thenRefused('validation_failed');
  });
  it('when the session remembers as many tools as it can; such a session offers it no more', () => {
    const many = Array.from({ length: maxAllowedTools }, (_, n) => `tool_${n}`);
    const { state } = given(...waiting).story;
    const ask = { ...answer('a', to(first, remember)), at: 9_000 } as Command;
    expect(decide(withTools(state, many), ask)).toMatchObject({ ok: false, code: 'validation_failed' });
    expect(decide(withTools(state, many.slice(1)), ask)).toMatchObject({ ok: true });
    expect(decide(withTools(state, [...many.slice(1), 'pay']), ask)).toMatchObject({ ok: true });
    const at = given(submit('a'), start()).story.state;
    const asked = decide(withTools(at, many), { ...modelDone('', call('c1', pay)), at: 9_000 } as Command);
    expect(asked.ok && asked.events.find(({ type }) => type === 'required_action.created')).toMatchObject({ data: { can_remember: false } });
  });
});

describe('a state that was written before', () => {
  it('allows nothing', () => {
    const { state } = given(submit('a'), start()).story;
    expect(state).not.toHaveProperty('allowedTools');
    given(submit('a'), start())
      .when(modelDone('', call('c1', pay)))
      .thenEvent('required_action.created', { kind: 'confirmation' });
  });
});
