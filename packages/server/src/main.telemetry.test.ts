/** A whole server: what its metrics say after known traffic, what its log says, and what it never says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCollector } from './telemetry/test-collector.ts';
import { createServerProcess, type ServerProcess } from './testing/harness/server-process.ts';

const password = 'a-password-that-nobody-sees';
const metricsToken = 'a-token-of-the-scrapers';
const said = 'what-a-person-wrote';
const key = 'sk-key-of-the-provider-0123456789';

let folder: string;
let server: ServerProcess;
let collector: Awaited<ReturnType<typeof startCollector>>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tk-telemetry-'));
  collector = await startCollector();
  const env = {
    TURNKEEPER_LOG_LEVEL: 'debug',
    TURNKEEPER_METRICS_TOKEN: metricsToken,
    OPENAI_API_KEY: key,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace('/v1/traces', ''),
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
  };
  server = await createServerProcess({ dataFolder: folder, env });
  await server.start();
}, 60_000);
afterEach(async () => {
  await server.kill();
  await collector.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = async (method: string, path: string, body?: unknown, token = server.token): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': crypto.randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const sample = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1) ?? Number.NaN,
  );

test('metrics equal what was done, and the log holds no secret and nothing that anybody wrote', { timeout: 60_000 }, async () => {
  const definition = { system: 'You play scripts.', model: 'demo:script', tools: [{ type: 'builtin', name: 'time', permission: 'always_allow' }] };
  const agent = await call('POST', '/api/v1/agents', { agentKey: 'script', displayName: 'Script', definition });
  expect(agent.status).toBe(201);
  const sessions = '/api/v1/agent-sessions';
  const { body: session } = await call('POST', sessions, { agent: 'script' });
  const before = await metricsText();
  const script = JSON.stringify({ steps: [[{ text: said }, { tool: { name: 'time', input: { zone: said } } }], [{ text: said }]] });
  const turns: unknown[] = [];
  for (let n = 0; n < 3; n += 1) turns.push((await call('POST', `${sessions}/${String(session['id'])}/turns`, { message: script })).body['id']);
  for (const turn of turns)
    expect((await call('GET', `${sessions}/${String(session['id'])}/turns/${String(turn)}?wait=20`)).body).toMatchObject({ status: 'completed' });
  await call('POST', '/api/v1/users', { username: 'cleo', password });
  await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'cleo', password: `${password}-wrong` }),
  });
  await fetch(`${server.url}${sessions}?token=${server.token}`, { headers: { authorization: 'Bearer tk_not-a-token-that-works-at-all' } });
  const after = await metricsText();
  const grew = (series: string): number => sample(after, series) - (sample(before, series) || 0);

  expect(grew('turnkeeper_turns_accepted_total')).toBe(3);
  expect(grew('turnkeeper_turns_total{outcome="completed"}')).toBe(3);
  expect(grew('turnkeeper_turn_first_token_seconds_count')).toBe(3);
  expect(grew('turnkeeper_model_calls_total{model="demo:script",outcome="completed"}')).toBe(6);
  expect(['success', 'error'].reduce((sum, outcome) => sum + (grew(`turnkeeper_tool_calls_total{kind="builtin",outcome="${outcome}"}`) || 0), 0)).toBe(3);
  expect(grew(`turnkeeper_http_requests_total{method="POST",route="${sessions}/:sessionId/turns",status="2xx"}`)).toBe(3);
  expect(grew(`turnkeeper_http_requests_total{method="GET",route="${sessions}",status="4xx"}`)).toBe(1);
  expect(grew('turnkeeper_commit_batch_writes_count')).toBeGreaterThan(5);
  expect(sample(after, 'turnkeeper_lease_held')).toBe(1);
  expect(sample(after, 'turnkeeper_queue_depth{state="queued"}')).toBeGreaterThanOrEqual(0);

  const log = server.complaints();
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['the tables were migrated', 'the lease is held', 'started', 'a turn ended', 'a request was answered']),
  );
  expect(lines.filter(({ msg }) => msg === 'a turn ended')[0]).toMatchObject({
    session_id: session['id'],
    turn_id: turns[0],
    node: expect.stringMatching(/^node_/),
  });
  expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
  await expect.poll(() => collector.named('invoke_agent').length).toBeGreaterThanOrEqual(3);
  const roots = collector.named('invoke_agent').map(({ attributes }) => attributes['turnkeeper.turn.id']);
  expect(roots).toEqual(expect.arrayContaining(turns));
  expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'a key' });
  expect(collector.posted()).not.toContain(said);
  for (const secret of [password, metricsToken, said, key, server.token, 'tk_not-a-token']) expect(log, secret).not.toContain(secret);
});

const metricsText = async (): Promise<string> => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
  return (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text();
};
