/** Forms, approvals and signals: what is asked, who answers, what the model is told, and what becomes of it when nobody does. */
import type { ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { afterEach, describe, expect, test } from 'vitest';
import { answerActions } from '../../app/answer-actions.ts';
import { auditOf } from '../../app/audit.ts';
import type { ApplicationCaller, Caller } from '../../app/caller.ts';
import { listAllActions } from '../../app/list-actions.ts';
import { createAgent } from '../../app/manage-agents.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, bob, builtin, createClient, fresh, userCaller } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());
const admin = userCaller('root', { admin: true });
const inShop = (id: string, role: 'viewer' | 'operator' | 'approver') => userCaller(id, { applications: new Map([['shop', [role]]]) });
const key: ApplicationCaller = {
  type: 'application',
  id: 'shop',
  name: 'Shop',
  credentialId: 'key_1',
  address: '192.0.2.7',
  scopes: new Set(['invoke', 'read', 'interact', 'cancel']),
  targets: [{ type: 'agent', id: '*' }],
};
const open = async (): Promise<void> => {
  world = await openWorld();
  const { app } = world.engine;
  for (const id of ['ann', 'bob']) {
    const user = { id, username: id, displayName: id, roles: ['user'], status: 'active', passwordHash: null, createdAt: 1 } as const;
    await app.catalog.createUser(user, auditOf(app, 'system', { action: 'user.created', subject: `user:${id}` }));
  }
};

type Asked = { readonly owner?: Caller; readonly more?: Partial<ToolDefinition>; readonly input?: object };
/** A turn whose agent uses the tool of this name, and waits. */
const asking = async (name: string, { owner = ann, more = {}, input = {} }: Asked = {}) => {
  const client = createClient(world, owner);
  const text = fresh('x');
  world.model.when(text, [{ call: name, input: input as never }], [{ text: 'well' }]);
  const session = await client.session(await createClient(world).agent({ tools: [builtin(name, more)] }));
  const turn = await client.submit(session, text);
  await client.until(session, turn, 'requires_action');
  const [action] = (await client.actions(session, turn)) as unknown as readonly Record<string, unknown>[];
  const request_id = String(action?.['request_id']);
  const answer = (by: Caller, body: object, idempotencyKey = fresh('answer')) =>
    answerActions(world.engine.app, by, session, turn, { request_id, ...body } as never, idempotencyKey);
  const code = async (by: Caller, body: object) =>
    answer(by, body).then(
      () => 'taken',
      (error: { readonly code: string }) => error.code,
    );
  return { client, session, turn, action, request_id, answer, code };
};
const told = () => JSON.stringify(world.model.calls.at(-1)?.request.messages);
const check = async (session: string, caller: Caller = ann) => {
  const { faults } = await checkSession(world.store, session, { app: world.engine.app, caller });
  expect([...faults, ...world.model.faults()]).toEqual([]);
};
const inbox = async (by: Caller) => Object.keys((await listAllActions(world.engine.app, by, { limit: 50 })).required_actions);

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', minimum: 1 }, class: { type: 'string', enum: ['1', '2'] } },
  required: ['city'],
};
const form = { title: 'Trip', schema };

describe('a form', () => {
  test('is held to its schema, with every fault by its place; what fits is what the model reads, also after a restart', async () => {
    await open();
    const { client, session, turn, action, answer } = await asking('ask_form', { input: form });
    expect(action).toMatchObject({ kind: 'form', prompt: 'Trip', form: { title: 'Trip', schema: { required: ['city'], additionalProperties: false } } });
    await world.restart();
    const wrong = answer(ann, { payload: { submitted: true, values: { city: 'R', days: 0.5, class: '3', x: 1 } } });
    await expect(wrong).rejects.toMatchObject({ code: 'validation_failed' });
    const { details } = (await wrong.catch((error: unknown) => error)) as { readonly details: { readonly errors: readonly { readonly pointer: string }[] } };
    expect(details.errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/payload/values',
      '/payload/values/city',
      '/payload/values/class',
      '/payload/values/days',
      '/payload/values/days',
    ]);
    await expect(answer(ann, { payload: { submitted: true } })).rejects.toMatchObject({ details: { errors: [{ pointer: '/payload/values' }] } });
    await expect(answer(ann, { payload: { values: {} } })).rejects.toMatchObject({ details: { errors: [{ pointer: '/payload/submitted' }] } });
    await expect(answer(ann, { payload: 'Rome' })).rejects.toMatchObject({ details: { errors: [{ pointer: '/payload' }] } });
    await answer(ann, { payload: { submitted: true, values: { city: 'Rome', days: 3 } } });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'well' });
    expect(told()).toContain(JSON.stringify(JSON.stringify({ submitted: true, values: { city: 'Rome', days: 3 } })));
    await check(session);
  });

  test('may be declined: then it is denied', async () => {
    await open();
    const { client, session, turn, answer } = await asking('ask_form', { input: form });
    await answer(ann, { payload: { submitted: false, values: { city: 1 } } });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(told()).toContain('declined');
    await check(session);
  });

  test('that nobody fills in is what its tool says, once its time is over', async () => {
    await open();
    const { client, session, turn } = await asking('ask_form', { input: form, more: { expiresSeconds: 60, onExpiry: { city: 'home' } } as never });
    await world.clock.advance(61_000);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(told()).toContain('home');
    await check(session);
  });
});

describe('an approval', () => {
  const approve = { decision: 'approved', payload: { reason: 'fine' } };

  test('is given by whom the definition names and by nobody else: not by the owner, not by an admin', async () => {
    await open();
    const { client, session, turn, action, answer, code } = await asking('request_approval', {
      more: { approverRef: 'bob', prompt: 'Pay?' } as never,
      input: { details: '900 to ACME' },
    });
    expect(action).toMatchObject({ kind: 'approval', prompt: 'Pay?\n\n900 to ACME', approver: ['bob'] });
    expect([await code(ann, approve), await code(admin, approve)]).toEqual(['approver_required', 'approver_required']);
    expect([await inbox(ann), await inbox(bob)]).toEqual([[], [String(action?.['request_id'])]]);
    await expect(answer(bob, { payload: { allow: true } })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/decision' }] },
    });
    await answer(bob, approve);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(told()).toContain(JSON.stringify(JSON.stringify({ decision: 'approved', reason: 'fine' })));
    await check(session);
  });

  test('that is rejected is denied, with the reason; one that nobody gave in time is never taken for given', async () => {
    await open();
    const rejected = await asking('request_approval', { more: { approverRef: ['ann', 'bob'] } as never });
    await rejected.answer(ann, { decision: 'rejected', payload: { reason: 'too dear' } });
    await rejected.client.until(rejected.session, rejected.turn);
    expect(told()).toContain('Rejected: too dear');
    const late = await asking('request_approval', { more: { approverRef: 'ann', expiresSeconds: 60 } as never });
    await world.clock.advance(61_000);
    await late.client.until(late.session, late.turn);
    expect(told()).toContain('Nobody answered in time.');
    await check(late.session);
  });

  test('AC5 may ask for a role: of the members of the application, and of no key', async () => {
    await open();
    const { client, session, turn, request_id, code } = await asking('request_approval', { owner: key, more: { approverRef: 'role:operator' } as never });
    const others = [
      key,
      ann,
      admin,
      inShop('vic', 'viewer'),
      inShop('amy', 'approver'),
      userCaller('max', { applications: new Map([['other', ['operator']]]) }),
    ];
    for (const by of others) {
      expect([by.id, await code(by, approve)]).toEqual([by.id, by === ann || by.id === 'max' ? 'not_found' : 'approver_required']);
      expect([by.id, await inbox(by)]).toEqual([by.id, []]);
    }
    const olga = inShop('olga', 'operator');
    expect(await inbox(olga)).toEqual([request_id]);
    expect(await code(olga, approve)).toBe('taken');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(await inbox(olga)).toEqual([]);
  });

  test('AC5 may ask for the admins', async () => {
    await open();
    const { request_id, code } = await asking('request_approval', { more: { approverRef: 'role:admin' } as never });
    expect([await inbox(admin), await inbox(ann)]).toEqual([[request_id], []]);
    expect([await code(ann, approve), await code(admin, approve)]).toEqual(['approver_required', 'taken']);
  });

  test('wants a definition that says who gives it, and of no other tool', async () => {
    await open();
    const made = async (tool: object) =>
      createAgent(world.engine.app, admin, {
        agentKey: fresh('agent'),
        displayName: 'A',
        description: '',
        definition: { system: '', model: 'scripted:model', maxIters: 1, permissionMode: 'ask', tools: [{ type: 'builtin', ...tool }] } as never,
      });
    await expect(made({ name: 'request_approval', approverRef: 'usr_nobody' })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/definition/tools/0/approverRef' }] },
    });
    await expect(made({ name: 'request_approval', approverRef: ['ann', 'usr_nobody'] })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/definition/tools/0/approverRef/1' }] },
    });
    expect((await made({ name: 'request_approval', approverRef: 'ann' })).agent.id).toBeDefined();
  });
});

describe('a signal', () => {
  test('is sent by a key with any JSON, once; the same key again is the same answer', async () => {
    await open();
    const { client, session, turn, action, answer, code } = await asking('wait_for_signal', { owner: key, input: { signalName: 'parcel.arrived' } });
    expect(action).toMatchObject({ kind: 'signal', signal_name: 'parcel.arrived', answer_schema: {} });
    const sent = await answer(key, { payload: [1, null, 'x'] }, 'parcel-7');
    expect(await answer(key, { payload: [1, null, 'x'] }, 'parcel-7')).toMatchObject({ answer: sent.answer, replayed: true });
    await expect(answer(key, { payload: 2 }, 'parcel-7')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(await code(key, { payload: 2 })).toBe('action_resolved');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'well' });
    expect(told()).toContain('[1,null,\\"x\\"]');
  });

  test('that does not come is told to be missing, or is what the tool says', async () => {
    await open();
    const missing = await asking('wait_for_signal', { input: { signalName: 'a' }, more: { expiresSeconds: 60 } });
    await world.clock.advance(61_000);
    await missing.client.until(missing.session, missing.turn);
    expect(told()).toContain('The signal did not come in time.');
    const replaced = await asking('wait_for_signal', { input: { signalName: 'a' }, more: { expiresSeconds: 60, onExpiry: 'none' } as never });
    await world.clock.advance(61_000);
    await replaced.client.until(replaced.session, replaced.turn);
    expect(told()).toContain('\\"none\\"');
    await check(replaced.session);
  });
});

test('S18 what one request answers is taken together or not at all, of whatever kinds', async () => {
  await open();
  const client = createClient(world);
  const calls = [
    { call: 'ask_form', input: form },
    { call: 'wait_for_signal', input: { signalName: 's' } },
    { call: 'ask_user', input: { question: 'Really?' } },
    { call: 'effect', input: {} },
  ];
  world.model.when('all', calls as never, [{ text: 'well' }]);
  const asks = { permission: undefined } as never;
  const tools = [builtin('ask_form'), builtin('wait_for_signal'), builtin('ask_user'), builtin('effect', asks)];
  const session = await client.session(await client.agent({ tools, mode: 'ask' }));
  const turn = await client.submit(session, 'all');
  await client.until(session, turn, 'requires_action');
  const ids = (await client.actions(session)).map(({ request_id }) => request_id);
  const payloads = [{ submitted: true, values: { city: 'Rome' } }, { at: 'door' }, { answers: { answer: 'yes' } }, { allow: true, remember: 'session' }];
  const answers = payloads.map((payload, n) => ({ request_id: ids[n], payload }));
  const send = (all: readonly object[]) => answerActions(world.engine.app, ann, session, turn, { answers: all } as never, fresh('answers'));
  const spoilt = [...answers.slice(0, 3), { ...answers[3], expected_version: 2 }];
  await expect(send(spoilt)).rejects.toMatchObject({ code: 'action_version_conflict' });
  await expect(send([{ ...answers[0], payload: { submitted: true, values: {} } }, ...answers.slice(1)])).rejects.toMatchObject({
    details: { errors: [{ pointer: '/answers/0/payload/values' }] },
  });
  expect(await client.actions(session)).toHaveLength(4);
  await send(answers);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect(world.tools.count('effect')).toBe(1);
  await check(session);
});
