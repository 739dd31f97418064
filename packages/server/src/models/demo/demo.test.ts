import type { PromptMessage } from '@turnkeeper/core/session/context';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../ports/clock.ts';
import type { ModelError, ModelRequest, ToolSpec } from '../../ports/model.ts';
import { assistantMessage, collectAnswer } from '../../testing/providers/collect-answer.ts';
import { createDemo } from './demo.ts';
import { expressionIn, tokensOf, topicOf } from './welcome-reading.ts';

/** Waits are over at once, and counted. */
const createCountingClock = (): Clock & { waits: number[] } => {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    elapsed: () => 0,
    after: (ms, fire) => {
      waits.push(ms);
      const timer = setImmediate(fire);
      return () => clearImmediate(timer);
    },
  };
};

const tools: readonly ToolSpec[] = [
  { name: 'time', description: '', inputSchema: {} },
  { name: 'calculator', description: '', inputSchema: { type: 'object', required: ['formula'] } },
];
const user = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const request = (messages: readonly PromptMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'demo:x',
  system: '',
  messages,
  tools,
  ...more,
});

const setUp = (model: string) => {
  const clock = createCountingClock();
  const demo = createDemo({ clock, pid: 4711 });
  const ask = (messages: readonly PromptMessage[], more: Partial<ModelRequest> = {}, signal: AbortSignal = new AbortController().signal) =>
    collectAnswer(demo.stream(model, request(messages, more), signal));
  return { clock, ask };
};

describe('demo:welcome', () => {
  it('streams word by word, at 30 ms a token by the clock, in the language of the user', async () => {
    const { clock, ask } = setUp('welcome');
    const english = await ask([user('Hello!')]);
    expect(english.text).toContain('welcome');
    expect(english.parts.length).toBeGreaterThan(20);
    expect(clock.waits).toEqual(english.parts.slice(1).map(() => 30));
    expect((await ask([user('你好')])).text).toContain('欢迎');
    expect((await ask([user('你好')])).parts).toEqual((await ask([user('你好')])).parts);
  });

  it('calls the tools that are asked for and offered, and tells what they answered', async () => {
    const { ask } = setUp('welcome');
    const messages = [user('现在几点？还有 12 × 7 等于多少？')];
    const asked = await ask(messages);
    expect(asked.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['time', '{}'],
      ['calculator', '{"formula":"12 * 7"}'],
    ]);
    expect(asked.finish?.reason).toBe('tool_calls');
    const [time, sum] = asked.calls.map((call) => call.id);
    const told = await ask([
      ...messages,
      assistantMessage(asked),
      {
        role: 'tool',
        results: [
          { callId: time ?? '', name: 'time', output: [{ type: 'text', text: '十点' }], isError: false },
          { callId: sum ?? '', name: 'calculator', output: [{ type: 'data', data: 84 }], isError: false },
        ],
      },
    ]);
    expect(told.text).toContain('十点');
    expect(told.text).toContain('12 * 7 = **84**');
    expect(told.finish?.reason).toBe('stop');
  });

  it('does not call what it was not given, and tells of a failure', async () => {
    const { ask } = setUp('welcome');
    const without = await ask([user('What is 2+2?')], { tools: [] });
    expect(without.calls).toEqual([]);
    expect(without.text).toContain('calculator');
    const asked = await ask([user('what time is it?')]);
    const denied: PromptMessage = {
      role: 'tool',
      results: [{ callId: asked.calls[0]?.id ?? '', name: 'time', output: [{ type: 'text', text: 'denied by Ann' }], isError: true }],
    };
    expect((await ask([user('what time is it?'), assistantMessage(asked), denied])).text).toContain('denied by Ann');
  });

  it.each([
    ['How much is (3 + 4) × 12?', '(3 + 4) * 12'],
    ['计算 1,000 ÷ 8', '1000 / 8'],
    ['2^10, please', '2^10'],
    ['-3 - 4', '-3 - 4'],
    ['on 2026-11-30', undefined],
    ['call 555-1234', undefined],
    ['(3 + 4', undefined],
    ['I have 3 apples', undefined],
  ])('expression in %s', (text, expression) => expect(expressionIn(text)).toBe(expression));

  it('understands topics, and its tokens joined are the text', () => {
    expect(['hi', '谢谢', 'help', 'tell me a story', '现在几点', '1+1', 'the weather'].map(topicOf)).toEqual([
      'greeting',
      'thanks',
      'help',
      'long',
      'time',
      'arithmetic',
      'other',
    ]);
    for (const text of ['Hello 世界！🇨🇳 a\n\n- **b**', ' x']) expect(tokensOf(text).join('')).toBe(text);
  });

  it.each([
    ['Show me around.', 'kill -9 4711', '(17 + 25) * 3 = **126**'],
    ['带我看看', 'kill -9 4711', '(17 + 25) * 3 = **126**'],
  ])('Z1: %s gets a tour of half a minute with both tools; asked again, it says the same', async (request, last, sum) => {
    const { clock, ask } = setUp('welcome');
    const messages = [user(request)];
    const called: unknown[] = [];
    const texts: string[] = [];
    for (const value of ['10:00', '126', '']) {
      const before = clock.waits.length;
      const answer = await ask(messages);
      const waits = clock.waits.slice(before);
      expect(await ask(messages)).toEqual(answer);
      // Once only: the second time stands for the call after a crash.
      clock.waits.splice(before, clock.waits.length, ...waits);
      texts.push(answer.text);
      called.push(...answer.calls.map((call) => [call.name, call.arguments]));
      const results = answer.calls.map(({ id, name }) => ({ callId: id, name, output: [{ type: 'text' as const, text: value }], isError: false }));
      messages.push(assistantMessage(answer), { role: 'tool', results });
      expect(answer.finish?.reason).toBe(value === '' ? 'stop' : 'tool_calls');
    }
    expect(called).toEqual([
      ['time', '{}'],
      ['calculator', '{"formula":"(17 + 25) * 3"}'],
    ]);
    expect(texts[1]).toContain('10:00');
    expect(texts[2]).toContain(sum);
    expect(texts[2]).toContain(last);
    const total = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect([total > 27_000, total < 40_000]).toEqual([true, true]);
  });

  it('says the whole tour at once without tools; other messages stay short, also behind a tour', async () => {
    const { clock, ask } = setUp('welcome');
    const whole = await ask([user('Please show me around!')], { tools: [] });
    expect([whole.calls, whole.finish?.reason]).toEqual([[], 'stop']);
    for (const part of ['Reload this page', 'Queue a message', 'Stop me', 'kill -9 4711']) expect(whole.text).toContain(part);
    expect(whole.text).toContain('was not given the `time` tool');
    expect(whole.text).not.toContain('That was a real tool call');
    clock.waits.length = 0;
    const next = await ask([user('Show me around.'), assistantMessage(whole), user('Could you show me around the harbour?')], { tools: [] });
    expect(next.text).not.toContain('kill -9');
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(4_000);
  });

  it('stops when it is aborted', async () => {
    const { ask } = setUp('welcome');
    const abort = new AbortController();
    const answer = ask([user('tell me a story')], {}, abort.signal);
    abort.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
  });
});

describe('demo:echo and demo:tokens', () => {
  it('echo says the last user message', async () => {
    expect((await setUp('echo').ask([user('一 🇨🇳')])).text).toBe('一 🇨🇳');
  });

  it('tokens are counted and can be stopped', async () => {
    const { ask } = setUp('tokens:200');
    const answer = await ask([user('go')]);
    expect(answer.parts).toHaveLength(201);
    expect(answer.text).toMatch(/^t1 t2 .* t200 $/);
    expect(answer.finish?.usage?.output_tokens).toBe(200);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 5);
    await expect(setUp('tokens:1000000').ask([user('go')], {}, abort.signal)).rejects.toThrow('enough');
  });
});

describe('demo:script', () => {
  const script = (value: unknown) => user(JSON.stringify(value));
  const failing = (answer: Promise<unknown>): Promise<ModelError> =>
    answer.then(
      () => expect.fail('no error'),
      (error: ModelError) => error,
    );

  it('holds text, chunks, delays, reasoning, usage and the end', async () => {
    const { clock, ask } = setUp('script');
    const answer = await ask([
      script({
        script: [
          { text: 'Hello wor' },
          { delay_ms: 50 },
          { text: 'ld 🇨🇳', chunk: 1 },
          { text: '\ud83d' },
          { text: '\ude00' },
          { reasoning: 'hm' },
          { usage: { input: 3, output: 4 } },
          { finish: 'length' },
        ],
      }),
    ]);
    expect(answer.parts).toEqual([
      ...['Hello wor', 'l', 'd', ' ', '🇨', '🇳', '😀'].map((text) => ({ type: 'text_delta', text })),
      { type: 'reasoning', text: 'hm', provider: { demo: {} } },
      { type: 'finish', reason: 'length', usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } },
    ]);
    expect(clock.waits).toEqual([50]);
    expect((await ask([script({ script: [{ usage: false }] })])).parts).toEqual([{ type: 'finish', reason: 'stop' }]);
  });

  it('S1: steps follow the assistant messages since the script, also past a steer', async () => {
    const { ask } = setUp('script');
    const messages: PromptMessage[] = [
      script({
        steps: [
          [{ tool: { name: 'time', input: {} } }, { tool: { name: 'note', raw: '{bad', id: 'x', chunk: 2 } }],
          [{ echo: 'message' }, { tool: { name: 'time' } }],
        ],
      }),
    ];
    const first = await ask(messages);
    expect(first.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['time', '{}'],
      ['note', '{bad'],
    ]);
    expect(first.deltas.x).toBe('{bad');
    expect(new Set(first.calls.map((call) => call.id)).size).toBe(2);
    const result: PromptMessage = { role: 'tool', results: [] };
    messages.push({ role: 'assistant', content: [] }, result, user('steered'));
    const second = await ask(messages);
    expect(second.text).toBe('steered');
    expect(second.calls[0]?.id).not.toBe(first.calls[0]?.id);
    messages.push(assistantMessage(second), result);
    expect((await ask(messages)).text).toBe('done');
    expect((await ask([user('no script')])).text).toBe('ok');
  });

  it('S2: fails the first attempts only, for each prompt anew', async () => {
    const { ask } = setUp('script');
    const flaky = (key: string) => [script({ script: [{ text: 'a' }, { error: { status: 503, times: 2, retry_after_ms: 9 } }, { text: 'b' }], key })];
    for (const key of ['one', 'two']) {
      for (let attempt = 0; attempt < 2; attempt += 1)
        expect(await failing(ask(flaky(key)))).toMatchObject({ name: 'ModelError', status: 503, retryable: true, retryAfterMs: 9 });
      expect((await ask(flaky(key))).text).toBe('ab');
    }
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await failing(ask([script({ script: [{ error: { retryable: false } }] })]))).toMatchObject({ retryable: false });
  });

  it('hangs until it is aborted', async () => {
    const abort = new AbortController();
    const answer = setUp('script').ask([script({ script: [{ text: 'a' }, { hang: true }] })], {}, abort.signal);
    setTimeout(() => abort.abort(new Error('cut')), 20);
    await expect(answer).rejects.toThrow('cut');
  });

  it('S3: a script that cannot be read says so', async () => {
    const { ask } = setUp('script');
    for (const message of [user('{"script": ['), script({ script: [{ nonsense: 1 }] }), script({ script: [], other: 1 })]) {
      expect(await failing(ask([message]))).toMatchObject({ name: 'ModelError', retryable: false });
    }
    expect((await ask([user(`do this: ${JSON.stringify({ script: [{ text: 'x' }] })}`)])).text).toBe('x');
    const shown = await ask([script({ script: [{ echo: 'prompt' }] })], { system: 'secret system' });
    expect(JSON.parse(shown.text)).toMatchObject({ system: 'secret system', messages: [{ role: 'user' }] });
  });

  it('names the directive that is wrong, and where it stands', async () => {
    const { ask } = setUp('script');
    const said = async (value: unknown) => (await failing(ask([user(JSON.stringify(value))]))).message;
    expect(await said({ script: [{ text: 'a' }, { txt: 'b' }] })).toMatch(
      /\{"txt":"b"\} \(directive 2 of step 1\) is none\. There are: text, reasoning, delay_ms, tool,/,
    );
    expect(await said({ steps: [[], [{ delay_ms: 'soon' }]] })).toMatch(/\{"delay_ms":"soon"\} \(directive 1 of step 2\) does not fit: delay_ms: /);
    expect(await said({ steps: { text: 'a' } })).toMatch(/write \{"script": /);
    expect(await said({ script: [], speed: 2 })).toMatch(/beside its steps/);
  });
});
