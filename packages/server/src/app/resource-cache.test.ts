/** What a writer holds between commits: open resources only (R3). */
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import { expect, test } from 'vitest';
import { ResourceCache } from './resource-cache.ts';

const turn_id = 'turn_1';
const event = (type: LoggedEvent['type'], data: object): LoggedEvent =>
  ({ type, at: 1, data: { turn_id, run_id: 'run_1', ...data } }) as unknown as LoggedEvent;
const item = (n: number, status: string) => ({ item_id: `item_${n}`, item: { id: `item_${n}`, type: 'message', role: 'assistant', content: [], status } });
const requested = (id: string) => event('tool.requested', { tool_call_id: id, execution_id: id, name: 't', input: {}, executor: 'server' });
const completed = (id: string) => event('tool.completed', { tool_call_id: id, execution_id: id, name: 't', status: 'success', result: { output: [] } });

const open = () => {
  const cache = new ResourceCache();
  let looked = 0;
  const commit = (...events: readonly LoggedEvent[]): void => {
    expect(cache.missing(events)).toEqual([]);
    const changes = cache.fold(
      events,
      events.map(() => 10),
    );
    cache.keep(changes, (id) => {
      looked += 1;
      return id === turn_id;
    });
  };
  return { cache, commit, looked: () => looked };
};

test('R3 items, tools, actions, runs and commands that ended are let go with their commit', () => {
  const { cache, commit } = open();
  commit(event('turn.accepted', { n: 1, preview: '' }), event('run.started', { n: 1 }));
  expect(cache.size).toBe(2);
  for (let step = 1; step <= 20; step += 1) {
    commit(event('item.started', item(step, 'in_progress')));
    const calls = Array.from({ length: 64 }, (_, n) => `${step}_${n}`);
    commit(event('item.completed', item(step, 'completed')), ...calls.map(requested));
    expect(cache.size).toBe(2 + 64);
    for (const call of calls) commit(completed(call));
    expect(cache.size).toBe(2);
  }
  commit(event('required_action.created', { request_id: 'act_1', kind: 'question' }), event('command.accepted', { command_id: 'cmd_1', kind: 'actions' }));
  expect(cache.size).toBe(3);
  commit(event('required_action.resolved', { request_id: 'act_1', kind: 'question', resolution: 'answered' }));
  commit(event('run.ended', { status: 'completed' }));
  expect(cache.size).toBe(1);
});

test('R3 a delta is kept without a look at the rest', () => {
  const { commit, looked } = open();
  commit(event('turn.accepted', { n: 1, preview: '' }), event('item.started', item(1, 'in_progress')));
  const before = looked();
  commit(event('item.delta', { item_id: 'item_1', content: [{ type: 'text', text: 'a' }] }));
  expect(looked()).toBe(before);
});

test('R3 what comes for one that ended is read again', () => {
  const { cache, commit } = open();
  commit(requested('a'));
  commit(completed('a'));
  expect(cache.missing([completed('a')])).toEqual([{ kind: 'tool', id: `${turn_id}:a` }]);
});
