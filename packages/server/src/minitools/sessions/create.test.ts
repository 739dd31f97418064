/** `ctx.sessions.create`, `get` and `list`: whose, where, on what, and once (MC1 to MC4, FZ1 to FZ3, OS1). */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { maxMessageBytes } from '@turnkeeper/minitool/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { listSessions } from '../../app/list-sessions.ts';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { defaultAgentSetting } from '../../app/minitools/default-agent.ts';
import { readTurn } from '../../app/read-turn.ts';
import { ann, bob, builtin, createClient, fresh, userCaller } from '../../testing/harness/client.ts';
import { FakeMinitools } from '../../testing/harness/fake-minitools.ts';
import { createGate } from '../../testing/harness/gate.ts';
import { addMinitool, callIn, type MinitoolSketch, type TestMinitool } from '../../testing/harness/minitool.ts';
import { eventually } from '../../testing/harness/settle.ts';
import { openWorld, type World } from '../../testing/harness/world.ts';
import { auditRow } from '../../testing/store-contract/samples.ts';
import { placeFiles } from './attachments.ts';
import type { Created } from './create.ts';

let world: World;
const tools: TestMinitool[] = [];
afterEach(async () => {
  for (const tool of tools.splice(0)) await tool.end();
  await world.close();
});
const add = async (sketch?: MinitoolSketch): Promise<TestMinitool> => {
  const tool = await addMinitool(world, sketch);
  tools.push(tool);
  return tool;
};
const open = async (sketch?: MinitoolSketch): Promise<TestMinitool> => {
  world = await openWorld();
  await createClient(world).agent();
  return add(sketch);
};
const message = (text: string, idempotencyKey = fresh('key')) => ({ text, idempotencyKey });
const create = (tool: TestMinitool, options: object): Promise<Created> => tool.call('create', options);
const sessionsOf = async (tool: TestMinitool): Promise<number> =>
  (await world.store.list({ owner: tool.owner, status: 'all', order: 'created', offset: 0, limit: 100 })).length;

test('a session in a container: the descriptor says whose it is and where', async () => {
  const tool = await open();
  const made = await create(tool, { containerId: 'inbox', title: 'Chat with Alice' });
  expect(made).toEqual({
    sessionId: made.sessionId,
    owner: { type: 'minitool', minitoolId: tool.id },
    placement: { type: 'minitool', minitoolId: tool.id, containerId: 'inbox' },
    activity: 'interactive',
    state: { pinned: false, archived: false },
    createdAt: new Date(world.clock.now()).toISOString(),
    updatedAt: new Date(world.clock.now()).toISOString(),
  });
  expect(await tool.call('get', made.sessionId)).toEqual(made);
  expect(await tool.call('list', { containerId: 'inbox' })).toEqual([made]);
  expect(await tool.call('list', { containerId: 'workers' })).toEqual([]);
  expect(await tool.call('list')).toEqual([made]);
});

test('a list holds the newest that fit into one message', async () => {
  const tool = await open();
  const made: Created[] = [];
  for (let n = 0; n < 3; n += 1) {
    made.unshift(await create(tool, { containerId: 'inbox' }));
    await world.clock.advance(1_000);
  }
  const one = made[0] as Created;
  // As many as would be far more than a message takes.
  const row = (await world.store.list({ owner: tool.owner, status: 'all', order: 'created', offset: 0, limit: 1 }))[0];
  if (!row) throw new Error('there is one');
  const listing = vi.spyOn(world.engine.app.sessions.store, 'list').mockImplementation(async ({ limit }) => Array(limit).fill(row));
  const listed = await tool.call('list');
  listing.mockRestore();
  expect(JSON.stringify(listed).length).toBeLessThan(maxMessageBytes);
  expect((listed as readonly Created[])[0]).toEqual(one);
  expect(await tool.call('list')).toEqual(made);
});

test('without permissions.sessions every method is refused, naming the field', async () => {
  const tool = await open({ manifest: { permissions: {} } });
  for (const method of ['create', 'get', 'list', 'send', 'waitForTurn', 'listEvents', 'listWaits', 'waitForWait', 'respondToWait'] as const) {
    expect(await tool.refusal(method, {})).toMatchObject({ code: 'permission_denied', details: { field: 'permissions.sessions' } });
  }
});

test('arguments that do not fit are refused by their member, and nothing is created', async () => {
  const tool = await open();
  const refused = async (options: unknown): Promise<string> => {
    const { code, details } = await tool.refusal('create', options);
    expect(code).toBe('invalid_argument');
    return String(details?.['member']);
  };
  expect(await refused({ containerId: 'nowhere' })).toBe('options.containerId');
  expect(await refused({ containerId: 'inbox', space: { spaceId: 'default' } })).toBe('options.containerId');
  expect(await refused({})).toBe('options.containerId');
  expect(await refused(null)).toBe('options');
  expect(await refused({ containerId: 'inbox', activity: 'lazy' })).toBe('options.activity');
  expect(await refused({ containerId: 'inbox', permissionMode: 'all' })).toBe('options.permissionMode');
  expect(await refused({ containerId: 'inbox', initialMessage: { text: 'hi' } })).toBe('options.initialMessage.idempotencyKey');
  expect(await refused({ containerId: 'inbox', initialMessage: message('hi', '  ') })).toBe('options.initialMessage.idempotencyKey');
  expect(await refused({ containerId: 'inbox', initialMessage: message('hi', '😀'.repeat(513)) })).toBe('options.initialMessage.idempotencyKey');
  expect(await refused({ containerId: 'inbox', initialMessage: message(' ') })).toBe('options.initialMessage.text');
  expect(await refused({ containerId: 'inbox', initialMessage: { ...message('hi'), metadata: { x: 'y'.repeat(4096) } } })).toBe(
    'options.initialMessage.metadata',
  );
  expect(await sessionsOf(tool)).toBe(0);
  const none = await add({ manifest: { contributes: {} } });
  expect(await none.refusal('create', { containerId: 'inbox' })).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('declares none') });
  expect((await create(tool, { containerId: 'inbox', initialMessage: message('hi', '😀'.repeat(512)) })).turnId).toBeDefined();
});

test('a profileId is ignored, and said to be', async () => {
  const tool = await open();
  await create(tool, { containerId: 'inbox', profileId: 'x' });
  expect(tool.said.join()).toContain('profileId is ignored');
});

test('activity decides the mode unless one is given; it is frozen with the session', async () => {
  const tool = await open();
  const modeOf = async (options: object): Promise<unknown> => {
    const { sessionId, activity } = await create(tool, { containerId: 'workers', ...options });
    const { target, minitool } = await tool.config(sessionId);
    expect(minitool?.activity).toBe(activity);
    return [activity, target.definition.permissionMode];
  };
  expect(await modeOf({})).toEqual(['interactive', 'ask']);
  expect(await modeOf({ activity: 'background' })).toEqual(['background', 'acceptCalls']);
  expect(await modeOf({ activity: 'background', permissionMode: 'ask' })).toEqual(['background', 'ask']);
  expect(await modeOf({ permissionMode: 'acceptCalls' })).toEqual(['interactive', 'acceptCalls']);
});

test('FZ1 the container’s agent, else the installation’s: by its setting, by the key default, the first one', async () => {
  const tool = await open();
  const client = createClient(world);
  const first = (await world.engine.app.catalog.agents({ offset: 0, limit: 1 }))[0]?.id;
  const second = await client.agent();
  const chosen = await client.agent();
  const agentOf = async (containerId: string) => (await tool.config((await create(tool, { containerId })).sessionId)).target.id;
  expect(await agentOf('inbox')).toBe(first);
  await world.engine.app.catalog.setSetting(defaultAgentSetting, second);
  expect(await agentOf('inbox')).toBe(second);
  await world.stores.minitools.change(tool.id, { containerAgents: { inbox: chosen } }, 1);
  expect([await agentOf('inbox'), await agentOf('workers')]).toEqual([chosen, second]);
});

test('FZ2 a container’s profile stands behind the agent’s system prompt', async () => {
  const tool = await open();
  const systemOf = async (containerId: string) => (await tool.config((await create(tool, { containerId })).sessionId)).target.definition.system;
  expect([await systemOf('inbox'), await systemOf('workers')]).toEqual(['test\n\nWrite briefly.', 'test']);
});

test('MC1 the same create again is the same session and turn, also with both at once and after a restart', async () => {
  const tool = await open();
  const options = { containerId: 'inbox', initialMessage: message('hello') };
  const [one, two] = await Promise.all([create(tool, options), create(tool, options)]);
  expect(two).toMatchObject({ sessionId: one?.sessionId, turnId: one?.turnId });
  await world.restart();
  await tool.reopened();
  expect(await create(tool, options)).toMatchObject({ sessionId: one?.sessionId, turnId: one?.turnId });
  expect(await sessionsOf(tool)).toBe(1);
  // The key is of the placement; of a session it is the turn's.
  expect((await create(tool, { ...options, containerId: 'workers' })).sessionId).not.toBe(one?.sessionId);
  expect(await tool.call('send', one?.sessionId, options.initialMessage)).toMatchObject({ state: 'duplicate', turnId: one?.turnId });
});

test('MC3 the same key with other content: the first one, and told so', async () => {
  const tool = await open();
  const one = await create(tool, { containerId: 'inbox', initialMessage: message('hello', 'k1') });
  const two = await create(tool, { containerId: 'inbox', initialMessage: message('hello, edited', 'k1') });
  expect(two).toMatchObject({ sessionId: one.sessionId, turnId: one.turnId, contentDiffers: true });
  expect(one).not.toHaveProperty('contentDiffers');
  expect(tool.said.join()).toContain('other content');
});

test('MC2 an external key names one session, whoever asks first; elsewhere it is a conflict', async () => {
  const tool = await open();
  const made = await Promise.all([1, 2, 3].map(() => create(tool, { containerId: 'inbox', externalKey: 'alice' })));
  expect(new Set(made.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(made.filter(({ created }) => created)).toHaveLength(1);
  expect(await tool.refusal('create', { containerId: 'workers', externalKey: 'alice' })).toMatchObject({ code: 'idempotency_conflict' });
  const [first] = made;
  const said = await create(tool, { containerId: 'inbox', externalKey: 'alice', initialMessage: message('hi', 'm1') });
  expect(said).toMatchObject({ sessionId: first?.sessionId, created: false });
  const again = await create(tool, { containerId: 'inbox', externalKey: 'alice', initialMessage: message('hi', 'm1') });
  expect(again.turnId).toBe(said.turnId);
  expect((await create(tool, { containerId: 'inbox', externalKey: 'alice', initialMessage: message('more', 'm2') })).turnId).not.toBe(said.turnId);
});

test('MC1 MC4 whatever a process dies at, there is the session with its turn or none, and the same create again makes one', async () => {
  const tool = await open();
  const points = (['note', 'add', 'create'] as const).flatMap((call) => (['before', 'after'] as const).map((when) => ({ call, nth: 1, when })));
  for (const [n, point] of points.entries()) {
    await world.restart(point);
    await tool.reopened();
    const options = { containerId: 'workers', initialMessage: { ...message(`hello ${n}`), attachments: [tool.attachment('bytes')] } };
    void create(tool, options).catch(() => {});
    await world.life.ended;
    const before = await sessionsOf(tool);
    expect(before).toBe(point.call === 'create' && point.when === 'after' ? n + 1 : n);
    await world.restart();
    await tool.reopened();
    const { sessionId, turnId } = await create(tool, options);
    expect(await tool.call('waitForTurn', sessionId, turnId)).toMatchObject({ state: 'completed' });
    expect(await sessionsOf(tool)).toBe(n + 1);
    expect(await world.stores.files.files(sessionId, { offset: 0, limit: 10 })).toHaveLength(1);
  }
});

test('MC4 files that a sweep took before the session was there are put back', async () => {
  const tool = await open();
  const said = { text: 'x', attachments: [], idempotencyKey: 'k' };
  const read = [{ name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('hi'), sha256: '', kind: undefined }];
  const { app } = world.engine;
  const filesOf = (sessionId: string) => app.files.index.files(sessionId, { offset: 0, limit: 10 });
  await placeFiles(app, said, read, { sessionId: 'ses_ahead', model: 'scripted:model', ahead: true });
  expect(await filesOf('ses_ahead')).toHaveLength(1);
  await app.files.index.dropDeleted(0);
  expect(await filesOf('ses_ahead')).toEqual([]);
  // Where the session is there by then.
  const { sessionId } = await create(tool, { containerId: 'workers' });
  const placed = await placeFiles(app, said, read, { sessionId: sessionId as SessionId, model: 'scripted:model', ahead: true });
  const [file] = await filesOf(sessionId);
  await app.files.index.drop(sessionId, file?.id ?? '', 1);
  await placed.ensure();
  expect((await filesOf(sessionId)).map(({ id, size }) => [id, size])).toEqual([[file?.id, 2]]);
});

test('MC4 a session that may be there keeps its files: the answer of the store is lost, and the same create finds both', async () => {
  const tool = await open();
  const options = { containerId: 'workers', initialMessage: { ...message('hello', 'k1'), attachments: [tool.attachment('bytes')] } };
  world.faulty.inject({ method: 'create', call: 1, effect: { kind: 'lost_after' } });
  expect(await tool.refusal('create', options)).toMatchObject({ code: 'storage_unavailable', details: { outcome: 'unknown' } });
  expect(await sessionsOf(tool)).toBe(1);
  const { sessionId, turnId } = await create(tool, options);
  expect(await tool.call('waitForTurn', sessionId, turnId)).toMatchObject({ state: 'completed' });
  expect(await world.stores.files.files(sessionId, { offset: 0, limit: 10 })).toHaveLength(1);
  expect(await sessionsOf(tool)).toBe(1);
});

test('MC4 a session that was made is answered, and keeps its files, also where they cannot be looked at', async () => {
  const tool = await open();
  const options = { containerId: 'workers', initialMessage: { ...message('hello', 'k1'), attachments: [tool.attachment('bytes')] } };
  const failing = vi.spyOn(world.stores.files, 'filesOf').mockRejectedValueOnce(new TurnkeeperError('storage_unavailable', 'It is gone.'));
  const { sessionId, turnId } = await create(tool, options);
  failing.mockRestore();
  expect(tool.said.join()).toContain('could not be seen');
  expect(await tool.call('waitForTurn', sessionId, turnId)).toMatchObject({ state: 'completed' });
  expect(await world.stores.files.files(sessionId, { offset: 0, limit: 10 })).toHaveLength(1);
});

test('MC2 a new external key with a message’s key of another contact: a conflict, and nothing is bound', async () => {
  const tool = await open();
  const alice = await create(tool, { containerId: 'inbox', externalKey: 'alice', initialMessage: message('hi', 'm1') });
  const unnamed = await create(tool, { containerId: 'inbox', initialMessage: message('hi', 'm2') });
  for (const key of ['m1', 'm2'])
    expect(await tool.refusal('create', { containerId: 'inbox', externalKey: 'bob', initialMessage: message('hi', key) })).toMatchObject({
      code: 'idempotency_conflict',
    });
  const bob = await create(tool, { containerId: 'inbox', externalKey: 'bob', initialMessage: message('hi', 'm3') });
  expect(bob.created).toBe(true);
  expect(new Set([alice, unnamed, bob].map(({ sessionId }) => sessionId)).size).toBe(3);
  // Both at once: one of them.
  const both = await Promise.allSettled(
    ['carl', 'dora'].map((externalKey) => create(tool, { containerId: 'inbox', externalKey, initialMessage: message('hi', 'm4') })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await sessionsOf(tool)).toBe(4);
});

test('a create with a message that fails leaves no session: a store that is gone, a file that is not there', async () => {
  const tool = await open();
  const options = { containerId: 'inbox', initialMessage: { ...message('hello', 'k1'), attachments: [tool.attachment('bytes')] } };
  world.faulty.inject({ method: 'create', call: 1, effect: { kind: 'refused' } });
  expect(await tool.refusal('create', options)).toMatchObject({ code: 'storage_unavailable' });
  expect(await sessionsOf(tool)).toBe(0);
  expect(
    await tool.refusal('create', { ...options, initialMessage: { ...options.initialMessage, attachments: [{ ...tool.attachment('x'), file: 'gone' }] } }),
  ).toMatchObject({
    code: 'invalid_argument',
  });
  expect(await sessionsOf(tool)).toBe(0);
  const made = await create(tool, options);
  expect(made.turnId).toBeDefined();
  expect(await sessionsOf(tool)).toBe(1);
});

test('a space: one that its people belong to; another is not there', async () => {
  const tool = await open();
  const { catalog } = world.engine.app;
  await catalog.createUser({ id: 'ann', username: 'ann', displayName: 'Ann', roles: ['user'], status: 'active', passwordHash: null, createdAt: 1 }, auditRow());
  for (const [id, userId] of [
    ['team', 'ann'],
    ['others', 'zoe'],
  ] as const)
    await catalog.createSpace({ id, name: id, createdAt: 1 }, { spaceId: id, userId, role: 'member' }, auditRow());
  const made = await create(tool, { space: { spaceId: 'team' } });
  expect(made.placement).toEqual({ type: 'space', spaceId: 'team' });
  expect(await tool.refusal('create', { space: { spaceId: 'others' } })).toMatchObject({ code: 'not_found' });
  expect(await tool.refusal('create', { space: { spaceId: 'nowhere' } })).toMatchObject({ code: 'not_found' });
});

test('OS1 another’s session, one that is gone and one that never was are the same', async () => {
  const tool = await open();
  const other = await add();
  const client = createClient(world);
  const people = await client.session(await client.agent());
  const theirs = (await create(other, { containerId: 'inbox' })).sessionId;
  const gone = (await create(tool, { containerId: 'inbox' })).sessionId;
  await deleteSession(world.engine.app, { type: 'minitool', id: tool.id, name: '', credentialId: null }, gone);
  const answers = async (id: string) => ({
    get: (await tool.call('get', id)) ?? null,
    send: await tool.refusal('send', id, message('hi')),
    turn: await tool.refusal('waitForTurn', id, 'turn_x'),
    events: await tool.refusal('listEvents', { sessionId: id }),
    waits: await tool.refusal('listWaits', id),
    wait: await tool.refusal('waitForWait', id),
    respond: await tool.refusal('respondToWait', id, 'act_1', { kind: 'permission', allow: true }),
    cancel: await tool.refusal('cancelTurn', id, 'turn_x'),
    mode: await tool.refusal('setPermissionMode', id, 'ask'),
  });
  const never = await answers('ses_never');
  expect(never.get).toBeNull();
  for (const { code } of Object.values(never).slice(1) as { code: string }[]) expect(code).toBe('not_found');
  for (const id of [people, theirs, gone]) expect(await answers(id)).toEqual(never);
  expect(await tool.call('list')).toEqual([]);
});

test('a session in a space is read by its members, as what users place there', async () => {
  const tool = await open();
  await createClient(world).agent();
  const { app } = world.engine;
  await app.catalog.createUser(
    { id: 'ann', username: 'ann', displayName: 'Ann', roles: ['user'], status: 'active', passwordHash: null, createdAt: 1 },
    auditRow(),
  );
  await app.catalog.createSpace({ id: 'team', name: 'team', createdAt: 1 }, { spaceId: 'team', userId: 'ann', role: 'member' }, auditRow());
  const { sessionId } = await create(tool, { space: { spaceId: 'team' } });
  const member = userCaller('mia', { spaces: new Map([['team', 'member']]) });
  expect((await listSessions(app, member, { offset: 0, limit: 10, status: 'active', space: 'team' })).items.map(({ id }) => id)).toEqual([sessionId]);
  await expect(createClient(world, member).submit(sessionId, 'hi')).rejects.toMatchObject({ code: 'forbidden' });
});

test('AC6 its people have its sessions as their own, admins read them, nobody else knows of them', async () => {
  const tool = await open();
  const { sessionId } = await create(tool, { containerId: 'inbox' });
  const { app } = world.engine;
  const seen = async (caller: Parameters<typeof listSessions>[1], owner?: 'all') =>
    (await listSessions(app, caller, { offset: 0, limit: 10, status: 'active', owner, container: `${tool.id}/inbox` })).items.map(({ id }) => id);
  const user = userCaller('ann', { minitools: new Set([tool.id]) });
  expect([await seen(user), await seen(userCaller('root', { admin: true }), 'all'), await seen(bob)]).toEqual([[sessionId], [sessionId], []]);
  expect(await createClient(world, user).submit(sessionId, 'from a person')).toBeDefined();
  await expect(createClient(world, bob).submit(sessionId, 'hi')).rejects.toMatchObject({ code: 'not_found' });
  await expect(createClient(world, userCaller('root', { admin: true })).submit(sessionId, 'hi')).rejects.toMatchObject({ code: 'forbidden' });
});

test('FZ3 with a caller’s context: the calling session’s agent and space; outside a call it is refused', async () => {
  const tool = await open();
  const client = createClient(world);
  const agent = await client.agent({ mode: 'ask', tools: [builtin('effect', { permission: 'never' } as never), builtin('look')] });
  const session = await client.session(agent);
  const call = callIn(tool, session, await client.submit(session, 'hi'));
  const made: Created = await tool.during(call, 'create', { containerId: 'workers', activity: 'background', context: 'caller' });
  const [config, callers] = [await tool.config(made.sessionId), await tool.config(session)];
  expect(config.target).toEqual({ ...callers.target, definition: { ...callers.target.definition, permissionMode: 'acceptCalls' } });
  expect(config.minitool).toEqual({ activity: 'background', workspace: session, caller: { sessionId: session, turnId: call.turnId } });
  const { code } = await tool.refusal('create', { containerId: 'workers', context: 'caller' });
  expect(code).toBe('caller_context_unavailable');
  expect(await sessionsOf(tool)).toBe(1);
  // Without the word for it a call changes nothing.
  const plain: Created = await tool.during(call, 'create', { containerId: 'workers' });
  expect((await tool.config(plain.sessionId)).target.id).not.toBe(agent);
});

test('TO2 with a caller’s context a session is offered what its caller is, and none of its owner’s', async () => {
  const minitools = new FakeMinitools();
  world = await openWorld({ minitoolTools: minitools });
  const client = createClient(world);
  const agent = await client.agent({ tools: [builtin('look')] });
  const tool = await add();
  minitools.register(tool.id, 'read', { defaultEnabled: true });
  const offered = async ({ sessionId, turnId }: Created): Promise<readonly string[] | undefined> => {
    expect(await tool.call('waitForTurn', sessionId, turnId)).toMatchObject({ state: 'completed' });
    return world.model.calls.at(-1)?.request.tools.map(({ name }) => name);
  };
  const session = await client.session(agent);
  const call = callIn(tool, session, await client.submit(session, 'hi'));
  await client.until(session, call.turnId);
  const options = { containerId: 'workers', activity: 'background' };
  expect(await offered(await tool.during(call, 'create', { ...options, context: 'caller', initialMessage: message('one') }))).toEqual(['look']);
  expect(await offered(await tool.during(call, 'create', { ...options, initialMessage: message('two') }))).toEqual(['look', `${tool.id}_read`]);
});

test('BA4 the budget of the calling session is the ceiling of what was made with its context, and of what that makes', async () => {
  const tool = await open();
  const client = createClient(world);
  const { app } = world.engine;
  const session = await client.session(await client.agent());
  await setBudget(app, ann, session, { max_model_calls: 4 });
  const hold = fresh('hold');
  const gate = createGate();
  world.model.when(hold, [{ gate }, { text: 'planned' }]);
  const turn = await client.submit(session, hold);
  await gate.reached;
  const worker = (from: string, inTurn: string, key: string): Promise<Created> =>
    tool.during(callIn(tool, from, inTurn), 'create', { containerId: 'workers', activity: 'background', context: 'caller', initialMessage: message(key, key) });
  const result = (made: Created): Promise<{ readonly state: string }> => tool.call('waitForTurn', made.sessionId, made.turnId);
  const first = await worker(session, turn, 'w1');
  expect(await result(first)).toMatchObject({ state: 'completed' });
  // One that a worker made counts for the same limit.
  const second = await worker(first.sessionId, String(first.turnId), 'w2');
  expect(await result(second)).toMatchObject({ state: 'completed' });
  // One call is left: of many at once one gets it.
  const others = await Promise.all(['w3', 'w4', 'w5'].map((key) => worker(session, turn, key)));
  const ended = await eventually('all at their end', async () => {
    const turns = await Promise.all(
      others.map(({ sessionId, turnId }) => readTurn(app, { type: 'minitool', id: tool.id, name: '', credentialId: null }, sessionId, String(turnId))),
    );
    return turns.every(({ status }) => status === 'completed' || status === 'interrupted') && turns;
  });
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['completed', 'interrupted', 'interrupted']);
  expect(ended.find(({ status }) => status === 'interrupted')).toMatchObject({ errorCode: 'budget_exceeded' });
  expect((await readBudget(app, ann, session)).used).toMatchObject({ model_calls: 4 });
  // What was not made with its context has nothing to do with it.
  const free = await create(tool, { containerId: 'workers', initialMessage: message('free') });
  expect(await result(free)).toMatchObject({ state: 'completed' });
  gate.open();
  await client.until(session, turn);
});

test('BA4 so are the tokens of the turn in which it was made', async () => {
  const tool = await open();
  const client = createClient(world);
  const { app } = world.engine;
  const session = await client.session(await client.agent());
  await setBudget(app, ann, session, { max_tokens_per_turn: 10 });
  const hold = fresh('hold');
  const gate = createGate();
  world.model.when(hold, [{ gate }, { text: 'planned' }]);
  const turn = await client.submit(session, hold);
  await gate.reached;
  const worker = (key: string): Promise<Created> =>
    tool.during(callIn(tool, session, turn), 'create', { containerId: 'workers', context: 'caller', initialMessage: message(key, key) });
  for (const key of ['w1', 'w2']) {
    const { sessionId, turnId } = await worker(key);
    expect(await tool.call('waitForTurn', sessionId, turnId)).toMatchObject({ state: 'completed' });
  }
  const { sessionId, turnId } = await worker('w3');
  const asTool = { type: 'minitool', id: tool.id, name: '', credentialId: null } as const;
  const status = await eventually('its end', async () => {
    const last = await readTurn(app, asTool, sessionId, String(turnId));
    return last.status !== 'running' && last.status !== 'queued' && last.status;
  });
  expect(status).toBe('interrupted');
  gate.open();
  await client.until(session, turn);
});
