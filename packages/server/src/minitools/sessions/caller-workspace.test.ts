/** In whose workspace a session works that was made with a caller's context (L9, FB10). */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepBlobs } from '../../app/blob-sweeper.ts';
import { forkSession } from '../../app/fork-session.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { listArtifacts } from '../../app/read-artifacts.ts';
import { listFiles, readFile } from '../../app/read-files.ts';
import { inOnePiece } from '../../app/session-files.ts';
import { uploadFile } from '../../app/upload-file.ts';
import { createWorkspace } from '../../app/workspace.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { ann, builtin, type Client, createClient, fresh, userCaller } from '../../testing/harness/client.ts';
import { addMinitool, callIn, type TestMinitool } from '../../testing/harness/minitool.ts';
import { eventually } from '../../testing/harness/settle.ts';
import { openWorld, type World } from '../../testing/harness/world.ts';
import type { Created } from './create.ts';

const page = { offset: 0, limit: 100 };
let world: World;
let client: Client;
let tool: TestMinitool;
let caller: SessionId;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world);
  const tools = ['write_file', 'read_file', 'list_files', 'publish_artifact'].map((name) => builtin(name));
  caller = (await client.session(await client.agent({ tools }))) as SessionId;
  tool = await addMinitool(world);
});
afterEach(async () => {
  await tool.end();
  await world.close();
});

const app = () => world.engine.app;
const workspace = (): Workspace => createWorkspace(app());
const signal = new AbortController().signal;
const write = (session: SessionId, path: string, text: string) => workspace().write(session, path, Buffer.from(text), signal);
const read = async (session: SessionId, path: string): Promise<string | undefined> => {
  const found = await workspace().read(session, path);
  return found && Buffer.from(found.bytes).toString('utf8');
};
const paths = async (session: SessionId): Promise<readonly string[]> => (await workspace().list(session)).map(({ path }) => path);
const upload = (session: SessionId, name: string, text: string) =>
  uploadFile(app(), ann, session, { bytes: inOnePiece(Buffer.from(text)), contentType: 'text/plain', name }, fresh('up'));
const branch = async (from: SessionId, options: object = {}): Promise<SessionId> => {
  const call = callIn(tool, from, 'turn_1');
  const made: Created = await tool.during(call, 'create', { containerId: 'workers', activity: 'background', context: 'caller', ...options });
  return made.sessionId as SessionId;
};
const asTool = () => ({ type: 'minitool', id: tool.id, name: '', credentialId: null }) as const;
const sweep = () => sweepBlobs(app().files, world.clock.now());

test('L9 its agent reads and writes the files of the session that called, and so does what it makes; another’s, and what is its own, stay apart', async () => {
  await upload(caller, 'data.csv', 'a,b');
  await write(caller, 'plan.md', 'the plan');
  const worker = await branch(caller);
  const below = await branch(worker);
  expect((await tool.config(below)).minitool?.workspace).toBe(caller);
  world.model.when(
    'work',
    [{ call: 'read_file', input: { path: 'plan.md' } }],
    [{ call: 'write_file', input: { path: 'out/1.md', content: 'found' } }],
    [{ text: 'ok' }],
  );
  const { turnId } = (await tool.call('send', worker, { text: 'work', idempotencyKey: 'k' })) as { turnId: TurnId };
  expect(await tool.call('waitForTurn', worker, turnId)).toMatchObject({ state: 'completed' });
  expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('the plan');
  for (const session of [caller, worker, below]) {
    expect(await paths(session)).toEqual(['out/1.md', 'plan.md', 'uploads/data.csv']);
    expect([await read(session, 'out/1.md'), await read(session, 'uploads/data.csv')]).toEqual(['found', 'a,b']);
  }
  const plain: Created = await tool.call('create', { containerId: 'workers' });
  expect(await paths(plain.sessionId as SessionId)).toEqual([]);
  // Who sees the worker sees no file of its caller there.
  const user = userCaller('ann', { minitools: new Set([tool.id]) });
  expect((await listFiles(app(), user, worker, page)).items).toEqual([]);
  const [file] = (await listFiles(app(), ann, caller, page)).items;
  await expect(readFile(app(), user, worker, file?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
});

test('L9 what was sent to it itself stands before what the workspace has there', async () => {
  await upload(caller, 'note.txt', 'of the caller');
  const initialMessage = {
    text: 'look',
    idempotencyKey: 'k',
    attachments: [tool.attachment('of the worker', { name: 'note.txt' }), tool.attachment('more', { name: 'more.txt' })],
  };
  const worker = await branch(caller, { initialMessage });
  expect(await paths(worker)).toEqual(['uploads/more.txt', 'uploads/note.txt']);
  expect([await read(worker, 'uploads/note.txt'), await read(caller, 'uploads/note.txt')]).toEqual(['of the worker', 'of the caller']);
  expect(await paths(caller)).toEqual(['uploads/note.txt']);
});

test('L9 what it publishes is a copy of its own: it stays when the workspace goes', async () => {
  await upload(caller, 'data.csv', 'a,b');
  const worker = await branch(caller);
  world.model.when('show', [{ call: 'publish_artifact', input: { path: 'uploads/data.csv' } }], [{ text: 'ok' }]);
  const { turnId } = (await tool.call('send', worker, { text: 'show', idempotencyKey: 'k' })) as { turnId: TurnId };
  expect(await tool.call('waitForTurn', worker, turnId)).toMatchObject({ state: 'completed' });
  const [artifact] = (await listArtifacts(app(), asTool(), worker, page)).items;
  await deleteSession(app(), ann, caller);
  const file = await app().files.fileOf(worker, artifact?.file_id ?? '');
  expect(file && (await app().files.readAll(file)).toString()).toBe('a,b');
  expect(await app().files.fileOf(caller, artifact?.file_id ?? '')).toBeUndefined();
});

test('FB10 it works on when the caller was deleted, over a restart and a sweep, until it is deleted itself', async () => {
  await upload(caller, 'data.csv', 'a,b');
  await write(caller, 'plan.md', 'the plan');
  const [worker, other] = [await branch(caller), await branch(caller)];
  await deleteSession(app(), ann, caller);
  await world.restart();
  await tool.reopened();
  await sweep();
  await world.clock.advance(3 * 3_600_000);
  await sweep();
  expect(await paths(worker)).toEqual(['plan.md', 'uploads/data.csv']);
  await write(worker, 'plan.md', 'a better plan');
  expect([await read(other, 'plan.md'), await read(other, 'uploads/data.csv')]).toEqual(['a better plan', 'a,b']);
  await deleteSession(app(), asTool(), worker);
  await expect(write(worker, 'late.md', 'x')).rejects.toMatchObject({ code: 'not_found' });
  await sweep();
  expect(await read(other, 'plan.md')).toBe('a better plan');
  await deleteSession(app(), asTool(), other);
  // At once, and not with the next sweep only.
  await eventually('what nobody works on goes', async () => (await app().files.index.paths(caller, 10)).length === 0);
  await world.clock.advance(3 * 3_600_000);
  await sweep();
  expect(await app().files.index.loose(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
});

test('L9 a fork of it has none of the workspace', async () => {
  await write(caller, 'plan.md', 'the plan');
  const worker = await branch(caller, { initialMessage: { text: 'hi', idempotencyKey: 'k' } });
  const user = userCaller('ann', { minitools: new Set([tool.id]) });
  const { turnId } = (await tool.call('send', worker, { text: 'more', idempotencyKey: 'k2' })) as { turnId: TurnId };
  expect(await tool.call('waitForTurn', worker, turnId)).toMatchObject({ state: 'completed' });
  const fork = (await forkSession(app(), user, worker, {} as never, fresh('fork'))).answer.id as SessionId;
  expect(await paths(fork)).toEqual([]);
  expect((await tool.config(fork)).minitool).not.toHaveProperty('workspace');
});

test('L7 no path leads out of it', async () => {
  const worker = await branch(caller);
  for (const path of ['../x', '/etc/passwd', `../${caller}/x`]) await expect(write(worker, path, 'x')).rejects.toMatchObject({ code: 'invalid_request' });
});
