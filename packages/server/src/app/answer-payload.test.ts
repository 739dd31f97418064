/** What an answer says, by the kind of its action; what is wrong with it, by its place in the request. */
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { describe, expect, it } from 'vitest';
import { readAnswer } from './answer-payload.ts';

const base = { turn_id: 'turn_a', request_id: 'act_1', status: 'open', version: 1, answer_schema: {}, approver: 'owner', created_at: 1 } as const;
const questions = [
  { question: 'Which size?', header: 'size', multi_select: false, options: [] },
  { question: 'Which colours?', header: 'colours', multi_select: true, options: [{ label: 'red', description: '' }] },
];
const actions = {
  confirmation: { ...base, kind: 'confirmation', can_remember: true },
  strict: { ...base, kind: 'confirmation', can_remember: false },
  question: { ...base, kind: 'question', questions },
  external: { ...base, kind: 'external_execution' },
  reconciliation: { ...base, kind: 'reconciliation' },
  signal: { ...base, kind: 'signal' },
} satisfies Record<string, ActionBody>;
type Which = keyof typeof actions;

const read = (which: Which, body: object, at = '') => readAnswer({ request_id: 'act_1', ...body } as never, actions[which], at);
const payloadOf = (which: Which, body: object) => {
  const answer = read(which, body);
  return answer.ok ? answer.value.payload : answer.faults;
};
const pointers = (which: Which, body: object, at = '') => {
  const answer = read(which, body, at);
  return answer.ok ? [] : answer.faults.map(({ pointer }) => pointer);
};
const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) });

describe('a signal', () => {
  it('says any JSON, null too; without a payload it is refused', () => {
    for (const payload of [null, 0, '', [1], { parcel: 7 }]) expect(payloadOf('signal', { payload })).toEqual({ kind: 'signal', payload });
    expect(payloadOf('signal', { parcel: 7 })).toEqual({ kind: 'signal', payload: { parcel: 7 } });
    expect(pointers('signal', {}, '/answers/1')).toEqual(['/answers/1/payload']);
  });
});

describe('a confirmation', () => {
  it('is allowed or denied by `allow` or by a decision, with edited arguments, and remembered', () => {
    const whole = { allow: true, reason: 'fine', input: { to: 'bob' }, remember: 'session' };
    expect(payloadOf('confirmation', { payload: whole })).toEqual({ kind: 'confirmation', ...whole });
    expect(payloadOf('confirmation', whole)).toEqual({ kind: 'confirmation', ...whole });
    expect(payloadOf('confirmation', { decision: 'approved' })).toEqual({ kind: 'confirmation', allow: true });
    expect(payloadOf('confirmation', { decision: 'rejected', payload: { reason: 'no' } })).toEqual({ kind: 'confirmation', allow: false, reason: 'no' });
    expect(payloadOf('confirmation', { payload: { allow: false, reason: null, input: null, remember: null } })).toEqual({ kind: 'confirmation', allow: false });
  });
  it.each([
    [{ payload: {} }, ['/payload/allow']],
    [{}, ['/payload/allow']],
    [{ allow: 'yes' }, ['/allow']],
    [{ decision: 'approved', payload: { allow: false } }, ['/payload/allow']],
    [{ payload: { reason: 5, input: [], remember: true } }, ['/payload/allow', '/payload/reason', '/payload/input', '/payload/remember']],
    [{ payload: { allow: false, remember: 'session' } }, ['/payload/remember']],
    [{ payload: { allow: true, remember: 'forever' } }, ['/payload/remember']],
    [{ payload: { allow: false, reason: 'x'.repeat(limits.reasonCharacters + 1) } }, ['/payload/reason']],
  ])('is refused with all that is wrong: %j', (body, wanted) => {
    expect(pointers('confirmation', body)).toEqual(wanted);
  });
  it('is remembered only where the action says so', () => {
    expect(pointers('strict', { payload: { allow: true, remember: 'session' } })).toEqual(['/payload/remember']);
    expect(pointers('strict', { payload: { allow: true } })).toEqual([]);
  });
  it('holds edited arguments to what arguments are held to', () => {
    const edited = (input: object) => pointers('confirmation', { payload: { allow: true, input } }, '/answers/3');
    expect(edited({ text: 'a\0b', 'bad\0name': 1, n: Number.POSITIVE_INFINITY })).toEqual([
      '/answers/3/payload/input/text',
      '/answers/3/payload/input',
      '/answers/3/payload/input/n',
    ]);
    expect(edited(JSON.parse('{"__proto__": {"admin": true}}'))).toEqual(['/answers/3/payload/input']);
    expect(edited(deep(limits.jsonDepth))).toHaveLength(1);
    expect(edited({ text: 'x'.repeat(limits.toolInputCharacters) })).toEqual(['/answers/3/payload/input']);
  });
});

describe('a question', () => {
  it('is answered by its headers, in whatever order, beside `request_id` too', () => {
    const answers = { colours: ['red', 'sand'], size: 'as large as can be' };
    for (const body of [{ payload: { answers } }, { answers }])
      expect(JSON.stringify(payloadOf('question', body))).toBe(JSON.stringify({ kind: 'question', answers: { size: answers.size, colours: answers.colours } }));
  });
  it('is refused with every fault', () => {
    expect(pointers('question', { payload: { answers: { size: [], colors: 'red' } } }, '/answers/0')).toEqual([
      '/answers/0/payload/answers/size',
      '/answers/0/payload/answers/colours',
      '/answers/0/payload/answers/colors',
    ]);
    expect(pointers('question', { decision: 'approved' })).toEqual(['/payload/answers']);
  });
});

describe('results', () => {
  it('of the application are texts, blocks or any JSON', () => {
    expect(payloadOf('external', { output: null })).toEqual({ kind: 'external_execution', output: [{ type: 'text', text: 'null' }], isError: false });
    expect(payloadOf('external', { payload: { output: [{ type: 'text', text: 'a' }], is_error: true } })).toMatchObject({
      output: [{ text: 'a' }],
      isError: true,
    });
    expect(pointers('external', { payload: { is_error: true } })).toEqual(['/payload/output']);
  });
  it('of a reconciliation want an outcome and a reason', () => {
    expect(payloadOf('reconciliation', { outcome: 'failed', reason: 'looked' })).toMatchObject({ outcome: 'failed', output: [{ text: 'failed: looked' }] });
    expect(pointers('reconciliation', { payload: { outcome: 'unknown', reason: ' ' } })).toEqual(['/payload/outcome', '/payload/reason']);
  });
});

describe('a member that nobody knows', () => {
  it('is named with the one that was meant, where the answer is refused', () => {
    expect(payloadOf('confirmation', { payload: { alow: true } })).toEqual([
      { pointer: '/payload/alow', detail: 'unknown member; did you mean allow?' },
      { pointer: '/payload/allow', detail: 'true or false' },
    ]);
    expect(pointers('external', { payload: { outputs: 'x', note: 1 } })).toEqual(['/payload/outputs', '/payload/output']);
    expect(pointers('confirmation', { payload: { allow: true, reasn: 'x' } })).toEqual([]);
  });
});
