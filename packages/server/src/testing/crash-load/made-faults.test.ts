/** The checks of the crash loads themselves: each names what it is there to find. */
import { childInputId } from '@turnkeeper/core/session/ids';
import { expect, test } from 'vitest';
import type { StreamEvent, StubbornHttp } from '../harness/stubborn-http.ts';
import { childFaults, familyFaults, inputFaults, limitFaults, publishFaults } from './made-faults.ts';
import type { SessionLoad } from './session-load.ts';

let n = 0;
const event = (type: string, data: Record<string, unknown>): StreamEvent => {
  n += 1;
  return { id: `evt_${n}`, type, cursor: `c${n}`, created_at: n, data };
};
const loadOf = (more: Partial<SessionLoad>): SessionLoad => ({ id: 'ses_1', said: new Map(), unsaid: [], limits: [], below: [], ...more }) as SessionLoad;
const answering = (body: unknown): StubbornHttp => ({ call: async () => body }) as unknown as StubbornHttp;

const said = { input_id: 'inp_1', kind: 'inject', input: [{ content: 'hello' }] };
const accepted = event('input.accepted', said);
const applied = event('input.applied', said);

test('inputs', () => {
  const load = loadOf({ said: new Map([['inp_1', 'hello']]) });
  expect(inputFaults(load, [accepted, applied])).toEqual([]);
  expect(inputFaults(load, [accepted])).toHaveLength(1);
  expect(inputFaults(load, [accepted, applied, applied])).toHaveLength(1);
  expect(inputFaults(load, [])).toHaveLength(1);
  expect(inputFaults(loadOf({}), [accepted, applied])).toHaveLength(1);
  expect(inputFaults({ ...load, unsaid: ['hello'] }, [accepted, applied])).toHaveLength(1);
});

const child = { child_session_id: 'ses_c', child_turn_id: 'turn_c' };
const call = { turn_id: 'turn_a', tool_call_id: 'c1' };
const asked = event('tool.dispatched', { ...call, child_session_id: 'ses_c' });
const askedBehind = event('tool.dispatched', { ...call, child_session_id: 'ses_c', background: true });
const started = event('subagent.started', child);
const result = (text: string) => event('tool.completed', { ...call, result: { output: [{ type: 'text', text }] } });
const heard = (text: string) => event('input.accepted', { input_id: childInputId('ses_c'), kind: 'subagent', input: [text] });
const completed = event('subagent.completed', { ...child, status: 'completed' });
const cancelling = event('turn.cancel_requested', { turn_id: 'turn_a' });
const ended = { id: 'ses_c', log: [event('turn.completed', { output_text: 'helped 7' })] };

test('children begin and end once', () => {
  expect(familyFaults([asked, started, completed])).toEqual([]);
  expect(familyFaults([asked, started])).toHaveLength(1);
  expect(familyFaults([asked, started, completed, completed])).toHaveLength(1);
});

test('the outcome of a child reaches its parent once, as it was', () => {
  expect(childFaults([asked, started, result('helped 7'), completed], ended)).toEqual([]);
  expect(childFaults([asked, started, result('helped 8'), completed], ended)).toHaveLength(1);
  expect(childFaults([asked, started, completed], ended)).toHaveLength(1);
  expect(childFaults([asked, started, result('helped 7'), event('subagent.completed', { ...child, status: 'failed' })], ended)).toHaveLength(1);
  expect(childFaults([askedBehind, started, completed, heard('helped 7')], ended)).toEqual([]);
  expect(childFaults([askedBehind, started, completed, heard('helped 7'), heard('helped 7')], ended)).toHaveLength(1);
  expect(childFaults([askedBehind, started, completed, heard('helped 8')], ended)).toHaveLength(1);
  expect(childFaults([askedBehind, started, completed], ended)).toHaveLength(1);
  expect(childFaults([askedBehind, started, cancelling, completed], ended)).toEqual([]);
});

test('artifacts', async () => {
  const request = event('tool.requested', { ...call, name: 'publish_artifact', input: { path: 'a.txt' } });
  const published = (id: string) => event('artifact.published', { artifact_id: id, name: 'a.txt' });
  const done = event('tool.completed', { ...call, name: 'publish_artifact', status: 'success', result: 'Published as art_1.' });
  const listed = (...ids: readonly string[]) => answering({ items: ids.map((artifact_id) => ({ artifact_id })) });
  expect(await publishFaults(listed('art_1'), loadOf({}), [request, published('art_1'), done])).toEqual([]);
  expect(await publishFaults(listed(), loadOf({}), [request, published('art_1'), done])).toHaveLength(1);
  expect(await publishFaults(listed('art_1', 'art_2'), loadOf({}), [request, published('art_1'), published('art_2'), done])).toHaveLength(1);
  expect(await publishFaults(listed('art_2'), loadOf({}), [request, published('art_2'), done])).toHaveLength(1);
});

test('model calls', async () => {
  const begun = ['call_1', 'call_2'].map((model_call_id) => event('item.started', { model_call_id }));
  const used = (model_calls: number) => answering({ used: { model_calls } });
  expect(await limitFaults(used(2), loadOf({ limits: [1, 2] }), begun)).toEqual([]);
  expect(await limitFaults(used(3), loadOf({ limits: [1, 2] }), begun)).toHaveLength(1);
  expect(await limitFaults(used(1), loadOf({ limits: [1, 2] }), begun)).toHaveLength(1);
});
