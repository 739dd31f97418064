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

test('an agent is for a new session: beside --session it is a usage error', async () => {
  expect(await start(['q', '--agent', 'guide'], undefined).end).toBe(2);
  const { io } = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  expect(await runCli(['chat', 'ses_1', '--agent', 'guide'], io)).toBe(2);
  expect(asked).toEqual([]);
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
  const { err, end } = start(['q', '--timeout', '2'], '');
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

test('the schemas of a new session come from the options, and its result is printed in place of what the agent says', async () => {
  const created: object[] = [];
  server.on('POST', /\/agent-sessions$/, (_request, body) => {
    created.push(body as object);
    const events = wholeTurn('turn_1', 1, 'q', ['{"city":"Rome"}']).map((event) =>
      event.type === 'turn.completed' ? { ...event, data: { ...event.data, result: { where: 'Rome' } } } : event,
    );
    server.append(...events);
    return { status: 201, body: { id: 'ses_1', turnId: 'turn_1' } };
  });
  const run = async (...args: string[]) => {
    const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
    return { code: await runCli(['ask', 'q', '--agent', 'planner', ...args], fake.io), out: fake.out.text, err: fake.err.text };
  };
  expect(await run('--output-schema', '{"type":"object"}', '--map', 'where=/city')).toMatchObject({ code: 0, out: '{"where":"Rome"}\n' });
  expect(created).toMatchObject([{ agent: 'planner', outputSchema: { type: 'object' }, resultMapping: { where: '/city' } }]);
  for (const args of [
    ['--output-schema', '[1]'],
    ['--output-schema', '/no/such/file'],
    ['--map', '/city'],
    ['--output-schema', '{}', '--session', 'ses_1'],
  ])
    expect((await run(...args)).code).toBe(2);
  expect(created).toHaveLength(1);
});

test('ask and chat make their session on the model that is named; one that is there keeps its own', async () => {
  const created: object[] = [];
  server.on('POST', /\/agent-sessions$/, (_request, body) => {
    created.push(body as object);
    server.append(...wholeTurn('turn_1', 1, 'q', ['ok']));
    return { status: 201, body: { id: 'ses_1', turnId: 'turn_1' } };
  });
  const at = { TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token };
  const model = ['--model', 'demo:echo'];
  expect(await runCli(['ask', 'q', '--agent', 'planner', ...model], createFakeIo(at).io)).toBe(0);
  const piped = createFakeIo(at);
  piped.stdin.end('q\n');
  expect(await runCli(['chat', '--agent', 'planner', ...model], piped.io)).toBe(0);
  expect(created).toEqual([0, 1].map(() => ({ agent: 'planner', model: 'demo:echo', initialMessage: { message: 'q' } })));
  expect(await start(['q', ...model], undefined).end).toBe(2);
  expect(await runCli(['chat', 'ses_1', ...model], createFakeIo(at).io)).toBe(2);
  expect(created).toHaveLength(2);
});

const stops: SessionEvent = { type: 'turn.interrupted', data: { turn_id: 'turn_1', reason: 'budget_exceeded', error_code: 'budget_exceeded' } };
const spent = () =>
  server.on('GET', /\/ses_1\/budget$/, () => ({
    status: 200,
    body: {
      max_model_calls: 1,
      max_total_tokens: 100,
      used: { model_calls: 1, total_tokens: 15, cost: 0, unreported_calls: 0, unpriced_calls: 0, turn_tokens: 15 },
    },
  }));
const run = async (...args: string[]) => {
  const fake = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: server.token });
  return { code: await runCli(args, fake.io), out: fake.out.text, err: fake.err.text };
};
const whatToDo = 'budget_exceeded: 1 of 1 model calls are used. Raise it: turnkeeper budget ses_1 --calls N, then: turnkeeper resume ses_1\n';

test('a turn that a budget interrupted says which limit, and what to do: ask, tail and show', async () => {
  spent();
  script = () => [...userSays('turn_1', 1, 'q'), ...runBegins('turn_1', 'q'), stops];
  const { err, end } = start(['q'], '');
  expect(await end).toBe(4);
  expect(err.text).toBe(`The turn was interrupted: ${whatToDo}`);
  expect(await run('tail', 'ses_1', '--until', 'done')).toMatchObject({ code: 4, err: expect.stringContaining(`interrupted: ${whatToDo}`) });
  server.on('GET', /\/agent-sessions$/, () => ({
    status: 200,
    body: { items: [{ id: 'ses_1', title: '', updatedAt: 1, createdAt: 1, status: 'idle', target: { type: 'agent', id: 'a' } }], next_offset: null },
  }));
  expect((await run('show', 'ses_1')).out).toContain(`! ${whatToDo}`);
});

test('a turn queued behind an interrupted one says so; without the limits at hand, all ways to raise them', async () => {
  script = () => [...userSays('turn_1', 1, 'other'), ...runBegins('turn_1', 'other'), stops, ...userSays('turn_2', 2, 'q')];
  server.on('POST', /\/ses_1\/turns$/, () => {
    server.append(...script());
    return { status: 202, body: { id: 'turn_2', sessionId: 'ses_1', status: 'queued' } };
  });
  const { err, end } = start(['q', '--timeout', '2'], '');
  expect(await end).toBe(3);
  expect(err.text).toMatch(
    /queued behind one that was interrupted: budget_exceeded: .* --calls N \(or --tokens, --cost, --per-turn\), then: turnkeeper resume ses_1/,
  );
});

test('resume says that the budget stands in the way still', async () => {
  spent();
  server.append(...userSays('turn_1', 1, 'q'), ...runBegins('turn_1', 'q'), stops);
  server.on('POST', /\/turn_1\/resume$/, () => {
    server.append(
      { type: 'run.started', data: { turn_id: 'turn_1', run_id: 'run_2', n: 2 } },
      { type: 'turn.running', data: { turn_id: 'turn_1', run_id: 'run_2' } },
      stops,
    );
    return { status: 202, body: { command: { id: 'cmd_1' } } };
  });
  expect(await run('resume', 'ses_1')).toEqual({ code: 4, out: '', err: `turn_1 was interrupted again: ${whatToDo}` });
});

test('tail names what a turn asked that was cancelled before it started', async () => {
  server.append(...userSays('turn_1', 1, 'count to\nten'), { type: 'turn.cancelled', data: { turn_id: 'turn_1', unverified_calls: [] } });
  expect((await run('tail', 'ses_1', '--until', 'done')).out).toBe('  cancelled: count to ten\n');
});

test('--on-busy says what the question becomes on a busy session', async () => {
  const bodies: unknown[] = [];
  server.on('POST', /\/ses_1\/turns$/, (_request, body) => {
    bodies.push(body);
    server.append(...script());
    return { status: 202, body: { id: 'turn_1', sessionId: 'ses_1', status: 'running', inputId: 'inp_1' } };
  });
  const { err, end } = start(['q', '--on-busy', 'steer'], '');
  expect(await end).toBe(0);
  expect(err.text).toContain('turn_1 is under way, and hears it at its next step.');
  expect(bodies).toEqual([{ message: 'q', onBusy: 'steer' }]);
  expect(await start(['q', '--on-busy', 'wait'], '').end).toBe(2);
  expect((await run('ask', 'q', '--agent', 'a', '--on-busy', 'queue')).code).toBe(2);
});
