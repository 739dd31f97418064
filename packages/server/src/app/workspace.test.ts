/** What an agent's file tools do beside one another, twice, and too late (L7, L8, FB8). */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileIndex } from '../ports/file-index.ts';
import type { Workspace } from '../ports/workspace.ts';
import { ann, builtin, type Client, createClient } from '../testing/harness/client.ts';
import { createGate, type Gate } from '../testing/harness/gate.ts';
import { eventually } from '../testing/harness/settle.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { listArtifacts } from './read-artifacts.ts';
import { createWorkspace } from './workspace.ts';

const page = { offset: 0, limit: 100 };

let world: World;
let client: Client;
let session: SessionId;
let workspace: Workspace;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world);
  session = (await client.session(await client.agent({ tools: [builtin('write_file'), builtin('publish_artifact')] }))) as SessionId;
  workspace = createWorkspace(world.engine.app);
});
afterEach(() => world.close());

const files = () => world.engine.app.files;
const looseNow = () => files().index.loose(Number.MAX_SAFE_INTEGER, 100);
const textAt = async (path: string) => {
  const found = await workspace.read(session, path);
  return found && Buffer.from(found.bytes).toString('utf8');
};
const write = (content: string, signal = new AbortController().signal) => workspace.write(session, 'a.md', Buffer.from(content), signal);

/** The bytes that are kept next wait at the gate before they are there. */
const holdNextBytes = (): Gate => {
  const gate = createGate();
  const { blobs } = files();
  const put = blobs.put.bind(blobs);
  const held: typeof put = async (...args) => {
    Object.assign(blobs, { put });
    await gate.wait();
    await put(...args);
  };
  Object.assign(blobs, { put: held });
  return gate;
};
/** A write that is on its way while `meanwhile` is done. */
const late = async (content: string, meanwhile: () => unknown, signal?: AbortSignal) => {
  const gate = holdNextBytes();
  const ended = write(content, signal).then(
    (file) => file,
    (error: unknown) => error,
  );
  await gate.reached;
  await meanwhile();
  gate.open();
  return ended;
};

describe('a write that comes late', () => {
  it.each([
    ['nothing', () => {}, 0],
    ['another file', () => write('oldest'), 1],
  ])('where %s was when it began undoes nothing newer (L8)', async (_, before, replaced) => {
    await before();
    expect(await late('older', () => write('newer'))).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('by another call') });
    expect(await textAt('a.md')).toBe('newer');
    expect(await workspace.list(session)).toHaveLength(1);
    // Its own bytes went at once; those of what was written over are the sweeper's.
    expect(await looseNow()).toHaveLength(replaced);
  });

  it('is refused nothing where the other said the same (L7)', async () => {
    let twin: unknown;
    const file = await late('same', async () => {
      twin = await write('same');
    });
    expect(file).toEqual(twin);
    expect(await workspace.list(session)).toEqual([twin]);
    expect(await looseNow()).toEqual([]);
  });

  it('puts nothing once it was given up (L8)', async () => {
    const given = new AbortController();
    expect(await late('late', () => given.abort(new Error('given up')), given.signal)).toMatchObject({ message: 'given up' });
    expect(await workspace.list(session)).toEqual([]);
    expect(await looseNow()).toEqual([]);
  });

  it('is that of a tool that was out of time: the turn goes on, and what it says then is so', async () => {
    const gate = holdNextBytes();
    world.model.when('go', [{ call: 'write_file', input: { path: 'a.md', content: 'late' } }], [{ text: 'done' }]);
    const turn = await client.submit(session, 'go');
    await gate.reached;
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    gate.open();
    await eventually('its bytes are gone', async () => (await looseNow()).length === 0);
    expect(await workspace.list(session)).toEqual([]);
  });
});

describe('a publication', () => {
  const turnNow = async (): Promise<TurnId> => {
    world.model.when('go', [{ hang: true }]);
    const turn = await client.submit(session, 'go');
    await client.until(session, turn, 'running');
    return turn as TurnId;
  };
  const publish = (turnId: TurnId, signal = new AbortController().signal) =>
    workspace.publish({ sessionId: session, turnId, callId: 'call1', signal }, 'a.md', undefined);
  const artifacts = async () => (await listArtifacts(world.engine.app, ann, session, page)).items;
  const copies = () => files().index.files(session, page);
  /** What is done when the copy is there and the artifact is not. */
  const onceCopied = (done: () => unknown): void => {
    const { index } = files();
    const add = index.add.bind(index);
    const watched: FileIndex['add'] = async (...args) => {
      const outcome = await add(...args);
      await done();
      return outcome;
    };
    Object.assign(index, { add: watched });
  };
  beforeEach(() => write('result'));

  it('is one for a call, with one copy: also of tries that meet (FB8)', async () => {
    const turn = await turnNow();
    const tries = await Promise.all([publish(turn), publish(turn), publish(turn)]);
    expect(new Set(tries.map((published) => published?.artifactId)).size).toBe(1);
    expect(await copies()).toHaveLength(1);
    expect((await artifacts()).map(({ file_id }) => file_id)).toEqual((await copies()).map(({ id }) => id));
    expect(await looseNow()).toEqual([]);
  });

  it('that the store failed is made again with the copy that is there (FB8)', async () => {
    const turn = await turnNow();
    world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'refused' } });
    await expect(publish(turn)).rejects.toMatchObject({ code: 'storage_unavailable' });
    const [copy] = await copies();
    await publish(turn);
    expect(await copies()).toEqual([copy]);
    expect((await artifacts()).map(({ file_id }) => file_id)).toEqual([copy?.id]);
  });

  it('of a turn that has ended is refused, and leaves no copy', async () => {
    const turn = await turnNow();
    onceCopied(async () => {
      await client.cancel(session, turn);
      await client.until(session, turn);
    });
    await expect(publish(turn)).rejects.toMatchObject({ name: 'TurnkeeperError' });
    expect(await copies()).toEqual([]);
    expect(await looseNow()).toEqual([]);
    expect(await artifacts()).toEqual([]);
    expect(await textAt('a.md')).toBe('result');
  });

  it('publishes nothing once it was given up (L8)', async () => {
    const turn = await turnNow();
    const given = new AbortController();
    const gate = holdNextBytes();
    const early = publish(turn, given.signal);
    await gate.reached;
    given.abort(new Error('given up'));
    gate.open();
    await expect(early).rejects.toThrow('given up');
    expect(await copies()).toEqual([]);
    expect(await looseNow()).toEqual([]);
    const later = new AbortController();
    onceCopied(() => later.abort(new Error('given up')));
    await expect(publish(turn, later.signal)).rejects.toThrow('given up');
    expect(await artifacts()).toEqual([]);
  });
});
