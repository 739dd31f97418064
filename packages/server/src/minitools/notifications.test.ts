/** What mini-tools are notified of: turns of their own interactive sessions, and nothing that was said (NT1, NT2). */
import { afterEach, expect, test } from 'vitest';
import { ModelError } from '../ports/model.ts';
import { noTelemetry } from '../ports/telemetry.ts';
import { builtin, createClient, fresh } from '../testing/harness/client.ts';
import { createGate } from '../testing/harness/gate.ts';
import { addMinitool, type TestMinitool } from '../testing/harness/minitool.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { notificationOf } from './notifications.ts';

let world: World;
let tool: TestMinitool;
afterEach(async () => {
  await tool.end();
  await world.close();
});

test('NT1 NT2 done, waiting and failed turns of interactive sessions; no background ones, and none that was cancelled', async () => {
  const posted: unknown[] = [];
  world = await openWorld({
    telemetry: {
      ...noTelemetry,
      committed: ({ session, events }) => posted.push(...events.flatMap((event) => notificationOf('ntf_1', session, event) ?? [])),
    },
  });
  await createClient(world).agent({ tools: [builtin('effect', { permission: 'always_ask' } as never)], mode: 'ask' });
  tool = await addMinitool(world);
  const create = async (options: object): Promise<string> =>
    ((await tool.call('create', { containerId: 'workers', title: 'Chat', ...options })) as { sessionId: string }).sessionId;
  const send = async (session: string, text: string): Promise<string> =>
    ((await tool.call('send', session, { text, idempotencyKey: fresh('key') })) as { turnId: string }).turnId;
  const session = await create({});
  const background = await create({ activity: 'background' });
  world.model.when('pay', [{ call: 'effect' }], [{ text: 'paid' }]);
  world.model.when('fail', [{ fails: () => new ModelError('no', { code: 'model_not_configured', retryable: false }) }]);
  for (const each of [background, session]) {
    await tool.call('waitForTurn', each, await send(each, 'hi'));
    await tool.call('waitForTurn', each, await send(each, 'fail'));
  }
  const turn = await send(session, 'pay');
  const wait = (await tool.call('waitForWait', session)) as { requestId: string };
  await tool.call('respondToWait', session, wait.requestId, { kind: 'permission', allow: true });
  await tool.call('waitForTurn', session, turn);
  const gate = createGate();
  world.model.when('hold', [{ gate }, { text: 'x' }]);
  await send(session, 'hold');
  await tool.call('cancelTurn', session, await send(session, 'queued'));
  const one = (kind: string) => ({ id: 'ntf_1', kind, createdAt: expect.any(String), sessionId: session, title: 'Chat' });
  expect(posted).toEqual(['background-done', 'error', 'waiting', 'background-done'].map(one));
  gate.open();
});
