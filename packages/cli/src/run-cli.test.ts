import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeServer, type FakeServer, problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { answerStreams, runBegins, turnCompletes, userSays, wholeTurn } from '@turnkeeper/client/testing/turn-script';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';
import { createFakeIo } from './testing/fake-io.ts';

let server: FakeServer;
/** What happens when the n-th turn is submitted. */
let script: (turnId: 'turn_1' | 'turn_2') => SessionEvent[];
let submitted: { body: unknown; key: string | undefined }[];

const session = {
  id: 'ses_1',
  status: 'idle',
  archived: false,
  title: 'Test',
  target: { type: 'agent', id: 'agt_1', name: 'Demo' },
  createdAt: 1,
  updatedAt: 2,
};

beforeEach(async () => {
  server = createFakeServer();
  submitted = [];
  script = (turnId) => wholeTurn(turnId, submitted.length, 'hi', ['Hello ', '世界']);
  const accept = (request: { headers: Record<string, unknown> }, body: unknown): 'turn_1' | 'turn_2' => {
    submitted.push({ body, key: request.headers['idempotency-key'] as string | undefined });
    const turnId = submitted.length === 1 ? 'turn_1' : 'turn_2';
    server.append(...script(turnId));
    return turnId;
  };
  server.on('GET', /\/api\/v1\/agents$/, () => ({
    status: 200,
    body: { items: [{ id: 'agt_1', displayName: 'Demo', description: '', createdAt: 1 }], next_offset: null },
  }));
  server.on('GET', /\/agent-sessions$/, () => ({ status: 200, body: { items: [session], next_offset: null } }));
  server.on('POST', /\/agent-sessions$/, (request, body) => ({ status: 201, body: { ...session, turnId: accept(request, body) } }));
  server.on('POST', /\/ses_1\/turns$/, (request, body) => ({ status: 202, body: { id: accept(request, body), sessionId: 'ses_1', status: 'queued' } }));
  await server.start();
});
afterEach(() => server.stop());

const run = async (args: string[], env: Record<string, string> = {}, piped = '') => {
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token, ...env });
  fake.stdin.end(piped);
  const code = await runCli(args, fake.io);
  return { code, out: fake.out.text, err: fake.err.text };
};
const fails: SessionEvent = { type: 'turn.failed', data: { turn_id: 'turn_1', error_code: 'model_error', error_message: 'boom', retryable: false } };
const asks: SessionEvent[] = [
  {
    type: 'required_action.created',
    data: {
      turn_id: 'turn_1',
      request_id: 'act_1',
      kind: 'confirmation',
      version: 1,
      tool_call: { id: 'c', name: 'rm', input: {} },
      answer_schema: {},
      approver: 'owner',
    },
  },
  { type: 'turn.requires_action', data: { turn_id: 'turn_1', request_ids: ['act_1'] } },
];

test('ask prints the answer alone and exits 0', async () => {
  expect(await run(['ask', 'hi'])).toEqual({ code: 0, out: 'Hello 世界\n', err: '' });
  expect(submitted[0]?.body).toEqual({ agent: 'agt_1', initialMessage: { message: 'hi' } });
});

test('ask in a session, with a key of the caller', async () => {
  const { code } = await run(['ask', 'hi', '--session', '@last', '--key', 'job-7']);
  expect(code).toBe(0);
  expect(submitted).toEqual([{ body: { message: 'hi' }, key: 'job-7' }]);
});

test('ask --json prints the turn', async () => {
  const { out } = await run(['ask', 'hi', '--json']);
  expect(JSON.parse(out)).toMatchObject({ id: 'turn_1', status: 'completed', outputText: 'Hello 世界' });
});

test('failed is 1', async () => {
  script = () => [...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'), fails];
  const failed = await run(['ask', 'hi', '--agent', 'agt_1']);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain('model_error — boom');
});

test('still running is 3', async () => {
  script = () => [...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi')];
  const { code, err } = await run(['ask', 'hi', '--timeout', '0.3']);
  expect(code).toBe(3);
  expect(err).toContain('turnkeeper tail ses_1');
});

test('waiting for an approval is 4', async () => {
  script = () => [...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'), ...asks];
  expect((await run(['ask', 'hi'])).code).toBe(4);
  expect((await run(['tail', 'ses_1', '--until', 'done'])).code).toBe(4);
});

test('usage is 2, queue full 5, auth 6', async () => {
  expect((await run(['ask'])).code).toBe(2);
  expect((await run(['ask', 'hi', '--timeout', 'soon'])).code).toBe(2);
  expect((await run(['tail', '--until', 'noon'])).code).toBe(2);
  expect((await run(['show', 'ses_404'])).code).toBe(2);
  expect((await run(['ls'], { TURNKEEPER_TOKEN: 'wrong' })).code).toBe(6);
  expect((await run(['ls'], { TURNKEEPER_TOKEN: '' })).code).toBe(6);
  server.on('POST', /\/ses_1\/turns$/, () => problemAnswer('queue_full', { limit: 20 }));
  const full = await run(['ask', 'hi', '--session', 'ses_1', '--json']);
  expect(full.code).toBe(5);
  expect(JSON.parse(full.err)).toMatchObject({ error: { code: 'queue_full' } });
});

test('Ctrl+C detaches: 130, and how to return', async () => {
  script = () => [...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi')];
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  fake.stdin.end();
  const running = runCli(['ask', 'hi'], fake.io);
  await expect.poll(() => server.openStreams).toBe(1);
  fake.interrupt();
  expect(await running).toBe(130);
  expect(fake.err.text).toContain('turnkeeper chat ses_1');
  expect(server.requests.some((request) => request.endsWith('/cancel'))).toBe(false);
});

test('tail --until done prints the transcript, and says when it was cut and went on', async () => {
  server.append(...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'));
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  const running = runCli(['tail', 'ses_1', '--until', 'done'], fake.io);
  await expect.poll(() => server.openStreams).toBe(1);
  server.cutStreams();
  await expect.poll(() => server.openStreams).toBe(1);
  server.append(...answerStreams('turn_1', ['Hello ', '世界']), ...turnCompletes('turn_1', 'Hello 世界'));
  expect(await running).toBe(0);
  expect(fake.out.text).toBe('› hi\nHello 世界\n  completed\n');
  expect(fake.err.text).toMatch(/reconnecting[\s\S]*resumed at /);
});

test('tail --json prints the snapshot, then each event', async () => {
  server.append(...wholeTurn('turn_1', 1, 'hi', ['a']));
  const { out } = await run(['tail', 'ses_1', '--until', 'done', '--json']);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['snapshot']);
});

test('chat over a pipe: each line is a turn, in order; it ends with the last', async () => {
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  fake.stdin.end('first\nsecond\n');
  expect(await runCli(['chat'], fake.io)).toBe(0);
  expect(submitted.map((entry) => entry.body)).toEqual([{ agent: 'agt_1', initialMessage: { message: 'first' } }, { message: 'second' }]);
  expect(fake.out.text.match(/Hello 世界/g)).toHaveLength(2);
});

test('ls and show', async () => {
  expect((await run(['ls'])).out).toMatch(/^ses_1 {2}idle .*Test\n$/);
  expect(JSON.parse((await run(['ls', '--json'])).out).items[0].id).toBe('ses_1');
  server.append(...wholeTurn('turn_1', 1, 'hi', ['a']));
  expect((await run(['show', 'ses_'])).out).toContain('completed');
});

test('cancel waits for the outcome', async () => {
  server.append(...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'));
  server.on('POST', /\/turn_1\/cancel$/, () => {
    server.append({ type: 'turn.cancelled', data: { turn_id: 'turn_1', unverified_calls: [] } });
    return { status: 202, body: { command: { id: 'cmd_1' } } };
  });
  expect(await run(['cancel', 'ses_1'])).toMatchObject({ code: 0, out: 'cancelled\n' });
  // Nothing runs: that is what was asked for.
  expect(await run(['cancel', 'ses_1'])).toEqual({ code: 0, out: '', err: 'Nothing runs in ses_1.\n' });
});

test('the local server is found by the data folder; its token goes nowhere else', async () => {
  const data = mkdtempSync(join(tmpdir(), 'turnkeeper-cli-'));
  try {
    const none = createFakeIo({ TURNKEEPER_DATA_DIR: data });
    expect(await runCli(['ls'], none.io)).toBe(1);
    expect(none.err.text).toContain('Start one with: turnkeeper serve (in a checkout: npm start)');
    writeFileSync(join(data, 'server.json'), JSON.stringify({ url: server.url, pid: process.pid }));
    writeFileSync(join(data, 'cli-token'), `${server.token}\n`);
    expect(await runCli(['ls'], createFakeIo({ TURNKEEPER_DATA_DIR: data }).io)).toBe(0);
    expect(await runCli(['ls', '--data', data], createFakeIo().io)).toBe(0);
    expect(await runCli(['ls'], createFakeIo({ TURNKEEPER_DATA_DIR: data, TURNKEEPER_URL: 'http://elsewhere.test' }).io)).toBe(6);
    // The same server by another name of this machine.
    const named = server.url.replace('127.0.0.1', 'localhost');
    expect(named).not.toBe(server.url);
    expect(await runCli(['ls'], createFakeIo({ TURNKEEPER_DATA_DIR: data, TURNKEEPER_URL: named }).io)).toBe(0);
    const otherPort = Object.assign(new URL(server.url), { port: '1' }).origin;
    expect(await runCli(['ls'], createFakeIo({ TURNKEEPER_DATA_DIR: data, TURNKEEPER_URL: otherPort }).io)).toBe(6);
    writeFileSync(join(data, 'server.json'), JSON.stringify({ url: server.url, pid: 2 ** 30 }));
    expect(await runCli(['ls'], createFakeIo({ TURNKEEPER_DATA_DIR: data }).io)).toBe(1);
  } finally {
    rmSync(data, { recursive: true });
  }
});
