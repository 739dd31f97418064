import { createFakeServer, type FakeServer } from '@turnkeeper/client/testing/fake-server';
import { answerStreams, runBegins, userSays, wholeTurn } from '@turnkeeper/client/testing/turn-script';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../run-cli.ts';
import { createFakeIo } from '../testing/fake-io.ts';

let server: FakeServer;
let asked: string[];
let script: () => SessionEvent[];
beforeEach(async () => {
  server = createFakeServer();
  asked = [];
  script = () => wholeTurn('turn_1', 1, 'q', ['ok']);
  server.on('POST', /\/ses_1\/turns$/, (_request, body) => {
    asked.push((body as { message: string }).message);
    server.append(...script());
    return { status: 202, body: { id: 'turn_1', sessionId: 'ses_1', status: 'queued' } };
  });
  server.on('GET', /\/agent-sessions$/, () => ({ status: 200, body: { items: [{ id: 'ses_1', title: '', updatedAt: 1 }], next_offset: null } }));
  await server.start();
});
afterEach(() => server.stop());

const start = (args: string[], piped: string | undefined) => {
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  if (piped === undefined) fake.stdin.isTTY = true;
  else fake.stdin.end(piped);
  return { ...fake, end: runCli(['ask', ...args, '--session', 'ses_1'], fake.io) };
};

test('the question comes from the argument, from a pipe, or from both', async () => {
  expect(await start(['q'], undefined).end).toBe(0);
  expect(await start(['q'], '').end).toBe(0);
  expect(await start([], 'piped 世界\n').end).toBe(0);
  expect(await start(['-'], 'piped\n').end).toBe(0);
  expect(await start(['explain', '--stdin'], 'a\nb\n').end).toBe(0);
  expect(asked).toEqual(['q', 'q', 'piped 世界', 'piped', 'explain\n\na\nb']);
});

test('a text does not wait for a standard input that nobody closes', async () => {
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  expect(await runCli(['ask', 'q', '--session', 'ses_1'], fake.io)).toBe(0);
  expect(asked).toEqual(['q']);
});

test('no question is a usage error', async () => {
  for (const [args, piped] of [
    [[''], undefined],
    [[' '], 'x'],
    [[], undefined],
    [[], ' \n'],
    [['-'], ''],
  ] as [string[], string | undefined][])
    expect(await start(args, piped).end).toBe(2);
  expect(asked).toEqual([]);
});

test('a pipe gets the text as it comes, and keeps what there was when the turn is cancelled', async () => {
  script = () => [...userSays('turn_1', 1, 'q'), ...runBegins('turn_1', 'q'), ...answerStreams('turn_1', ['half ', 'done']).slice(0, 2)];
  const { out, err, end } = start(['q'], '');
  await expect.poll(() => out.text).toBe('half ');
  server.append({ type: 'turn.cancelled', data: { turn_id: 'turn_1', unverified_calls: [] } });
  expect(await end).toBe(1);
  expect(out.text).toBe('half \n');
  expect(err.text).toContain('cancelled');
});

test('at time-out it is said that an approval stands before the turn', async () => {
  const call = { id: 'c', name: 'rm', input: {} };
  script = () => [
    ...userSays('turn_2', 1, 'other'),
    ...runBegins('turn_2', 'other'),
    {
      type: 'required_action.created',
      data: { turn_id: 'turn_2', request_id: 'act_1', kind: 'confirmation', version: 1, tool_call: call, answer_schema: {}, approver: 'owner' },
    },
    { type: 'turn.requires_action', data: { turn_id: 'turn_2', request_ids: ['act_1'] } },
    ...userSays('turn_1', 2, 'q'),
  ];
  const { err, end } = start(['q', '--timeout', '0.3'], '');
  expect(await end).toBe(3);
  expect(err.text).toContain('queued behind one that waits for an answer. Give it with: turnkeeper chat ses_1');
});

test('messages say which server and which token were tried', async () => {
  const say = async (env: Record<string, string>) => {
    const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token, ...env });
    return { code: await runCli(['ls'], fake.io), err: fake.err.text };
  };
  expect(await say({ TURNKEEPER_TOKEN: 'wrong' })).toEqual({ code: 6, err: expect.stringMatching(/the token in TURNKEEPER_TOKEN.*\(unauthenticated\)/) });
  expect(await say({ TURNKEEPER_URL: 'localhost:4747' })).toEqual({ code: 2, err: expect.stringContaining('http:// (or https://) is missing') });
  const gone = await say({ TURNKEEPER_URL: 'http://127.0.0.1:1' });
  expect(gone).toEqual({ code: 1, err: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 cannot be reached\. Start a server with: turnkeeper serve/) });
}, 20_000);
