import { createClient } from '@turnkeeper/client/create-client';
import { createFakeServer, type FakeServer } from '@turnkeeper/client/testing/fake-server';
import { answerStreams, runBegins, turnCompletes, userSays } from '@turnkeeper/client/testing/turn-script';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  expect(out.text.indexOf('queued')).toBeLessThan(out.text.indexOf('two'));
  interrupt();
  expect(await end).toEqual({ code: 130, sessionId: 'ses_1' });
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
