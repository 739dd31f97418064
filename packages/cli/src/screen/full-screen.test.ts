import { createClient } from '@turnkeeper/client/create-client';
import { createFakeServer, type FakeServer } from '@turnkeeper/client/testing/fake-server';
import { answerStreams, runBegins, turnCompletes, userSays, wholeTurn } from '@turnkeeper/client/testing/turn-script';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandContext } from '../command-context.ts';
import { createStyle } from '../output/style.ts';
import { createFakeIo } from '../testing/fake-io.ts';
import { VirtualScreen } from '../testing/virtual-screen.ts';
import { FullScreen } from './full-screen.ts';

let server: FakeServer;
let calls: { path: string; body: unknown }[];
let close: () => void;
beforeEach(async () => {
  server = createFakeServer();
  calls = [];
  close = () => {};
  await server.start();
});
afterEach(async () => {
  close();
  await server.stop();
});

const answer = (path: string, make: () => object = () => ({})): void =>
  server.on('POST', new RegExp(`/${path}$`), (_request, body) => {
    calls.push({ path, body });
    return { status: 202, body: make() };
  });

const open = (mode: 'chat' | 'tail' = 'chat') => {
  const screen = new VirtualScreen(80, 24);
  const fake = createFakeIo({ NO_COLOR: '1', TERM: 'xterm' }, { tty: true, rows: 24 });
  const io = { ...fake.io, stdout: { ...fake.io.stdout, write: (text: string) => screen.write(text) } };
  const client = createClient({ baseUrl: server.url, token: server.token });
  const context: CommandContext = {
    io,
    client,
    url: server.url,
    json: false,
    style: createStyle(io.stdout, io.env),
    print: () => {},
    note: () => {},
    printJson: () => {},
  };
  const end = new FullScreen(context, { mode, session: { sessionId: 'ses_1' }, title: 'Test', target: 'Clerk' }).run();
  close = () => {
    fake.interrupt();
    client.close();
  };
  return {
    ...fake,
    screen,
    end,
    type: (text: string) => void fake.stdin.write(text),
    seen: (pattern: RegExp) => expect.poll(() => screen.text).toMatch(pattern),
  };
};

const asks: SessionEvent[] = [
  {
    type: 'required_action.created',
    data: {
      turn_id: 'turn_1',
      request_id: 'act_1',
      kind: 'confirmation',
      version: 1,
      tool_call: { id: 'c', name: 'rm', input: { path: '/\u001b[2J' } },
      answer_schema: {},
      approver: 'owner',
    },
  },
  { type: 'turn.requires_action', data: { turn_id: 'turn_1', request_ids: ['act_1'] } },
];
const resolved: SessionEvent[] = [
  { type: 'required_action.resolved', data: { turn_id: 'turn_1', request_id: 'act_1', kind: 'confirmation', resolution: 'answered' } },
  { type: 'turn.running', data: { turn_id: 'turn_1', run_id: 'run_turn_1' } },
];
const begins = [...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi')];
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('arguments are edited in the card; what is no JSON is asked for again', async () => {
  server.append(...begins, ...asks);
  answer('actions', () => {
    server.append(...resolved);
    return { command: { id: 'cmd_1' } };
  });
  const { type, seen } = open();
  await seen(/┃ \? may rm\(\{"path":"\/\\u001b\[2J"\}\) run\?\n┃ \{\n┃ {3}"path": "\/\\u001b\[2J"\n┃ \}\n┃ \[y\]es/);
  await pause(500);
  type('e');
  await seen(/arguments as JSON[\s\S]*Enter gives it/);
  type('oops\r');
  await seen(/that is not JSON/);
  type('\u0015\u007f\u0015\u007f\u0015{"path": "/tmp"}\r');
  await expect.poll(() => calls).toMatchObject([{ path: 'actions', body: { payload: { allow: true, input: { path: '/tmp' } } } }]);
  await seen(/running · live[\s\S]*› Message/);
});

test('KB2: what comes up takes no keys from a message; put off it is asked again on request, and answered elsewhere it goes', async () => {
  server.append(...begins);
  answer('turns', () => ({ id: 'turn_2', status: 'queued' }));
  const { type, seen, screen } = open();
  await seen(/running · live/);
  type('yes, I will');
  await seen(/› yes, I will/);
  server.append(...asks);
  await seen(/a question waits: Tab answers it/);
  type('y');
  await seen(/› yes, I willy/);
  type('\r');
  await seen(/one key answers/);
  expect(calls).toMatchObject([{ path: 'turns', body: { message: 'yes, I willy' } }]);
  await pause(500);
  type('l');
  await seen(/put off; \/answer asks again/);
  expect(screen.text).not.toContain('┃');
  type('/answer\r');
  await seen(/┃ \[y\]es/);
  server.append(...resolved);
  await seen(/no longer asked: answered or closed elsewhere/);
  type('/nonsense\r');
  await seen(/There is no command \/nonsense/);
});

test('a cut and a gap are said; whoever has scrolled up stays there; Esc says that it stops', async () => {
  for (let n = 1; n <= 12; n += 1) server.append(...wholeTurn(`turn_${n}`, n, `question ${n}`, [`answer ${n}`]));
  const { type, seen, screen } = open();
  await seen(/answer 12[\s\S]*› Message/);
  type('\u001b[5~');
  await seen(/↓ \d+ more rows/);
  const above = screen.lines.slice(3, 10);
  server.append(...userSays('turn_13', 13, 'more'), ...runBegins('turn_13', 'more'), ...answerStreams('turn_13', ['one', 'two', 'three']).slice(0, 3));
  await seen(/running · live/);
  expect(screen.lines.slice(3, 10)).toEqual(above);
  type('\u001b[F');
  await seen(/onetwo/);
  server.cutStreams();
  await seen(/resumed at /);
  server.floor = server.events().length + 1;
  server.cutStreams();
  server.append(...answerStreams('turn_13', ['one', 'two', 'three']).slice(3, 4));
  await seen(/onetwothree[\s\S]*gap: events were pruned/);
  answer('cancel');
  type('\u001b');
  await seen(/stopping …/);
  server.append(
    { type: 'turn.cancelled', data: { turn_id: 'turn_13', unverified_calls: [] } } as unknown as SessionEvent,
    ...turnCompletes('turn_13', '').slice(2),
  );
  await seen(/idle · [\s\S]*✗ cancelled/);
});

test('a tail takes no messages: q leaves, and nothing is cancelled', async () => {
  server.append(...begins, ...asks);
  const { type, seen, screen, end } = open('tail');
  await seen(/waiting for an answer · live[\s\S]*\? may rm/);
  expect(screen.text).not.toMatch(/┃|› Message/);
  type('y?');
  await seen(/Keys\n[\s\S]*Any key goes back/);
  type('x');
  await seen(/\? may rm/);
  type('yq');
  expect(await end).toEqual({ code: 0, sessionId: 'ses_1' });
  expect([...screen.modes].toSorted((a, b) => a - b)).toEqual([7, 25]);
  expect(server.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});
