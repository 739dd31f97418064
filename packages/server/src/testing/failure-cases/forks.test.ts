/** What a fork takes over: the context as the model is shown it, and nothing else (FK2, FK3). */
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../app/caller.ts';
import { createSession } from '../../app/create-session.ts';
import { forkSession } from '../../app/fork-session.ts';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { readSession } from '../../app/read-sessions.ts';
import { inOnePiece } from '../../app/session-files.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { uploadFile } from '../../app/upload-file.ts';
import { addApplication } from '../harness/application.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, type Client, createClient, fresh } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world);
});
afterEach(() => world.close());

const app = () => world.engine.app;
const forkOf = async (session: string, caller: Caller = ann): Promise<string> =>
  (await forkSession(app(), caller, session, { reason: 'a trial' }, fresh('fork'))).answer.id;
const talk = async (session: string, text: string, by = client) => by.until(session, await by.submit(session, text));
const shown = (): string => JSON.stringify(world.model.calls.at(-1)?.request.messages);
const sound = async (session: string): Promise<void> => {
  const { faults } = await checkSession(world.store, session, { app: app(), caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
};

test('a child session’s fork is a root of its own: judged by its own target, and without the limit of the tree’s turns', async () => {
  const [asked, helper] = [fresh('plan'), await client.agent()];
  world.model.when(asked, [{ call: 'delegate', input: { name: 'helper', message: 'look' } }], [{ text: 'planned' }]);
  world.model.when('long', [{ call: 'effect' }, { usage: { input_tokens: 900, output_tokens: 100, total_tokens: 1_000 } }], [{ text: 'done' }]);
  const agent = await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] });
  const { key } = await addApplication(world);
  const keyFor = (id: string) => ({ ...key, targets: [{ type: 'agent', id }] as const });
  const target = { type: 'agent', id: agent, version: undefined } as const;
  const parent = (await createSession(app(), key, { target, budget: { maxTokens: 20 } }, fresh('create'))).answer.id;
  const theirs = createClient(world, key);
  const turn = await theirs.submit(parent, asked);
  expect(await theirs.until(parent, turn)).toMatchObject({ status: 'completed' });
  const child = childSessionId(turn as TurnId, 1);
  expect(await readBudget(app(), key, parent)).toMatchObject({ max_tokens_per_turn: 20 });

  const fork = await forkOf(child, key);
  const resource = await readSession(app(), key, fork);
  expect(resource.target.id).toBe(helper);
  expect('rootId' in resource || 'path' in resource).toBe(false);
  expect((await world.store.load(fork as SessionId))?.row).toMatchObject({ root: fork, path: '' });
  expect(await readSession(app(), keyFor(helper), fork)).toEqual(resource);
  await expect(readSession(app(), keyFor(agent), fork)).rejects.toMatchObject({ code: 'target_not_granted' });
  expect(await readSession(app(), keyFor(agent), child)).toMatchObject({ rootId: parent });
  expect(await readBudget(app(), key, fork)).not.toHaveProperty('max_tokens_per_turn');
  expect(await talk(fork, 'long', theirs)).toMatchObject({ status: 'completed', outputText: 'done' });
  await deleteSession(app(), key, parent);
  expect(await talk(fork, 'on', theirs)).toMatchObject({ status: 'completed' });
});

test('what was allowed for the session is asked for again, files and budgets stay where they are', async () => {
  for (const text of ['x', 'y']) world.model.when(text, [{ call: 'effect' }], [{ text: 'done' }]);
  const tools = [builtin('effect', { permission: undefined } as never), builtin('list_files')];
  const source = await client.session(await client.agent({ tools, mode: 'ask' }));
  const turn = await client.submit(source, 'x');
  await client.until(source, turn, 'requires_action');
  const [action] = await client.actions(source);
  await client.answer(source, turn, action?.request_id ?? '', { allow: true, remember: 'session' });
  await client.until(source, turn);
  const sent = { bytes: inOnePiece(Buffer.from('SECRET')), name: 'in.txt', contentType: 'text/plain' };
  const file = (await uploadFile(app(), ann, source, sent, fresh('upload'))).answer;
  await setBudget(app(), ann, source, { max_model_calls: 100 });
  const input = [
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'see' },
        { type: 'file' as const, file_id: file.id },
      ],
    },
  ];
  await client.until(source, (await submitTurn(app(), ann, source, { input } as never, fresh('submit'))).answer.id);

  const fork = await forkOf(source);
  expect(await app().files.index.paths(fork, 9)).toEqual([]);
  expect(await app().files.fileOf(fork, file.id)).toBeUndefined();
  expect(await readBudget(app(), ann, fork)).not.toHaveProperty('max_model_calls');
  const asked = await client.submit(fork, 'y');
  await client.until(fork, asked, 'requires_action');
  expect(world.tools.count('effect')).toBe(1);
  expect(shown()).toContain('see');
  expect(shown()).not.toContain(file.id);
  expect(world.model.calls.at(-1)?.request.files).toBeUndefined();
  const [again] = await client.actions(fork);
  expect(again).toMatchObject({ kind: 'confirmation' });
  await client.answer(fork, asked, again?.request_id ?? '', { allow: true });
  expect(await client.until(fork, asked)).toMatchObject({ status: 'completed' });
  await sound(fork);
});

test('of a context that was compacted it takes the summary, which says in the prompt what it is', async () => {
  const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
  world.model.when('a', [{ text: 'first answer' }, used(400)]);
  world.model.when('b', [{ text: 'second answer' }, used(850)]);
  world.model.when(summaryRequest, [{ text: 'they said a and b' }, used(870)]);
  const source = await client.session(await client.agent({ contextWindow: 1_000 }));
  for (const text of ['a', 'b', 'c']) await talk(source, text);
  const fork = await forkOf(source);
  await deleteSession(app(), ann, source);
  expect(await talk(fork, 'd')).toMatchObject({ status: 'completed', outputText: 'echo: d' });
  expect(shown()).toContain('What was said before was left out to make room. In short:]\\nthey said a and b');
  expect(shown()).toContain('echo: c');
  expect(shown()).not.toContain('first answer');
  // Nor is it long again: the fork knows how much it began with.
  expect(world.model.calls.filter(({ text }) => text === summaryRequest)).toHaveLength(1);
  await sound(fork);
});
