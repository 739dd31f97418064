/** Forms that a running tool puts to people: who is asked, what reaches the tool, and that nothing of it stays open or is kept. */
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MinitoolCaller } from '../../app/caller.ts';
import { createMinitoolSession } from '../../app/create-minitool-session.ts';
import { listAllActions } from '../../app/list-actions.ts';
import { requestForm } from '../../minitools/forms/request-form.ts';
import { type HostApi, MinitoolFailure } from '../../minitools/host-api.ts';
import type { ToolRun } from '../../ports/tool.ts';
import { checkSession } from '../harness/check-session.ts';
import { type AgentSketch, ann, bob, type Client, createClient, fresh } from '../harness/client.ts';
import { FakeMinitools, said } from '../harness/fake-minitools.ts';
import { eventually, settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

type Result = Awaited<ReturnType<HostApi['form.request']>>;
type Host = Parameters<HostApi['form.request']>;

let world: World;
let client: Client;
let minitools: FakeMinitools;
/** What came of the forms, in order. */
let results: (Result | Error)[];

const open = async (more: Parameters<typeof openWorld>[0] = {}): Promise<void> => {
  minitools = new FakeMinitools();
  results = [];
  world = await openWorld({ ...more, minitoolTools: minitools });
  client = createClient(world);
};
beforeEach(() => open());
afterEach(() => world.close());

const wanted = {
  title: 'Connect',
  submitLabel: 'Go',
  fields: [
    { key: 'user', label: 'User', type: 'text', required: true },
    { key: 'token', label: 'Token', type: 'password', secret: true, required: true, default: 'hidden-default' },
    {
      key: 'rooms',
      label: 'Rooms',
      type: 'multiselect',
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    },
    { key: 'help', label: 'Help', type: 'link', href: 'https://a.example/help' },
  ],
};
const filled = { submitted: true, values: { user: 'ann', token: 'hunter2-secret' } };

/** As the host of a mini-tool asks: `stop` takes the request back. */
const asks = (run: ToolRun, spec: unknown, stop = new AbortController().signal): Promise<Result> =>
  requestForm({ signal: stop } as Host[0], { callToken: 't', spec } as Host[1], { ask: run.ask } as NonNullable<Host[2]>);

const registerAsking = (spec: unknown = wanted, more: Parameters<FakeMinitools['register']>[2] = {}, times = 1): void =>
  minitools.register('bot', 'connect', {
    risk: 'medium',
    ...more,
    run: async (_input, run) => {
      for (let n = 0; n < times; n += 1) results.push(await asks(run, spec).catch((error: Error) => error));
      return said('connected');
    },
  });
const bot = { type: 'minitool', id: 'bot' } as const;
const begin = async (sketch: AgentSketch = { tools: [bot] }, more: { readonly timeoutSeconds?: number } = {}) => {
  const text = fresh('do');
  world.model.when(text, [{ call: 'bot_connect' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent(sketch), more);
  const turn = await client.submit(session, text);
  return { session, turn };
};
const formOf = (session: string, by = client) =>
  eventually('a form', async () => ((await by.actions(session)) as unknown as readonly Record<string, unknown>[]).find(({ kind }) => kind === 'form'));
const asked = async (...more: Parameters<typeof begin>) => {
  const begun = await begin(...more);
  const action = await formOf(begun.session);
  return { ...begun, action, id: String(action['request_id']) };
};
const logOf = async (session: string) => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return log.map(({ event }) => event);
};
const resolutions = async (session: string) =>
  (await logOf(session)).flatMap((event) => (event.type === 'required_action.resolved' && event.data.kind === 'form' ? [event.data.resolution] : []));

test('the answer reaches the tool, settles nothing, and is read by nobody else (FV1, RN3)', async () => {
  registerAsking();
  const { session, turn, action, id } = await asked();
  expect(action).toMatchObject({
    while_running: true,
    tool_note: { minitool: 'bot', title: 'connect' },
    form: {
      title: 'Connect',
      submit_label: 'Go',
      fields: [{ key: 'user' }, { key: 'token' }, { key: 'rooms' }, { key: 'help', href: 'https://a.example/help' }],
    },
  });
  expect(JSON.stringify(action)).not.toContain('hidden-default');
  expect(await client.turn(session, turn)).toMatchObject({ status: 'running' });
  expect(Object.keys((await listAllActions(world.engine.app, ann, { limit: 9 })).required_actions)).toEqual([id]);
  await expect(createClient(world, bob).answer(session, turn, id, filled)).rejects.toMatchObject({ code: 'not_found' });
  await client.answer(session, turn, id, filled, 'once');
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 1 });
  expect(results).toEqual([{ submitted: true, values: { user: 'ann', token: 'hunter2-secret', rooms: [] } }]);
  expect(minitools.count('bot_connect')).toBe(1);
  await client.answer(session, turn, id, filled, 'once');
  await expect(client.answer(session, turn, id, filled)).rejects.toMatchObject({ code: 'action_resolved' });

  const log = await logOf(session);
  const sid = (await world.store.load(session as SessionId))?.head.sid ?? 0;
  const kept = [
    log,
    await world.store.resource(sid, id),
    await world.store.receipt(`user:ann|actions|${session}`, 'once'),
    await world.stores.catalog.audit({ limit: 50 } as never),
  ];
  expect(JSON.stringify(kept)).toContain('action.answered');
  expect(JSON.stringify(kept)).not.toContain('hunter2');
  expect(log.filter(({ type }) => type === 'tool.completed')).toHaveLength(1);
});

test('values are held to the form before they are taken', async () => {
  registerAsking();
  const { session, turn, id } = await asked();
  const refused = async (values: object) =>
    client
      .answer(session, turn, id, { submitted: true, values })
      .catch((error: { details: { errors: { pointer: string }[] } }) => error.details.errors.map(({ pointer }) => pointer));
  expect(await refused({ user: '', token: 't' })).toEqual(['/payload/values/user']);
  expect(await refused({ user: 'a', token: 't', rooms: ['c'] })).toContain('/payload/values/rooms/0');
  expect(await refused({ user: 'a', token: 't', help: 'x' })).toEqual(['/payload/values']);
  expect(await refused({ user: 'a' })).toEqual(['/payload/values']);
  await client.answer(session, turn, id, { submitted: false });
  await client.until(session, turn);
  expect(results).toEqual([{ submitted: false, values: {}, reason: 'cancelled' }]);
});

test('what is no form is told with every fault, and nobody is asked (MQ1)', async () => {
  registerAsking({
    title: '',
    fields: [
      { key: 'a', label: 'A', type: 'select' },
      { key: 'a', label: 'B', type: 'link', href: 'javascript:x' },
    ],
  });
  const { session, turn } = await begin();
  await client.until(session, turn);
  expect(results[0]).toBeInstanceOf(MinitoolFailure);
  expect(results[0]).toMatchObject({ code: 'invalid_argument', message: expect.stringMatching(/\/title.*\/fields\/0\/options.*\/fields\/1\/href/s) });
  expect(await resolutions(session)).toEqual([]);
});

test('forms of one call come one after the other, and in parallel from several calls', async () => {
  minitools.register('bot', 'connect', {
    risk: 'medium',
    run: async (_input, run) => {
      results.push(...(await Promise.all([asks(run, { ...wanted, title: 'one' }), asks(run, { ...wanted, title: 'two' })])));
      return said('connected');
    },
  });
  const { session, turn, action, id } = await asked();
  expect(action).toMatchObject({ form: { title: 'one' } });
  await world.clock.advance(60_000);
  expect(await client.actions(session)).toHaveLength(1);
  await client.answer(session, turn, id, filled);
  const second = await formOf(session);
  expect(second).toMatchObject({ form: { title: 'two' } });
  await client.answer(session, turn, String(second['request_id']), { submitted: false });
  await client.until(session, turn);
  expect(results.map((result) => 'submitted' in result && result.submitted)).toEqual([true, false]);

  world.model.when(
    'both',
    [
      { call: 'bot_connect', id: 'a' },
      { call: 'bot_connect', id: 'b' },
    ],
    [{ text: 'done' }],
  );
  const both = await client.submit(session, 'both');
  await eventually('two forms', async () => (await client.actions(session)).length === 2);
  await client.cancel(session, both);
  await client.until(session, both, 'cancelled');
  expect(await client.actions(session)).toEqual([]);
});

describe('time', () => {
  test('of the tool and of the turn stands still while people are asked (CW2, RN4)', async () => {
    registerAsking(wanted, { timeoutMs: 20_000 });
    const { session, turn, id } = await asked({ tools: [bot] }, { timeoutSeconds: 30 });
    await world.clock.advance(600_000);
    await client.answer(session, turn, id, filled);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(results).toMatchObject([{ submitted: true }]);
  });

  test('goes on after the answer: what the tool had left is what it has', async () => {
    minitools.register('bot', 'connect', {
      timeoutMs: 20_000,
      run: async (_input, run) => {
        await run.ask({ form: { title: 'x', schema: {} } });
        return new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)));
      },
    });
    const { session, turn, id } = await asked();
    await world.clock.advance(3_600_000);
    const from = world.clock.now();
    await client.answer(session, turn, id, { submitted: false });
    await client.until(session, turn);
    expect(world.clock.now() - from).toBeLessThanOrEqual(21_000);
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('no answer in 20000 ms');
  });

  test('to answer ends where the form says so, and where the definition does', async () => {
    registerAsking({ ...wanted, timeoutMs: 90_000 });
    const ended = async (tools: AgentSketch['tools']) => {
      const { session, turn, action } = await asked({ tools: tools ?? [] });
      const from = Number(action['created_at']);
      await client.until(session, turn);
      expect(await resolutions(session)).toEqual(['expired']);
      return Number(action['expires_at']) - from;
    };
    expect(await ended([bot])).toBe(90_000);
    expect(await ended([{ ...bot, expiresSeconds: 20 }])).toBe(20_000);
    expect(results).toEqual([1, 2].map(() => ({ submitted: false, values: {}, reason: 'timeout' })));
  });
});

describe('the end of what asked', () => {
  test('a cancelled turn closes the form at once', async () => {
    registerAsking();
    const { session, turn, id } = await asked();
    await client.cancel(session, turn);
    expect(await client.until(session, turn, 'cancelled')).toMatchObject({ status: 'cancelled' });
    expect(results).toEqual([{ submitted: false, values: {}, reason: 'session-ended' }]);
    expect(await resolutions(session)).toEqual(['cancelled']);
    await expect(client.answer(session, turn, id, filled)).rejects.toMatchObject({ code: 'action_resolved' });
  });

  test('a result that did not wait for it closes it', async () => {
    minitools.register('bot', 'connect', {
      run: async (_input, run) => {
        void asks(run, wanted).then((result) => results.push(result));
        await formOf(run.sessionId);
        return said('never mind');
      },
    });
    const { session, turn } = await begin();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    await eventually('the answer', () => results.length === 1);
    expect(results).toEqual([{ submitted: false, values: {}, reason: 'session-ended' }]);
    expect(await resolutions(session)).toEqual(['cancelled']);
  });

  test('a request that is taken back closes it, and the tool goes on', async () => {
    const stop = new AbortController();
    minitools.register('bot', 'connect', {
      run: async (_input, run) => {
        results.push(await asks(run, wanted, stop.signal));
        return said('done without');
      },
    });
    const { session, turn } = await asked();
    stop.abort();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(results).toEqual([{ submitted: false, values: {}, reason: 'cancelled' }]);
    expect(await resolutions(session)).toEqual(['cancelled']);
  });

  test.each([
    ['withdrawn', 'cancelled'],
    ['call_ended', 'session-ended'],
  ])('an answer in the very moment in which its form is %s is told to be lost, once (RN7)', async (reason, told) => {
    const stop = new AbortController();
    const finished = new AbortController();
    const finish = new Promise<void>((resolve) => finished.signal.addEventListener('abort', () => resolve()));
    minitools.register('bot', 'connect', {
      run: async (_input, run) => {
        const result = asks(run, wanted, stop.signal).then((answer) => results.push(answer));
        await Promise.race([result, finish]);
        return said('done without');
      },
    });
    const { session, turn, id } = await asked();
    const sid = (await world.store.load(session as SessionId))?.head.sid ?? 0;
    // What was answered is committed, and nobody here has heard of it yet.
    world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'held_after' } });
    const answered = client.answer(session, turn, id, filled);
    await eventually('the answer is stored', async () => (await world.store.resource(sid, id))?.body.includes('"answered"'));
    (reason === 'withdrawn' ? stop : finished).abort();
    await settle();
    world.faulty.release();
    await answered;
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    await eventually('the tool was told', () => results.length === 1);
    expect(results).toEqual([{ submitted: false, values: {}, reason: told }]);
    expect(await resolutions(session)).toEqual(['answered']);
    const log = await logOf(session);
    const accepted = log.find(({ type }) => type === 'required_action.accepted')?.data as { readonly command_id: string };
    expect(log.flatMap((event) => (event.type === 'required_action.rejected' ? [event.data] : []))).toEqual([
      { turn_id: turn, request_id: id, command_id: accepted.command_id, reason, pending: false },
    ]);
  });

  test('a call that is over asks nobody', async () => {
    expect(await requestForm({ signal: new AbortController().signal } as Host[0], { callToken: 't', spec: wanted } as Host[1])).toMatchObject({
      reason: 'session-ended',
    });
    let late: ToolRun['ask'] | undefined;
    minitools.register('bot', 'connect', {
      run: async (_input, { ask }) => {
        late = ask;
        return said('done');
      },
    });
    const { session, turn } = await begin();
    await client.until(session, turn);
    expect(await late?.({ form: { title: 'x', schema: {} } })).toEqual({ submitted: false, reason: 'session-ended' });
    expect(await resolutions(session)).toEqual([]);
  });

  test('a server that stops in good order closes it: the tool is told, and what it gives then counts', async () => {
    registerAsking();
    const { session, turn } = await asked();
    const stopped = world.stop(1_000);
    await world.clock.advance(60_000);
    await stopped;
    await world.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(results).toEqual([{ submitted: false, values: {}, reason: 'session-ended' }]);
    expect(await resolutions(session)).toEqual(['cancelled']);
    expect(minitools.count('bot_connect')).toBe(1);
  });

  test('a crash closes it; a call that may not be repeated waits for a person', async () => {
    registerAsking();
    const { session, turn, id } = await asked();
    await world.restart();
    await client.until(session, turn, 'interrupted');
    expect(await client.actions(session)).toMatchObject([{ kind: 'reconciliation' }]);
    expect(await resolutions(session)).toEqual(['cancelled']);
    await expect(client.answer(session, turn, id, filled)).rejects.toMatchObject({ code: 'action_resolved' });
    expect(minitools.count('bot_connect')).toBe(1);
  });

  test('after a crash, a call that may be repeated asks again', async () => {
    registerAsking(wanted, { risk: 'low' });
    const { session, turn, id } = await asked();
    await world.restart();
    const again = await eventually('another form', async () => (await client.actions(session)).find(({ request_id }) => request_id !== id));
    await client.answer(session, turn, again.request_id, filled);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(results).toMatchObject([{ submitted: true }]);
    expect(await resolutions(session)).toEqual(['cancelled', 'answered']);
  });
});

test('a form holds no slot', async () => {
  await world.close();
  await open({ slots: 1 });
  registerAsking();
  const { session, turn, id } = await asked();
  world.model.when('other', [{ text: 'worked' }]);
  const other = await client.session(await client.agent());
  expect(await client.until(other, await client.submit(other, 'other'))).toMatchObject({ status: 'completed' });
  await client.answer(session, turn, id, filled);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
});

test('of a child session it is answered at the parent, too', async () => {
  registerAsking();
  const helper = await client.agent({ tools: [bot] });
  world.model.when('look', [{ call: 'bot_connect' }], [{ text: 'found' }]);
  world.model.when('plan', [{ call: 'delegate', input: { name: 'helper', message: 'look' } }], [{ text: 'planned' }]);
  const session = await client.session(await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] }));
  const turn = await client.submit(session, 'plan');
  const action = await formOf(session);
  const child = childSessionId(turn as TurnId, 1);
  expect(action).toMatchObject({ child_session_id: child, while_running: true });
  await client.answer(session, turn, String(action['request_id']), filled);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect(results).toMatchObject([{ submitted: true, values: { token: 'hunter2-secret' } }]);
  expect(JSON.stringify([await logOf(session), await logOf(child)])).not.toContain('hunter2');
});

test('CW3 in a session that works in the background nobody is asked, nor in its children', async () => {
  registerAsking();
  const helper = await client.agent({ tools: [bot] });
  const agent = await client.agent({ tools: [bot], subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] });
  const { app } = world.engine;
  const template = await client.session(agent);
  const frozen = (await app.sessions.find(template as SessionId))?.session.config;
  if (!frozen) throw new Error('no session');
  const asBot: MinitoolCaller = { type: 'minitool', id: 'bot', name: 'Bot', credentialId: null };
  const { sessionId } = await createMinitoolSession(app, asBot, {
    placement: 'container:bot/inbox',
    title: undefined,
    externalKey: undefined,
    message: undefined,
    before: async () => {},
    config: async () => ({ ...frozen, minitool: { activity: 'background' } }),
  });
  const owned = createClient(world, asBot);
  world.model.when('look', [{ call: 'bot_connect' }], [{ text: 'found' }]);
  world.model.when('work', [{ call: 'bot_connect' }], [{ call: 'delegate', input: { name: 'helper', message: 'look' } }], [{ text: 'done' }]);
  expect(await owned.until(sessionId, await owned.submit(sessionId, 'work'))).toMatchObject({ status: 'completed' });
  expect(results).toEqual([1, 2].map(() => ({ submitted: false, values: {}, reason: 'background' })));
  const { log } = await checkSession(world.store, sessionId);
  expect(log.some(({ event }) => event.type === 'required_action.created')).toBe(false);
});
