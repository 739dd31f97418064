/** Exports and imports: every public event once, nothing private, and the same session elsewhere. */
import { cursorOf } from '@turnkeeper/core/protocol/cursors';
import { afterEach, expect, test } from 'vitest';
import { sessionCapabilities, turnCapabilities } from '../../app/capabilities.ts';
import { exportSession } from '../../app/export-session.ts';
import { forkSession } from '../../app/fork-session.ts';
import { importSession } from '../../app/import-session.ts';
import { listSessions } from '../../app/list-sessions.ts';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { readEvents } from '../../app/read-events.ts';
import { readSnapshot, readTurnSnapshot } from '../../app/read-snapshot.ts';
import { listTurns } from '../../app/read-turn.ts';
import { ModelError } from '../../ports/model.ts';
import { ann, bob, builtin, createClient, external, userCaller } from '../harness/client.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { submitJson, workflowSession } from '../harness/workflow.ts';
import { openWorld, type World } from '../harness/world.ts';

const admin = userCaller('admin', { admin: true });
let worlds: World[] = [];
const open = async (): Promise<World> => {
  const world = await openWorld();
  worlds.push(world);
  return world;
};
afterEach(async () => {
  for (const world of worlds) await world.close();
  worlds = [];
});

const exported = async (world: World, session: string, archive = true): Promise<string> => {
  let text = '';
  for await (const piece of await exportSession(world.engine.app, ann, session, { archive })) text += piece;
  return text;
};
async function* linesOf(text: string): AsyncGenerator<string, void, undefined> {
  for (const line of text.split('\n')) if (line !== '') yield line;
}
const bringBack = (world: World, text: string, caller = admin) => importSession(world.engine.app, caller, linesOf(text));
const everything = 1_000;

/** Turns of every kind of end, in an order by chance. */
const live = async (world: World, seed: number): Promise<string> => {
  const random = createRandom(seed);
  const client = createClient(world);
  world.model.when('look', [{ text: 'I ' }, { text: 'look' }, { call: 'look', input: { a: 1 } }], [{ text: 'seen 👩‍👩‍👧' }]);
  world.model.when('ask', [{ call: 'lookup', input: { q: 'x' } }], [{ text: 'answered' }]);
  world.model.when('fail', [{ text: 'oh' }, { fails: () => new ModelError('no', { retryable: false }) }]);
  const session = await client.session(await client.agent({ tools: [builtin('look'), external('lookup')] }));
  for (let n = 0; n < 6; n += 1) {
    const kind = random.pick(['plain', 'look', 'ask', 'fail', 'cancel']);
    const turn = await client.submit(session, kind === 'cancel' ? 'ask' : kind);
    if (kind === 'ask' || kind === 'cancel') await client.until(session, turn, 'requires_action');
    const [action] = kind === 'ask' ? await client.actions(session, turn) : [];
    if (action) await client.answer(session, turn, action.request_id, { output: 'sunny' });
    if (kind === 'cancel') await client.cancel(session, turn);
    await client.until(session, turn);
  }
  return session;
};

const seed = seedOf('SEED');
test(`what is exported here and imported elsewhere looks the same (SEED=${seed})`, async () => {
  for (let n = 0; n < 3; n += 1) {
    const [here, there] = [await open(), await open()];
    const session = await live(here, seed + n);
    await bringBack(there, await exported(here, session));
    const of = async ({ engine: { app } }: World) => {
      const { page_cursors: _, ...snapshot } = await readSnapshot(app, ann, session, everything);
      const turns = await Promise.all(snapshot.turns.map(({ data }) => readTurnSnapshot(app, ann, session, (data as { turn_id: string }).turn_id)));
      // That it is a record is what is new of it.
      const { imported, ...own } = snapshot.session as { readonly imported?: true };
      expect(imported).toBe(app === there.engine.app ? true : undefined);
      return { snapshot: { ...snapshot, session: own }, turns, events: await readEvents(app, ann, session, undefined, { limit: 1_000 }) };
    };
    expect(await of(there)).toEqual(await of(here));
    // And again from there.
    expect(await exported(there, session)).toBe(await exported(here, session));
  }
});

test('a workflow with its steps looks the same elsewhere, too', async () => {
  const [here, there] = [await open(), await open()];
  const client = createClient(here);
  here.model.when('do 1', [{ text: 'did 1' }]);
  const node = { type: 'agent', agentId: await client.agent(), input: { message: "'do ' + string(item)" } };
  const nodes = [
    { key: 'each', type: 'map', items: '[1]', node },
    { key: 'c', type: 'condition', condition: 'false' },
  ];
  const session = await workflowSession(here.engine.app, { nodes });
  const turn = await submitJson(here.engine.app, session, {}, { outcome: { expression: 'result.c', maxTries: 2 } });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', verdict: { status: 'not_satisfied', tries: 2 } });
  await bringBack(there, await exported(here, session));
  const of = async ({ engine: { app } }: World) => {
    const { page_cursors: _, ...snapshot } = await readSnapshot(app, ann, session, everything);
    const { imported: _record, ...own } = snapshot.session as { readonly imported?: true };
    return { snapshot: { ...snapshot, session: own }, turn: await readTurnSnapshot(app, ann, session, turn) };
  };
  expect(await of(there)).toEqual(await of(here));
});

test('every public event once, in order, up to where the log stood; nothing private', async () => {
  const world = await open();
  const session = await live(world, 7);
  const text = await exported(world, session, false);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual((await readEvents(world.engine.app, ann, session, undefined, { limit: 1_000 })).data);
  expect(text).not.toContain('"system"');
  expect(await exported(world, session, true)).toBe(`${(await exported(world, session, true)).split('\n')[0]}\n${text}`);
});

test('an import is a record: it is read and deleted, and nothing is done in it', async () => {
  const [here, there] = [await open(), await open()];
  const session = await live(here, 3);
  await bringBack(there, await exported(here, session));
  const client = createClient(there);
  await expect(client.submit(session, 'more')).rejects.toMatchObject({ code: 'not_supported' });
  await expect(client.inject(session, 'more')).rejects.toMatchObject({ code: 'not_supported' });
  await expect(forkSession(there.engine.app, ann, session, { reason: '' }, 'fork')).rejects.toMatchObject({ code: 'not_supported' });
  await expect(setBudget(there.engine.app, ann, session, { max_model_calls: 1 })).rejects.toMatchObject({ code: 'not_supported' });
  expect(await readBudget(there.engine.app, ann, session)).not.toHaveProperty('max_model_calls');
  const [turn] = (await listTurns(there.engine.app, ann, session, { offset: 5, limit: 1 })).items;
  const offered = await turnCapabilities(there.engine.app, ann, session, turn?.id ?? '');
  expect(offered).toEqual({ available_commands: [], ...(await sessionCapabilities(there.engine.app, ann, session)) });
  expect(Object.values(offered.capabilities)).not.toContain(true);
  expect((await listSessions(there.engine.app, ann, { offset: 0, limit: 10, status: 'active' } as never)).items.map(({ id }) => id)).toEqual([session]);
  expect((await there.engine.app.catalog.audit({ limit: 1 })).map(({ action }) => action)).toEqual(['session.imported']);
  await deleteSession(there.engine.app, ann, session);
  await expect(readSnapshot(there.engine.app, ann, session, 1)).rejects.toMatchObject({ code: 'not_found' });
});

test('what is no whole archive is refused, and nothing of it stays', async () => {
  const [here, there] = [await open(), await open()];
  const session = await live(here, 5);
  const text = await exported(here, session);
  const lines = text.trimEnd().split('\n');
  const faulty: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['without its first line', lines.slice(1).join('\n')],
    ['cut off', lines.slice(0, -1).join('\n')],
    ['in mid-line', text.slice(0, -20)],
    ['out of order', [lines[0], lines[2], lines[1], ...lines.slice(3)].join('\n')],
    ['with a line twice', [...lines, lines.at(-1)].join('\n')],
    ['of two sessions', [...lines.slice(0, -1), (lines.at(-1) ?? '').replace(session, 'ses_other')].join('\n')],
  ];
  for (const [what, body] of faulty) await expect(bringBack(there, body), what).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(bringBack(there, text, bob)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await there.store.list({ status: 'all', offset: 0, limit: 5 })).toEqual([]);
  await bringBack(there, text);
  await expect(bringBack(there, text)).rejects.toMatchObject({ code: 'already_exists' });
  await expect(bringBack(here, text)).rejects.toMatchObject({ code: 'already_exists' });
});

type Line = { type: string; session_id: string; cursor: string; created_at: number; data: Record<string, unknown> };
type Header = Line & { data: { session: Record<string, unknown>; as_of: string } };

/** The archive with its lines changed; `sid` and `seqOf` number it anew. */
const changed = (
  text: string,
  change: { readonly header?: (line: Header) => void; readonly line?: (line: Line) => void; readonly sid?: number; readonly after?: number },
) => {
  const [header, ...log] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line) as [Header, ...Line[]];
  const { sid, after = 0 } = change;
  const moved = (cursor: string): string => {
    const [, seq = ''] = cursor.split('-');
    return sid === undefined ? cursor : cursorOf({ kind: 'session', sid }, Number.parseInt(seq, 36) + after);
  };
  header.data.as_of = moved(header.data.as_of);
  if (sid !== undefined) header.cursor = cursorOf({ kind: 'session', sid }, 0);
  change.header?.(header);
  for (const line of log) {
    line.cursor = moved(line.cursor);
    line.session_id = String(header.data.session['id']);
    change.line?.(line);
  }
  return [header, ...log].map((line) => JSON.stringify(line)).join('\n');
};

test('IM4: what an archive says in a shape that is not ours is refused, and nothing of it stays', async () => {
  const [here, there] = [await open(), await open()];
  const text = await exported(here, await live(here, 5));
  const of = (name: string, value: unknown) => ({ header: ({ data }: Header) => void Object.assign(data.session, { [name]: value }) });
  const inData = (name: string, value: unknown) => ({ line: ({ data }: Line) => void (name in data && Object.assign(data, { [name]: value })) });
  const deep = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) as unknown;
  const hostile: readonly Parameters<typeof changed>[1][] = [
    ...['other', 'ses_', 'ses_a/b', 'ses_"\r\nX: 1', 'ses_\0', `ses_${'x'.repeat(1_000)}`].map((id) => of('id', id)),
    ...['a\0', 'x'.repeat(201)].map((title) => of('title', title)),
    of('metadata', { a: 'x'.repeat(20_000) }),
    of('metadata', { a: deep }),
    of('owner', { type: 'user', id: 'x'.repeat(1_000) }),
    ...[-1, Number.MAX_SAFE_INTEGER].map((at) => of('createdAt', at)),
    ...['turn', 'x.y","data":{}}', '__proto__'].map((type) => ({ line: (line: Line) => void Object.assign(line, { type }) })),
    ...[null, 5, '', 'turn_a"b', '__proto__'].map((id) => inData('turn_id', id)),
    ...[undefined, null, '', 7].map((id) => inData('item_id', id)),
    ...[undefined, 0, 1.5, '1', 2 ** 40].map((n) => inData('n', n)),
    { line: ({ data }) => void Object.assign(data, { more: deep }) },
    { line: (line) => void Object.assign(line, { created_at: Number.MAX_SAFE_INTEGER }) },
    // What comes next would have no number.
    { sid: Number.MAX_SAFE_INTEGER },
    { sid: 7, after: Number.MAX_SAFE_INTEGER - 10_000 },
  ];
  for (const [at, change] of hostile.entries())
    await expect(bringBack(there, changed(text, change)), `hostile ${at}`).rejects.toMatchObject({ code: 'validation_failed' });
  const proto = text.replace('"data":{"turn_id"', '"data":{"__proto__":{"x":1},"turn_id"');
  expect(proto).not.toBe(text);
  await expect(bringBack(there, proto)).rejects.toMatchObject({ code: 'validation_failed' });
  const tooDeep = text.replace('"data":{"turn_id"', `"data":{"x":${'['.repeat(50_000)}${']'.repeat(50_000)},"turn_id"`);
  await expect(bringBack(there, tooDeep)).rejects.toMatchObject({ code: 'validation_failed' });
  expect(await there.store.list({ status: 'all', offset: 0, limit: 5 })).toEqual([]);
  await bringBack(there, changed(text, { sid: 7_777, after: 5 }));
  const client = createClient(there);
  await client.session(await client.agent());
});

test('a session with a turn under way is exported, but not imported', async () => {
  const [here, there] = [await open(), await open()];
  const client = createClient(here);
  here.model.when('ask', [{ call: 'lookup' }]);
  const session = await client.session(await client.agent({ tools: [external('lookup')] }));
  await client.until(session, await client.submit(session, 'ask'), 'requires_action');
  await expect(bringBack(there, await exported(here, session))).rejects.toMatchObject({ code: 'session_busy' });
});

test('an export ends where the log stood when it began, and breaks off when its session is deleted', async () => {
  const world = await open();
  const client = createClient(world);
  const session = await live(world, 11);
  const before = await exported(world, session, false);
  const lines = await exportSession(world.engine.app, ann, session, { archive: false });
  await client.until(session, await client.submit(session, 'plain'));
  let text = '';
  for await (const piece of lines) text += piece;
  expect(text).toBe(before);
  const again = await exportSession(world.engine.app, ann, session, { archive: true });
  await again.next();
  await deleteSession(world.engine.app, ann, session);
  await expect(again.next()).rejects.toMatchObject({ code: 'not_found' });
});
