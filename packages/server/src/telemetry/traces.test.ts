/** What a collector is given: one trace a turn, whichever processes ran it, and nothing that anybody wrote. */
import { afterEach, expect, test } from 'vitest';
import { builtin, createClient } from '../testing/harness/client.ts';
import { createGate } from '../testing/harness/gate.ts';
import { settle } from '../testing/harness/settle.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { tellAll } from './tell-all.ts';
import { startCollector } from './test-collector.ts';
import { createTraces, mostContent } from './traces.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const none = (): void => {};
const setUp = async (content = false) => {
  const collector = await startCollector();
  ends.push(collector.close);
  let world: World | undefined;
  const clock = { now: () => world?.clock.now() ?? 0, elapsed: () => world?.clock.elapsed() ?? 0, after: () => none };
  const config = { url: collector.url, headers: { 'x-key': 'k' }, serviceName: 'svc', content };
  const traces = createTraces({ config, node: () => 'node_1', clock, exported: none, dropped: none, answered: none });
  const failed = (error: unknown): never => {
    throw error;
  };
  world = await openWorld({ telemetry: tellAll([traces.telemetry], failed) });
  const opened = world;
  ends.push(() => opened.close());
  return { world: opened, collector, sent: () => traces.close(60_000) };
};

test('a turn is one trace: a span of its own, of each run, in that of each step, and in that of its model call and tools', async () => {
  const { world, collector, sent } = await setUp();
  const client = createClient(world);
  world.model.when('secret words', [{ text: 'let me see' }, { call: 'look', input: { about: 'hidden argument' } }], [{ text: 'a private answer' }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  const turn = await client.submit(session, 'secret words');
  await client.until(session, turn);
  await sent();

  expect(collector.spans.map(({ name }) => name).toSorted()).toEqual([
    'chat model',
    'chat model',
    'execute_tool look',
    'invoke_agent Agent',
    'run',
    'step',
    'step',
  ]);
  const [root] = collector.named('invoke_agent');
  const [run] = collector.named('run');
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(root?.parentSpanId).toBeFalsy();
  expect(run?.parentSpanId).toBe(root?.spanId);
  const steps = collector.named('step');
  expect(steps.map(({ parentSpanId, attributes }) => [parentSpanId, attributes['turnkeeper.step.n']])).toEqual([
    [run?.spanId, 1],
    [run?.spanId, 2],
  ]);
  expect(collector.named('chat').map(({ parentSpanId }) => parentSpanId)).toEqual(steps.map(({ spanId }) => spanId));
  expect(collector.named('execute_tool')[0]?.parentSpanId).toBe(steps[0]?.spanId);
  for (const span of collector.spans) {
    expect(span.attributes).toMatchObject({ 'turnkeeper.session.id': session, 'turnkeeper.turn.id': turn, 'gen_ai.conversation.id': session });
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
  }
  expect(root).toMatchObject({ service: 'svc', attributes: { 'gen_ai.operation.name': 'invoke_agent', 'turnkeeper.turn.outcome': 'completed' } });
  expect(collector.named('chat')[0]).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'model',
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 2,
    },
  });
  expect(collector.named('execute_tool')[0]).toMatchObject({ attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' } });
  expect(collector.headers[0]).toMatchObject({ 'x-key': 'k' });
  // TT3: nothing that anybody wrote.
  expect(collector.posted()).not.toMatch(/secret words|let me see|hidden argument|private answer/);
});

test('TT1: a run that died is written by whoever closes it, and what comes after joins its trace', async () => {
  const { world, collector, sent } = await setUp();
  const client = createClient(world);
  const gate = createGate();
  world.model.when('go on', [{ text: 'first' }, { gate }, { text: 'last' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'go on');
  await gate.reached;
  await settle(8);
  await world.kill();
  gate.open();
  await world.open();
  await client.until(session, turn);
  await sent();

  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  const runs = collector.named('run');
  expect(runs.map(({ attributes }) => [attributes['turnkeeper.run.n'], attributes['turnkeeper.run.end']])).toEqual([
    [1, 'lost'],
    [2, 'completed'],
  ]);
  const [root, ...others] = collector.named('invoke_agent');
  expect(others).toEqual([]);
  for (const run of runs) expect(run.parentSpanId).toBe(root?.spanId);
  expect(runs.map(({ status }) => status.code)).toEqual([2, 0]);
  expect(BigInt(root?.startTimeUnixNano ?? 0) <= BigInt(runs[0]?.startTimeUnixNano ?? 0)).toBe(true);
  // A process that has really ended leaves no step behind; here its memory lives on.
  const step = collector.named('step').find(({ attributes }) => attributes['turnkeeper.run.n'] === 2);
  expect(step?.parentSpanId).toBe(runs[1]?.spanId);
  expect(collector.named('chat').at(-1)?.parentSpanId).toBe(step?.spanId);
});

test('what failed says so by its code', async () => {
  const { world, collector, sent } = await setUp();
  const client = createClient(world);
  const { ModelError } = await import('../ports/model.ts');
  world.model.when('fail', [{ fails: () => new ModelError('with private words', { retryable: false }) }]);
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'fail'));
  await sent();
  for (const name of ['invoke_agent', 'run', 'chat'])
    expect(collector.named(name)).toMatchObject([{ status: { code: 2, message: 'model_error' }, attributes: { 'error.type': 'model_error' } }]);
  expect(collector.posted()).not.toContain('private words');
});

test('TT3: content goes along when it is asked for, cut to size', async () => {
  const { world, collector, sent } = await setUp(true);
  const client = createClient(world);
  const long = 'y'.repeat(mostContent * 2);
  world.model.when('words', [{ call: 'look', input: { about: 'this' } }], [{ text: long }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  await client.until(session, await client.submit(session, 'words'));
  await sent();
  expect(collector.named('execute_tool')[0]?.attributes).toMatchObject({ 'gen_ai.tool.call.arguments': '{"about":"this"}' });
  const chat = collector.named('chat').at(-1)?.attributes;
  expect(String(chat?.['gen_ai.input.messages'])).toContain('words');
  expect(String(chat?.['gen_ai.output.messages'])).toHaveLength(mostContent + 1);
});
