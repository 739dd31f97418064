import { createClient } from '@turnkeeper/client/create-client';
import { createFakeServer, type FakeServer } from '@turnkeeper/client/testing/fake-server';
import {
  answerStreams,
  callAsksForm,
  callEnds,
  callReports,
  callRuns,
  formIsAnswered,
  runBegins,
  turnCompletes,
  userSays,
} from '@turnkeeper/client/testing/turn-script';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommandContext } from '../command-context.ts';
import { createStyle } from '../output/style.ts';
import { createFakeIo } from '../testing/fake-io.ts';
import { Chat } from './chat.ts';

let server: FakeServer;
let calls: { path: string; body: unknown }[];
beforeEach(async () => {
  server = createFakeServer();
  calls = [];
  await server.start();
});
afterEach(() => server.stop());

/** Answers a POST, and remembers it. */
const answer = (path: string, make: () => { status: number; body: unknown }): void =>
  server.on('POST', new RegExp(`/${path}$`), (_request, body) => {
    calls.push({ path, body });
    return make();
  });

const open = () => {
  const fake = createFakeIo({ NO_COLOR: '1', TERM: 'xterm' }, { tty: true });
  const client = createClient({ baseUrl: server.url, token: server.token });
  const context: CommandContext = {
    io: fake.io,
    client,
    url: server.url,
    json: false,
    style: createStyle(fake.io.stdout, fake.io.env),
    print: () => {},
    note: () => {},
    printJson: () => {},
  };
  const end = new Chat(context, { sessionId: 'ses_1' }).run();
  return { ...fake, end };
};

test('what streams is held back while a line is typed, and comes out when it is sent', async () => {
  server.append(...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'), ...answerStreams('turn_1', ['one ', 'two ', 'three ']).slice(0, 2));
  answer('turns', () => ({ status: 202, body: { id: 'turn_2', status: 'queued' } }));
  const { stdin, out, interrupt, end } = open();
  await expect.poll(() => out.text).toContain('one ');
  stdin.write('next');
  await expect.poll(() => out.text).toContain('ext');
  server.append(...answerStreams('turn_1', ['one ', 'two ', 'three ']).slice(2, 3));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(out.text).not.toContain('two');
  stdin.write('\r');
  await expect.poll(() => out.text).toContain('two');
  await expect.poll(() => calls).toEqual([{ path: 'turns', body: { message: 'next' } }]);
  // The paragraph goes on where it was, and what is queued is said below it.
  expect(out.text).toMatch(/one \n[\s\S]*two $/);
  expect(out.text).toContain('\u001b[1A\u001b[4Ctwo ');
  server.append(...answerStreams('turn_1', ['one ', 'two ', 'three ']).slice(3));
  server.append(...turnCompletes('turn_1', 'one two three '));
  await expect.poll(() => out.text).toMatch(/two three \n {2}queued: next\n/);
  interrupt();
  expect(await end).toEqual({ code: 130, sessionId: 'ses_1' });
});

const begins = [...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi')];
const waits: SessionEvent[] = [
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
const closes = (resolution: 'answered' | 'denied'): SessionEvent[] => [
  { type: 'required_action.resolved', data: { turn_id: 'turn_1', request_id: 'act_1', kind: 'confirmation', resolution } },
  { type: 'turn.running', data: { turn_id: 'turn_1', run_id: 'run_turn_1' } },
];
const actions = () => calls.filter(({ path }) => path === 'actions').map(({ body }) => (body as { payload: unknown }).payload);
const messages = () => calls.filter(({ path }) => path === 'turns').map(({ body }) => body);
const asked = (text: string): number => text.split('? may rm() run?').length - 1;
const answering = (): void => {
  answer('turns', () => ({ status: 202, body: { id: 'turn_2', status: 'queued' } }));
  answer('actions', () => {
    server.append(...closes('answered'));
    return { status: 202, body: { command: { id: 'cmd_1' } } };
  });
};

test('only a whole answer word answers; other text is kept and stands in the line afterwards', async () => {
  server.append(...begins, ...waits);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('[y]es');
  stdin.write('yesterday it worked\r');
  await expect.poll(() => out.text).toMatch(/please answer y, n, e or l; what you typed is kept[\s\S]*: yesterday\s+it\s+worked\n/);
  stdin.write('\r');
  await expect.poll(() => out.text.split('[y]es').length).toBe(4);
  stdin.write('you\r');
  await expect.poll(() => out.text).toMatch(/afterwards:\s+you\n/);
  expect(actions()).toEqual([]);
  stdin.write(' YES \r');
  await expect.poll(actions).toEqual([{ allow: true }]);
  expect(messages()).toEqual([]);
  stdin.write('\r');
  await expect.poll(messages).toEqual([{ message: 'yesterday it worked you' }]);
  interrupt();
  await end;
});

test('a draft is no answer: the question waits for a pause, and the draft comes back after it', async () => {
  server.append(...begins);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => server.openStreams).toBe(1);
  // Time stands still while somebody types: on a busy machine there would be pauses that nobody made.
  const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 150));
    stdin.write('y');
    while (!out.text.includes('› y')) await pause();
    server.append(...waits);
    await pause();
    stdin.write('es');
    await pause();
    // Who types on has not seen a question.
    expect(asked(out.text)).toBe(0);
  } finally {
    time.mockRestore();
  }
  await expect.poll(() => out.text).toContain('[y]es');
  stdin.write('\r');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(actions()).toEqual([]);
  stdin.write('l\r');
  await expect.poll(() => out.text).toContain('put off');
  stdin.write(' please\r');
  await expect.poll(messages).toEqual([{ message: 'yes please' }]);
  expect(actions()).toEqual([]);
  interrupt();
  await end;
});

test('answered elsewhere: the question goes away, the output goes on, and a line is a message again', async () => {
  server.append(...begins, ...waits);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('[y]es');
  stdin.write('y');
  await expect.poll(() => out.text).toMatch(/ater: .*y$/s);
  server.append(...closes('answered'), ...answerStreams('turn_1', ['done ']).slice(0, 2));
  await expect.poll(() => out.text).toMatch(/no longer asked[\s\S]*done /);
  stdin.write('no\r');
  await expect.poll(messages).toEqual([{ message: 'no' }]);
  expect(actions()).toEqual([]);
  interrupt();
  await end;
});

test('answered elsewhere while the reason is asked for: nothing is denied', async () => {
  server.append(...begins, ...waits);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('[y]es');
  stdin.write('no\r');
  await expect.poll(() => out.text).toContain('reason (optional)');
  stdin.write('too ri');
  await expect.poll(() => out.text).toMatch(/too ri$/);
  server.append(...closes('answered'));
  await expect.poll(() => out.text).toContain('no longer asked');
  stdin.write('sky\r');
  await expect.poll(messages).toEqual([{ message: 'too risky' }]);
  expect(actions()).toEqual([]);
  interrupt();
  await end;
});

test('/help lists the commands; an unknown one is not sent', async () => {
  answering();
  server.append(...begins, ...answerStreams('turn_1', ['a']), ...turnCompletes('turn_1', 'a'));
  const { stdin, out, end } = open();
  await expect.poll(() => out.text).toContain('completed');
  stdin.write('/help\r');
  await expect.poll(() => out.text).toMatch(/\/help[\s\S]*\/quit {4}leave/);
  stdin.write('/modle x\r');
  await expect.poll(() => out.text).toContain('There is no command /modle');
  stdin.write('/quit\r');
  expect((await end).code).toBe(0);
  expect(calls).toEqual([]);
});

test('a confirmation is asked for and answered by n with a reason; Escape stops the turn', async () => {
  const call = { id: 'c', name: 'rm', input: { path: '/x' } };
  server.append(
    ...userSays('turn_1', 1, 'hi'),
    ...runBegins('turn_1', 'hi'),
    {
      type: 'required_action.created',
      data: { turn_id: 'turn_1', request_id: 'act_1', kind: 'confirmation', version: 1, tool_call: call, answer_schema: {}, approver: 'owner' },
    },
    { type: 'turn.requires_action', data: { turn_id: 'turn_1', request_ids: ['act_1'] } },
  );
  answer('actions', () => {
    server.append({ type: 'required_action.resolved', data: { turn_id: 'turn_1', request_id: 'act_1', kind: 'confirmation', resolution: 'denied' } });
    server.append({ type: 'turn.running', data: { turn_id: 'turn_1', run_id: 'run_turn_1' } });
    return { status: 202, body: { command: { id: 'cmd_1' } } };
  });
  answer('cancel', () => {
    server.append(...turnCompletes('turn_1', '').slice(0, 1), { type: 'turn.cancelled', data: { turn_id: 'turn_1', unverified_calls: [] } });
    return { status: 202, body: { command: { id: 'cmd_2' } } };
  });
  const { stdin, out, end } = open();
  await expect.poll(() => out.text).toContain('[y]es');
  expect(out.text).toContain('may rm({"path":"/x"}) run?');
  stdin.write('n\r');
  await expect.poll(() => out.text).toContain('reason (optional)');
  stdin.write('too risky\r');
  await expect
    .poll(() => calls.find(({ path }) => path === 'actions')?.body)
    .toEqual({ request_id: 'act_1', expected_version: 1, payload: { allow: false, reason: 'too risky' } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  stdin.write('\u001b');
  await expect.poll(() => out.text).toContain('cancelled');
  expect(calls.map(({ path }) => path)).toEqual(['actions', 'cancel']);
  stdin.write('/quit\r');
  expect((await end).code).toBe(0);
});

const confirmationOf = (more: object): SessionEvent =>
  ({
    type: 'required_action.created',
    data: { turn_id: 'turn_1', request_id: 'act_1', kind: 'confirmation', version: 1, answer_schema: {}, approver: 'owner', ...more },
  }) as SessionEvent;
const parked: SessionEvent = { type: 'turn.requires_action', data: { turn_id: 'turn_1', request_ids: ['act_1'] } };

test('a allows the tool for the session, where that can be remembered; else it is no answer', async () => {
  server.append(...begins, confirmationOf({ tool_call: { id: 'c', name: 'rm', input: {} }, can_remember: true }), parked);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('[a]lways in this session');
  stdin.write('a\r');
  await expect.poll(actions).toEqual([{ allow: true, remember: 'session' }]);
  interrupt();
  await end;
});

test('questions are asked one after the other: numbers for options, or words', async () => {
  const option = (label: string) => ({ label, description: '' });
  const questions = [
    { question: 'Which colour?', header: 'Colour', multi_select: false, options: [option('red'), option('blue')] },
    { question: 'Which sizes?', header: 'Sizes', multi_select: true, options: [option('S'), option('M')] },
    { question: 'What else?', header: 'Else', multi_select: false, options: [] },
  ];
  server.append(...begins, confirmationOf({ kind: 'question', questions, prompt: 'Which colour?' }), parked);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toMatch(/2 {2}blue\n[\s\S]*number or words \(empty = later\): \S*$/);
  stdin.write('7\r');
  await expect.poll(() => out.text).toContain('no such option: 1 to 2');
  stdin.write('2\r');
  await expect.poll(() => out.text).toMatch(/Which sizes\?[\s\S]*with commas between \(empty = later\): \S*$/);
  stdin.write('1, XL\r');
  await expect.poll(() => out.text).toMatch(/What else\?[\s\S]*answer \(empty = later\): \S*$/);
  stdin.write('7 of them\r');
  await expect.poll(actions).toEqual([{ answers: { Colour: 'blue', Sizes: ['S', 'XL'], Else: '7 of them' } }]);
  interrupt();
  await end;
});

test('a form is filled in field by field, an approval is given with a reason, a signal is sent as JSON', async () => {
  const schema = {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string' }, class: { type: 'string', enum: ['first', 'second'] }, days: { type: 'integer', default: 3 } },
  };
  server.append(...begins, confirmationOf({ kind: 'form', prompt: 'Trip', form: { title: 'Where to?', schema } }), parked);
  let asked = 1;
  const next = [
    confirmationOf({ request_id: 'act_2', kind: 'approval', prompt: 'Pay 900?' }),
    confirmationOf({ request_id: 'act_3', kind: 'signal', signal_name: 'parcel', prompt: 'Waits.' }),
  ];
  answer('actions', () => {
    const kind = (['form', 'approval', 'signal'] as const)[asked - 1] ?? 'signal';
    server.append({ type: 'required_action.resolved', data: { turn_id: 'turn_1', request_id: `act_${asked}`, kind, resolution: 'answered' } });
    const following = next[asked - 1];
    if (following) server.append(following, { type: 'turn.requires_action', data: { turn_id: 'turn_1', request_ids: [`act_${asked + 1}`] } });
    asked += 1;
    return { status: 202, body: { command: { id: 'cmd_1' } } };
  });
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toMatch(/Where to\?[\s\S]*fill it in/);
  stdin.write('y\r');
  await expect.poll(() => out.text).toContain('city (a text)');
  stdin.write('Rome\r');
  await expect.poll(() => out.text).toMatch(/2 {2}second\n[\s\S]*class \(number or words, empty = none\)/);
  stdin.write('2\r');
  await expect.poll(() => out.text).toContain('days (a number, empty = 3)');
  stdin.write('\r');
  await expect.poll(() => out.text).toMatch(/Pay 900\?[\s\S]*\[y\] approve/);
  stdin.write('y\r');
  await expect.poll(() => out.text).toContain('reason (optional)');
  stdin.write('fine\r');
  await expect.poll(() => out.text).toMatch(/signal parcel[\s\S]*as JSON/);
  stdin.write('[7]\r');
  await expect.poll(actions).toEqual([{ submitted: true, values: { city: 'Rome', class: 'second', days: 3 } }, { reason: 'fine' }, [7]]);
  interrupt();
  await end;
});

test('! steers the turn that runs: it is said when it is received, and when it is heard', async () => {
  server.append(...begins);
  answer('steer', () => ({ status: 202, body: { input_id: 'inp_1', command: { id: 'cmd_1' } } }));
  const { stdin, out, interrupt, end } = open();
  await expect.poll(() => out.text).toContain('hi');
  stdin.write('!be quick\r');
  await expect.poll(() => out.text).toContain('✓ received: be quick');
  expect(calls).toEqual([{ path: 'steer', body: { message: 'be quick' } }]);
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'be quick' }] }];
  const steered = { turn_id: 'turn_1', command_id: 'cmd_1', input_id: 'inp_1', kind: 'steer' };
  server.append({ type: 'input.accepted', data: { ...steered, input } } as unknown as SessionEvent);
  server.append({ type: 'input.applied', data: { ...steered, item_ids: [] } } as unknown as SessionEvent);
  await expect.poll(() => out.text).toContain('✓✓ heard: be quick');
  interrupt();
  expect((await end).code).toBe(130);
});

const connect = { title: 'Connect', schema: { required: ['key'], properties: { key: { type: 'string', title: 'Key', format: 'password' } } } };
const asksForKey = [...begins, ...callRuns('turn_1', 'bot_connect'), callAsksForm('turn_1', 'bot_connect', connect, { minitool: 'bot', minitool_name: 'Bot' })];

test('FT1 a secret is not echoed, and not remembered; whose form it is is said', async () => {
  server.append(...asksForKey);
  answer('actions', () => {
    server.append(formIsAnswered('turn_1'), callEnds('turn_1', 'bot_connect'), ...turnCompletes('turn_1', 'x'));
    return { status: 202, body: { command: { id: 'cmd_1' } } };
  });
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('? form: Connect — from the mini-tool “Bot” (bot)');
  await expect.poll(() => out.text).toContain('[y] fill it in');
  stdin.write('y\r');
  await expect.poll(() => out.text).toContain('Key (a text, not shown): ');
  stdin.write('hunter2');
  await new Promise((resolve) => setTimeout(resolve, 100));
  stdin.write('\r');
  await expect.poll(actions).toEqual([{ submitted: true, values: { key: 'hunter2' } }]);
  await expect.poll(() => out.text).toContain('completed');
  // What was typed last but for the secret.
  stdin.write('\u001b[A');
  await expect.poll(() => out.text).toMatch(/completed[\s\S]*› y/);
  expect(out.text).not.toContain('hunter');
  interrupt();
  await end;
});

test('FT1 a form that is closed while its secret is typed leaves nothing of it in the line', async () => {
  server.append(...asksForKey);
  answering();
  const { stdin, out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('[y] fill it in');
  stdin.write('y\r');
  await expect.poll(() => out.text).toContain('Key (a text, not shown): ');
  stdin.write('hunter2');
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.append(formIsAnswered('turn_1'));
  await expect.poll(() => out.text).toContain('no longer asked');
  stdin.write('hello\r');
  await expect.poll(messages).toEqual([{ message: 'hello' }]);
  expect(out.text).not.toContain('hunter');
  interrupt();
  await end;
});

test('what a call says of its progress is told line by line: each that is news, and of one that counts every tenth', async () => {
  const told = (percent: number) => callReports('turn_1', { message: `page ${percent}`, stage: 'fetch', percent });
  server.append(...begins, ...callRuns('turn_1', 'bot_fetch'));
  const { out, end, interrupt } = open();
  await expect.poll(() => out.text).toContain('⚙ bot_fetch()');
  for (const [event, line] of [
    [callReports('turn_1', { message: 'Looks \u001b[2Jaround' }), '    Looks [2Jaround\n'],
    [told(41), '    fetch · page 41 · 41 %\n'],
  ] as const) {
    server.append(event);
    await expect.poll(() => out.text).toContain(line);
  }
  server.append(told(42), told(43), callEnds('turn_1', 'bot_fetch'));
  await expect.poll(() => out.text).toContain('✓ bot_fetch Connected.');
  expect(out.text).not.toMatch(/page 4[23]/);
  interrupt();
  await end;
});
