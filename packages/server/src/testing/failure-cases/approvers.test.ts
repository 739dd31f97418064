/** Who sees and answers what people are waited for (A4, A6, A7): owners, named users, roles in an application, keys, admins. */
import { afterEach, expect, test, vi } from 'vitest';
import { auditOf } from '../../app/audit.ts';
import type { ApplicationCaller, Caller } from '../../app/caller.ts';
import { listAllActions } from '../../app/list-actions.ts';
import { readSession } from '../../app/read-sessions.ts';
import { ann, bob, builtin, createClient, external, fresh, userCaller } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());
const open = async () => {
  world = await openWorld();
  const { app } = world.engine;
  for (const id of ['ann', 'bob']) {
    const user = { id, username: id, displayName: id, roles: ['user'], status: 'active', passwordHash: null, createdAt: 1 } as const;
    await app.catalog.createUser(user, auditOf(app, 'system', { action: 'user.created', subject: `user:${id}` }));
  }
};
const carol = userCaller('carol');
const admin = userCaller('root', { admin: true });
const inShop = (id: string, role: 'viewer' | 'operator' | 'approver') => userCaller(id, { applications: new Map([['shop', [role]]]) });
const key = (scopes: readonly string[] = ['invoke', 'read', 'interact', 'cancel'], more: Partial<ApplicationCaller> = {}): ApplicationCaller => ({
  type: 'application',
  id: 'shop',
  name: 'Shop',
  credentialId: 'key_1',
  address: '192.0.2.7',
  scopes: new Set(scopes),
  targets: [{ type: 'agent', id: '*' }],
  ...more,
});
const asks = { permission: 'always_ask' } as const;

/** A session of `owner` that waits for all kinds of answers. */
const waiting = async (owner: Caller, approver?: unknown) => {
  const as = createClient(world, owner);
  const text = fresh('x');
  world.model.when(text, [{ call: 'effect' }, { call: 'pay' }, { call: 'ask_user', input: { question: 'Really?' } }], [{ text: 'well' }]);
  const named = approver === undefined ? {} : { approver };
  const tools = [builtin('effect', { ...asks, ...named } as never), external('pay', named as never), builtin('ask_user', named as never)];
  const session = await as.session(await createClient(world).agent({ tools }));
  const turn = await as.submit(session, text);
  await as.until(session, turn, 'requires_action');
  const [confirmation, execution, question] = (await as.actions(session)).map(({ request_id }) => request_id);
  const payloads = { confirmation: { allow: true }, execution: { output: 'paid' }, question: { answers: { answer: 'yes' } } };
  const ids = { confirmation, execution, question };
  const answer = (by: Caller, kind: keyof typeof payloads) => createClient(world, by).answer(session, turn, ids[kind] ?? '', payloads[kind]);
  const denied = async (by: Caller, kind: keyof typeof payloads) =>
    answer(by, kind).then(
      () => 'taken',
      (error: { code?: string }) => error.code,
    );
  return { session, turn, ids, answer, denied, end: () => as.cancel(session, turn) };
};
const seen = async (by: Caller) => Object.keys((await listAllActions(world.engine.app, by, { limit: 50 })).required_actions);

test('A4: a list of approvers names users and nobody else: not the owner, not an admin', async () => {
  await open();
  const { session, turn, ids, denied, answer } = await waiting(ann, ['bob']);
  for (const kind of ['confirmation', 'execution', 'question'] as const) {
    expect([await denied(ann, kind), await denied(admin, kind), await denied(carol, kind)]).toEqual(['approver_required', 'approver_required', 'not_found']);
  }
  for (const kind of ['question', 'confirmation', 'execution'] as const) await answer(bob, kind);
  expect(await createClient(world).until(session, turn)).toMatchObject({ status: 'completed' });
  expect(await denied(bob, 'question')).toBe('action_resolved');
  await expect(answer(ann, 'question')).rejects.toMatchObject({ details: { action_id: ids.question, resolution: 'answered', resolved_by: 'user:bob' } });
});

test('A6: who is named sees the action and answers it, and nothing else of the session', async () => {
  await open();
  const { session, turn, ids, denied, end } = await waiting(ann, ['bob']);
  const other = await waiting(ann);
  const asBob = createClient(world, bob);
  expect((await asBob.actions(session)).map(({ request_id }) => request_id)).toEqual(Object.values(ids));
  expect(await asBob.actions(session, turn)).toHaveLength(3);
  const gone = { code: 'not_found', message: 'There is no such session.' };
  await expect(readSession(world.engine.app, bob, session)).rejects.toMatchObject(gone);
  await expect(asBob.turn(session, turn)).rejects.toMatchObject(gone);
  await expect(asBob.cancel(session, turn)).rejects.toMatchObject(gone);
  // As for a random id: another's session, another turn, an action that is not there, and all of it without a key.
  await expect(asBob.actions(other.session)).rejects.toMatchObject(gone);
  await expect(asBob.actions(session, other.turn)).rejects.toMatchObject(gone);
  await expect(asBob.answer(session, other.turn, ids.question ?? '', { answers: {} })).rejects.toMatchObject(gone);
  await expect(asBob.answer(session, turn, 'act_none', {})).rejects.toMatchObject(gone);
  await expect(asBob.answer(other.session, other.turn, other.ids.question ?? '', {})).rejects.toMatchObject(gone);
  await expect(createClient(world, carol).answer(session, turn, ids.question ?? '', {}, '')).rejects.toMatchObject(gone);
  await expect(createClient(world, carol).actions(session)).rejects.toMatchObject(gone);
  await end();
  await expect(asBob.actions(session)).rejects.toMatchObject(gone);
  expect(await denied(bob, 'question')).toBe('action_resolved');
  await other.end();
});

test('an application’s session: its key answers what is no approval; operators and approvers the rest, by role', async () => {
  await open();
  const { answer, denied, session, turn } = await waiting(key());
  expect(await denied(key(['read']), 'question')).toBe('scope_missing');
  expect(await denied(key(['interact'], { targets: [] }), 'question')).toBe('target_not_granted');
  expect(await denied(key(undefined, { id: 'other' }), 'question')).toBe('not_found');
  expect(await denied(key(), 'confirmation')).toBe('approver_required');
  expect(await denied(inShop('vera', 'viewer'), 'question')).toBe('approver_required');
  expect(await denied(inShop('otto', 'operator'), 'confirmation')).toBe('approver_required');
  expect(await denied(inShop('april', 'approver'), 'question')).toBe('approver_required');
  expect(await denied(admin, 'question')).toBe('approver_required');
  expect(await denied(ann, 'question')).toBe('not_found');
  await answer(key(), 'execution');
  await answer(inShop('otto', 'operator'), 'question');
  await answer(inShop('april', 'approver'), 'confirmation');
  expect(await createClient(world, key()).until(session, turn)).toMatchObject({ status: 'completed' });
});

test('a tool that asks the application is confirmed by its key', async () => {
  await open();
  const { answer, end } = await waiting(key(), 'application');
  await answer(key(), 'confirmation');
  await end();
});

test('what really happened may be said by an admin, and by whoever operates the application', async () => {
  await open();
  const interrupted = async (owner: Caller) => {
    const as = createClient(world, owner);
    const text = fresh('x');
    world.model.when(text, [{ call: 'slow' }], [{ text: 'well' }]);
    const session = await as.session(await createClient(world).agent({ tools: [builtin('slow')] }));
    const turn = await as.submit(session, text);
    await eventually('the tool runs', () => world.tools.count('slow', turn) === 1);
    await world.restart();
    await as.until(session, turn, 'interrupted');
    const [action] = await as.actions(session);
    return {
      id: action?.request_id ?? '',
      answer: (by: Caller) => createClient(world, by).answer(session, turn, action?.request_id ?? '', { outcome: 'failed', reason: 'looked' }),
    };
  };
  const own = await interrupted(ann);
  const shop = await interrupted(key());
  expect(await seen(admin)).toEqual([own.id, shop.id]);
  for (const by of [key(), inShop('april', 'approver'), inShop('vera', 'viewer')]) {
    expect(await seen(by)).toEqual([]);
    await expect(shop.answer(by)).rejects.toMatchObject({ code: 'approver_required' });
  }
  await own.answer(admin);
  expect(await seen(inShop('otto', 'operator'))).toEqual([shop.id]);
  await shop.answer(inShop('otto', 'operator'));
  expect(await seen(admin)).toEqual([]);
});

test('A7: each answer is in the audit log: who, which and how, never with what words', async () => {
  await open();
  const { session, turn, ids, answer, denied } = await waiting(key(), 'application');
  expect(await denied(ann, 'question')).toBe('not_found');
  await answer(key(), 'execution');
  await createClient(world, key()).answer(session, turn, ids.confirmation ?? '', { allow: false, reason: 'secret reason' });
  expect(await denied(key(), 'execution')).toBe('action_resolved');
  const rows = await world.engine.app.catalog.audit({ limit: 50, sessionId: session });
  const common = {
    actor: 'app:shop',
    actorName: 'Shop',
    credentialId: 'key_1',
    address: '192.0.2.7',
    action: 'action.answered',
    subject: `session:${session}`,
  };
  expect(rows.toReversed()).toMatchObject([
    { ...common, details: { turn_id: turn, request_id: ids.execution, kind: 'external_execution', outcome: 'answered', tool: 'pay' } },
    { ...common, details: { turn_id: turn, request_id: ids.confirmation, kind: 'confirmation', outcome: 'denied', tool: 'effect' } },
  ]);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/secret reason|paid/);
});

test('what is on the store’s list and not open any more is passed over, however much of it there is', async () => {
  await open();
  const mine = await waiting(ann);
  const [row] = await world.store.openActions({ among: [{ owner: 'user:ann', kinds: ['confirmation'] }], limit: 1 });
  if (!row) throw new Error('nothing waits');
  const resolved = JSON.stringify({ ...JSON.parse(row.body), status: 'allowed' });
  const stale = Array.from({ length: 120 }, (_, n) => ({
    ...row,
    openedAt: 1,
    n,
    ...(n % 2 === 0 ? { body: resolved } : { row: { ...row.row, deletedAt: 5 } }),
  }));
  const openActions = world.store.openActions.bind(world.store);
  vi.spyOn(world.store, 'openActions').mockImplementation(async (query) => {
    const before = stale.filter(({ n }) => query.after === undefined || query.after.openedAt < 1 || (query.after.openedAt === 1 && query.after.n < n));
    return [...before, ...(await openActions(query))].slice(0, query.limit);
  });
  expect(await seen(ann)).toEqual(Object.values(mine.ids));
});

test('all that one may answer is listed over all sessions, oldest first and page by page, and nothing else', async () => {
  await open();
  const mine = await waiting(ann);
  const named = await waiting(ann, ['bob']);
  const shop = await waiting(key());
  const all = ({ ids }: typeof mine) => Object.values(ids);
  expect(await seen(ann)).toEqual(all(mine));
  expect(await seen(bob)).toEqual(all(named));
  expect(await seen(carol)).toEqual([]);
  expect(await seen(admin)).toEqual([]);
  expect(await seen(key())).toEqual([shop.ids.execution, shop.ids.question]);
  expect(await seen(key(undefined, { targets: [{ type: 'agent', id: 'none' }] }))).toEqual([]);
  expect(await seen(inShop('vera', 'viewer'))).toEqual([]);
  expect(await seen(inShop('otto', 'operator'))).toEqual([shop.ids.execution, shop.ids.question]);
  expect(await seen(inShop('april', 'approver'))).toEqual([shop.ids.confirmation]);
  for (const scopes of [['read'], ['interact']]) await expect(seen(key(scopes))).rejects.toMatchObject({ code: 'scope_missing' });
  const both = { ...bob, applications: new Map([['shop', ['operator', 'approver'] as const]]) };
  const paged: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listAllActions(world.engine.app, both, { limit: 2, after });
    paged.push(...Object.keys(page.required_actions));
    for (const action of Object.values(page.required_actions)) expect(action).toMatchObject({ session_title: expect.stringContaining('x'), status: 'open' });
    expect([page.commands, page.has_more]).toEqual([[], page.next_cursor !== null]);
    if (page.next_cursor === null) break;
    after = page.next_cursor;
  }
  expect(paged).toEqual([...all(named), ...all(shop)]);
  await expect(listAllActions(world.engine.app, ann, { limit: 2, after: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  for (const each of [mine, named, shop]) await each.end();
  expect(await seen(both)).toEqual([]);
});
