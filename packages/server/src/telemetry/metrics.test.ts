/** What the metrics say is what the logs of the sessions say, under labels of few values. */
import { afterEach, expect, test } from 'vitest';
import { ModelError } from '../ports/model.ts';
import { builtin, createClient } from '../testing/harness/client.ts';
import { createGate } from '../testing/harness/gate.ts';
import { settle } from '../testing/harness/settle.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { createEventLog } from './event-log.ts';
import { metricTable } from './metric-table.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { tellAll } from './tell-all.ts';
import { createWorkloadReading } from './workload-reading.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const failed = (error: unknown): never => {
  throw error;
};

/** The value of a series, written as Prometheus does: `name{label="value"}`. */
const reading = async (metrics: Metrics): Promise<(series: string) => number | undefined> => {
  const { text } = await metrics.read();
  const values = new Map(
    text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : [[line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const])),
  );
  return (series) => values.get(series);
};

test('TM2: turns, runs, model calls, tokens and tools are counted as they were committed, also over a crash', async () => {
  const metrics = createMetrics(createMovedClock());
  world = await openWorld({ telemetry: tellAll([metrics.telemetry], failed) });
  const client = createClient(world);
  const gate = createGate();
  world.model.when('tools', [{ call: 'look', input: {} }], [{ text: 'done' }]);
  world.model.when('fail', [{ fails: () => new ModelError('no', { retryable: false }) }]);
  world.model.when('dies', [{ text: 'a' }, { gate }, { text: 'b' }]);
  const agent = await client.agent({ tools: [builtin('look')] });
  const session = await client.session(agent);
  for (const text of ['tools', 'fail', 'plain']) await client.until(session, await client.submit(session, text));
  const dying = await client.submit(session, 'dies');
  await gate.reached;
  await settle(8);
  await world.kill();
  gate.open();
  await world.open();
  await client.until(session, dying);

  const of = await reading(metrics);
  expect(of('turnkeeper_turns_accepted_total')).toBe(4);
  expect(of('turnkeeper_turns_total{outcome="completed"}')).toBe(3);
  expect(of('turnkeeper_turns_total{outcome="failed"}')).toBe(1);
  expect(of('turnkeeper_turn_duration_seconds_count{outcome="completed"}')).toBe(3);
  expect(of('turnkeeper_turn_first_token_seconds_count')).toBe(3);
  expect(of('turnkeeper_tool_calls_total{kind="builtin",outcome="success"}')).toBe(1);
  expect(of('turnkeeper_tool_call_duration_seconds_count{kind="builtin"}')).toBe(1);
  expect(of('turnkeeper_runs_total{end="lost"}')).toBe(1);
  expect(of('turnkeeper_recovered_runs_total')).toBe(1);

  const { sid } = (await world.store.load(session as `ses_${string}`))?.head ?? { sid: 0 };
  const log = (await world.store.events({ sid, after: 0, limit: 10_000 })).map(({ type, data }) => ({
    type,
    data: JSON.parse(data) as Record<string, unknown>,
  }));
  const calls = (status: string) => log.filter(({ type, data }) => type === 'model.completed' && data['status'] === status).length;
  const usage = log.filter(({ type }) => type === 'usage.recorded').map(({ data }) => data['usage'] as Record<string, number>);
  const counted = (outcome: string): number | undefined => of(`turnkeeper_model_calls_total{model="scripted:model",outcome="${outcome}"}`);
  expect(counted('completed')).toBe(usage.length);
  expect(usage.length).toBe(4);
  for (const outcome of ['failed', 'cancelled']) expect(counted(outcome), outcome).toBe(calls(outcome));
  expect([calls('failed'), calls('cancelled')]).toEqual([1, 1]);
  const sum = (member: string) => usage.reduce((total, entry) => total + (entry[member] ?? 0), 0);
  expect(sum('input_tokens')).toBeGreaterThan(0);
  expect(of('turnkeeper_tokens_total{model="scripted:model",direction="input"}')).toBe(sum('input_tokens'));
  expect(of('turnkeeper_tokens_total{model="scripted:model",direction="output"}')).toBe(sum('output_tokens'));
});

test('a lease that is lost is counted, told, and the node is not ready until it has another one', async () => {
  const metrics = createMetrics(createMovedClock());
  const lines: string[] = [];
  const logger = {
    info: (details: object, message: string) => lines.push(`${message} ${JSON.stringify(details)}`),
    debug: () => {},
    isLevelEnabled: () => false,
  };
  const bus = { shared: true, publish: () => {}, subscribe: () => () => {} };
  world = await openWorld({ bus, telemetry: tellAll([metrics.telemetry, createEventLog(logger)], failed), expectsReports: true });
  const { runner } = world.engine;
  expect(runner.ready).toBe(true);
  world.faulty.inject({ method: 'heartbeat', call: 1, times: 1_000, effect: { kind: 'refused' } });
  await world.clock.advance(20_000);
  expect(runner.ready).toBe(false);
  const of = await reading(metrics);
  expect(of('turnkeeper_lease_losses_total')).toBe(1);
  world.faulty.release();
  await world.clock.advance(20_000);
  expect(runner.ready).toBe(true);
  expect(lines.map((line) => line.split(' {')[0])).toEqual([
    'the lease is held',
    'the lease is lost: what was held under it has been dropped',
    'the lease is held',
  ]);
});

test('TM1: labels have few values, whatever comes', async () => {
  const metrics = createMetrics(createMovedClock());
  for (let n = 0; n < 80; n += 1) {
    const call = { sessionId: 'ses_1', turnId: 'turn_1', run: 1, step: 1, request: { model: `m:${n}`, system: '', messages: [], tools: [] } } as const;
    metrics.telemetry.modelCallBegan(call).ended({ outcome: 'cancelled', errorCode: 'cancelled' });
    metrics.telemetry.requestAnswered({ id: `req_${n}`, method: `M${n}`, route: '/x', status: 200 + n, ms: 1, stream: false });
  }
  const { text } = await metrics.read();
  expect(text.match(/^turnkeeper_model_call_duration_seconds_count\{/gm)).toHaveLength(51);
  expect(text).toContain('turnkeeper_model_call_duration_seconds_count{model="other"} 30');
  expect(text.match(/^turnkeeper_http_requests_total\{/gm)).toEqual(['turnkeeper_http_requests_total{']);
  expect(text).toContain('turnkeeper_http_requests_total{method="other",route="/x",status="2xx"} 80');
  const forbidden = ['session', 'turn_id', 'user', 'owner', 'tool', 'name', 'id'];
  expect(Object.values(metricTable).flatMap(({ labels }) => labels.filter((label) => forbidden.includes(label)))).toEqual([]);
});

test('what mini-tools do is counted by mini-tool: by the ids of the first 50', async () => {
  const metrics = createMetrics(createMovedClock());
  const { telemetry } = metrics;
  for (let n = 0; n < 60; n += 1) telemetry.minitoolToolRan(`tool-${n}`, 'completed');
  for (const id of ['tool-1', 'tool-1', 'tool-59']) telemetry.minitoolToolRan(id, 'lost');
  telemetry.minitoolEnded('tool-1', 'hang');
  telemetry.minitoolCalled('tool-2', 'storage.get');
  const of = await reading(metrics);
  expect(of('turnkeeper_minitool_tool_runs_total{minitool="tool-7",outcome="completed"}')).toBe(1);
  expect(of('turnkeeper_minitool_tool_runs_total{minitool="other",outcome="completed"}')).toBe(10);
  expect(['tool-1', 'other'].map((minitool) => of(`turnkeeper_minitool_tool_runs_total{minitool="${minitool}",outcome="lost"}`))).toEqual([2, 1]);
  expect(of('turnkeeper_minitool_ends_total{minitool="tool-1",how="hang"}')).toBe(1);
  expect(of('turnkeeper_minitool_calls_total{minitool="tool-2",method="storage.get"}')).toBe(1);
});

test('gauges are read when somebody looks, and the process’s own with them', async () => {
  const metrics = createMetrics(createMovedClock());
  let held = 2;
  const workload = async () => ({ queued: 5, running: 3, waiting: 1 });
  metrics.watch({
    openStreams: () => 4,
    sessionsHeld: () => held,
    slotsUsed: () => 0,
    leaseHeld: () => true,
    webhooksSending: () => 2,
    minitoolsRunning: () => 1,
    workload,
  });
  expect((await reading(metrics))('turnkeeper_sessions_held')).toBe(2);
  held = 1;
  const of = await reading(metrics);
  expect(of('turnkeeper_sessions_held')).toBe(1);
  expect(of('turnkeeper_open_streams')).toBe(4);
  expect(of('turnkeeper_lease_held')).toBe(1);
  expect(['queued', 'running', 'waiting'].map((state) => of(`turnkeeper_queue_depth{state="${state}"}`))).toEqual([5, 3, 1]);
  expect(of('process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(of('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
});

test('TW1: the store is asked once in ten seconds, and a scrape does not wait for it', async () => {
  const clock = createMovedClock();
  let asked = 0;
  let answers = true;
  const read = async () => {
    asked += 1;
    if (!answers) return new Promise<never>(() => {});
    return { queued: asked, running: 0, waiting: 0 };
  };
  const workload = createWorkloadReading(read, clock);
  expect(await Promise.all([workload(), workload()])).toMatchObject([{ queued: 1 }, { queued: 1 }]);
  clock.move(9_999);
  expect(await workload()).toMatchObject({ queued: 1 });
  answers = false;
  clock.move(1);
  const late = workload();
  clock.move(1_000);
  expect(await late).toBeUndefined();
  expect(asked).toBe(2);
  expect(clock.waiting()).toBe(0);
});
