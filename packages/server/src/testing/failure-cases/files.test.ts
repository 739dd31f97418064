/** The file tools of an agent, through crashes and restarts: what is written stays, once, and leads nowhere else. */

import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, describe, expect, it } from 'vitest';
import { looseMs, sweepBlobs } from '../../app/blob-sweeper.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { deleteArtifact } from '../../app/publish-artifact.ts';
import { listArtifacts, listTurnArtifacts } from '../../app/read-artifacts.ts';
import { readTurnSnapshot } from '../../app/read-snapshot.ts';
import { inOnePiece } from '../../app/session-files.ts';
import { uploadFile } from '../../app/upload-file.ts';
import { textOf } from '../blobs/blobs-contract.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, type Client, createClient } from '../harness/client.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';

const page = { offset: 0, limit: 100 };
const tools = ['read_file', 'write_file', 'list_files', 'publish_artifact'].map((name) => builtin(name));

let world: World;
afterEach(async () => {
  await world.close();
  // An engine that died in the middle of a tool left that tool's time limit behind (60 s, and 30 s of grace); nothing else waits.
  await world.clock.advance(100_000);
  expect(world.clock.waiting).toBe(0);
});

type Call = { readonly call: string; readonly input?: Record<string, unknown> };

const open = async (options: WorldOptions = {}) => {
  world = await openWorld(options);
  const client = createClient(world);
  const session = await client.session(await client.agent({ tools }));
  return { client, session };
};
let said = 0;
/** A turn that makes these calls, one a step; what each was answered. */
const make = async (client: Client, session: string, ...calls: readonly Call[]): Promise<{ readonly turn: string; readonly answers: readonly string[] }> => {
  said += 1;
  world.model.when(`go ${said}`, ...calls.map((call) => [call]), [{ text: 'done' }]);
  const turn = await client.submit(session, `go ${said}`);
  await client.until(session, turn);
  return { turn, answers: await answersOf(session, turn) };
};
const answersOf = async (session: string, turn: string): Promise<readonly string[]> => {
  const { tools: made } = await readTurnSnapshot(world.engine.app, ann, session, turn as never);
  return Object.values(made).map(({ output, status }) => `${status}: ${output.map((block) => (block.type === 'text' ? block.text : '')).join('')}`);
};
const write = (path: string, content: string): Call => ({ call: 'write_file', input: { path, content } });
const read = (path: string, offset?: number): Call => ({ call: 'read_file', input: { path, ...(offset === undefined ? {} : { offset }) } });
const publish = (path: string, name?: string): Call => ({ call: 'publish_artifact', input: { path, ...(name === undefined ? {} : { name }) } });
const list: Call = { call: 'list_files' };
const upload = (session: string, name: string, text: string) =>
  uploadFile(world.engine.app, ann, session, { bytes: inOnePiece(Buffer.from(text)), name, contentType: 'text/plain' }, `${name}-key`);
const bytesOf = async (session: string, fileId: string | undefined) => {
  const file = await world.engine.app.files.fileOf(session, fileId ?? '');
  return file && textOf(await world.engine.app.files.bytesOf(file));
};

describe('an agent', () => {
  it('reads what was uploaded, writes, lists and publishes', async () => {
    const { client, session } = await open();
    await upload(session, 'in.txt', 'from ann ✓');
    const { turn, answers } = await make(
      client,
      session,
      list,
      read('uploads/in.txt'),
      write('notes/a.md', 'hello'),
      read('./notes/a.md'),
      list,
      publish('notes/a.md', 'Note'),
    );
    expect(answers).toEqual([
      'success: uploads/in.txt (text/plain, 12 bytes)',
      'success: from ann ✓',
      'success: Wrote notes/a.md, 5 bytes.',
      'success: hello',
      'success: notes/a.md (text/markdown, 5 bytes)\nuploads/in.txt (text/plain, 12 bytes)',
      expect.stringMatching(/^success: Published Note, 5 bytes, as art_/),
    ]);
    const { items } = await listTurnArtifacts(world.engine.app, ann, session, turn, page);
    expect(items).toMatchObject([{ name: 'Note', media_type: 'text/markdown', size: 5, turn_id: turn }]);
    const { faults } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
    expect(faults).toEqual([]);
  });

  it.each(['../x', '/etc/passwd', 'a/../../x', 'C:\\x', 'a\\..\\x', 'uploads/../x', 'a\u0000', 'x\u202ey', '', '.', 'uploads/new.txt'])(
    'does not write to %j',
    async (path) => {
      const { client, session } = await open();
      const { answers } = await make(client, session, write(path, 'x'), list);
      expect(answers[0]).toMatch(/^error: /);
      expect(answers[1]).toBe('success: There are no files.');
    },
  );

  it('is told what is not there, is no text, or is no path', async () => {
    const { client, session } = await open();
    await upload(session, 'b.bin', 'a\u0000b');
    await world.engine.app.files.index.add(
      {
        id: 'file_x',
        sessionId: session,
        name: 'x',
        mediaType: 'image/png',
        size: 3,
        sha256: 'x',
        blob: `${session}/x`,
        path: 'uploads/x.png',
        source: 'upload',
        createdAt: 1,
      },
      { limits: { files: 9, bytes: 99 } },
    );
    await world.engine.app.files.blobs.put(`${session}/x`, inOnePiece(new Uint8Array([0xff, 0xfe, 0])));
    const { answers } = await make(client, session, read('no.txt'), read('uploads/x.png'), read('../uploads/x'), publish('no.txt'));
    expect(answers[0]).toBe('error: There is no file no.txt. list_files shows what there is.');
    expect(answers[1]).toMatch(/^error: uploads\/x.png is no text: image\/png, 3 bytes/);
    expect(answers[2]).toMatch(/^error: "..\/uploads\/x" is no path here/);
    expect(answers[3]).toMatch(/^error: There is no file/);
  });

  it('reads a long file in pieces that never split a character', async () => {
    const { client, session } = await open();
    await upload(session, 'long.txt', '🇨🇭'.repeat(30_000));
    const { answers } = await make(client, session, read('uploads/long.txt'), read('uploads/long.txt', 50_000));
    expect(answers[0]).toMatch(/^success: (?:🇨🇭){25000}\n\[cut: 60000 characters in all; go on with offset 50000\]$/u);
    expect(answers[1]).toBe(`success: ${'🇨🇭'.repeat(5_000)}`);
  });

  it('finds its files again in the next turn, and after a restart; another session has none of them', async () => {
    const { client, session } = await open();
    await make(client, session, write('a.md', 'kept'));
    await world.restart();
    expect((await make(client, session, read('a.md'))).answers).toEqual(['success: kept']);
    const other = await client.session(await client.agent({ tools }));
    expect((await make(client, other, read('a.md'), list)).answers).toEqual([expect.stringContaining('There is no file'), 'success: There are no files.']);
  });

  it('publishes a file as it is then: what is written later does not change it', async () => {
    const { client, session } = await open();
    await make(client, session, write('a.md', 'first'), publish('a.md'), write('a.md', 'second'));
    const { items } = await listArtifacts(world.engine.app, ann, session, page);
    expect(await bytesOf(session, items[0]?.file_id)).toBe('first');
  });
});

describe('a crash', () => {
  const calls = [write('a.md', 'whole'), publish('a.md', 'Result'), read('a.md')];
  const points = [
    ...Array.from({ length: 16 }, (_, at) => ({ call: 'write', nth: at + 1 }) as const),
    ...[1, 2].map((nth) => ({ call: 'note', nth }) as const),
    { call: 'put', nth: 1 } as const,
    { call: 'add', nth: 1 } as const,
  ].flatMap((point) => (['before', 'after'] as const).map((when) => ({ ...point, when })));

  it.each(points)('$when $call $nth leaves one artifact and loses nothing', async (point) => {
    world = await openWorld();
    const client = createClient(world);
    const session = await client.session(await client.agent({ tools }));
    said += 1;
    world.model.when(`go ${said}`, ...calls.map((call) => [call]), [{ text: 'done' }]);
    await world.restart(point);
    const { life } = world;
    const died = life.ended.then(() => undefined);
    const turn = await Promise.race([client.submit(session, `go ${said}`, 'the-key'), died]);
    if (turn !== undefined) await Promise.race([died, world.clock.advance(30_000)]);
    expect(life.alive()).toBe(false);
    await world.restart();
    const id = turn ?? (await client.submit(session, `go ${said}`, 'the-key'));
    await client.until(session, id);
    const answers = await answersOf(session, id);
    expect([answers[0], answers[2]]).toEqual(['success: Wrote a.md, 5 bytes.', 'success: whole']);
    const { items } = await listArtifacts(world.engine.app, ann, session, page);
    expect(items.map(({ name }) => name)).toEqual(['Result']);
    expect(await bytesOf(session, items[0]?.file_id)).toBe('whole');
    const { log, faults } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
    expect(log.filter(({ event }) => event.type === 'artifact.published')).toHaveLength(1);
    expect(faults).toEqual([]);
    // What the attempts left beside: the sweeper has it, and the files are still whole.
    const { files } = world.engine.app;
    await sweepBlobs(files, world.clock.now() + looseMs + 1);
    expect(await files.index.loose(Number.MAX_SAFE_INTEGER, 100)).toEqual([]);
    expect(await bytesOf(session, items[0]?.file_id)).toBe('whole');
    expect((await files.index.paths(session, 10)).map(({ path }) => path)).toEqual(['a.md']);
  });
});

describe('the sweeper', () => {
  it('removes the bytes that no file names, once nothing can be under way with them (FB9)', async () => {
    const { client, session } = await open();
    const { files } = world.engine.app;
    const abandoned = await files.keep(session, inOnePiece(Buffer.from('half a file')));
    await make(client, session, write('a.md', 'first'), write('a.md', 'second'));
    const now = world.clock.now();
    expect(await sweepBlobs(files, now + looseMs - 1_000)).toBe(0);
    expect(await textOf(await files.blobs.get(abandoned.blob))).toBe('half a file');
    expect(await sweepBlobs(files, now + looseMs + 1)).toBe(2);
    expect(await files.blobs.get(abandoned.blob)).toBeUndefined();
    expect((await make(client, session, read('a.md'))).answers).toEqual(['success: second']);
    expect(await sweepBlobs(files, now + looseMs + 1)).toBe(0);
  });

  it('goes on with what a broken medium left it, and does it by itself', async () => {
    const { session } = await open({ expectsReports: true });
    const { files } = world.engine.app;
    const kept = await files.keep(session, inOnePiece(Buffer.from('x')));
    const remove = files.blobs.remove.bind(files.blobs);
    let broken = true;
    Object.assign(files.blobs, { remove: async (name: string) => (broken ? Promise.reject(new Error('broken')) : remove(name)) });
    await world.clock.advance(looseMs + 15 * 60_000);
    expect(world.reports.length).toBeGreaterThan(0);
    expect(await textOf(await files.blobs.get(kept.blob))).toBe('x');
    broken = false;
    await world.clock.advance(15 * 60_000);
    expect(await files.blobs.get(kept.blob)).toBeUndefined();
  });

  it('takes the files of a deleted session, those of no other', async () => {
    const { client, session } = await open();
    const other = await client.session(await client.agent({ tools }));
    await make(client, session, write('a.md', 'a'), publish('a.md'));
    await make(client, other, write('b.md', 'b'));
    const { files } = world.engine.app;
    const blobs = (await files.index.paths(session, 10)).map(({ blob }) => blob);
    await deleteSession(world.engine.app, ann, session);
    await sweepBlobs(files, world.clock.now());
    for (const blob of blobs) expect(await files.blobs.get(blob)).toBeUndefined();
    expect((await make(client, other, read('b.md'))).answers).toEqual(['success: b']);
  });
});

it('an artifact that was deleted is in no view any more, and its file stays', async () => {
  const { client, session } = await open();
  const { turn } = await make(client, session, write('a.md', 'a'), publish('a.md'));
  const { app } = world.engine;
  const [artifact] = (await listArtifacts(app, ann, session, page)).items;
  await deleteArtifact(app, ann, session, artifact?.artifact_id ?? '');
  expect((await readTurnSnapshot(app, ann, session as SessionId, turn)).artifacts).toEqual({});
  expect((await listTurnArtifacts(app, ann, session, turn, page)).items).toEqual([]);
  expect(await bytesOf(session, artifact?.file_id)).toBe('a');
  const { faults } = await checkSession(world.store, session, { app, caller: ann });
  expect(faults).toEqual([]);
});
