/** An answer without end: what a model may say is bounded, and what was shown stays. */
import { afterEach, expect, test } from 'vitest';
import { longestAnswer } from '../../runner/answer-limit.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, createClient, external } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());

const ask = async (...pieces: Parameters<World['model']['when']>[1]) => {
  world = await openWorld();
  const client = createClient(world);
  world.model.when('x', pieces);
  const session = await client.session(await client.agent({ tools: [external('note')] }));
  const turn = await client.until(session, await client.submit(session, 'x'));
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return { turn, log, events: log.map((entry) => JSON.stringify(entry)) };
};
const part = 'word '.repeat(20_000);
const tooLong = { status: 'failed', errorCode: 'model_error', errorMessage: "The model's answer is longer than 1,000,000 characters.", retryable: false };

test('text beyond the limit fails the turn at once, and is not asked for again', async () => {
  const { turn, events } = await ask(...Array.from({ length: 11 }, () => ({ text: part })), { hang: true });
  expect(turn).toMatchObject(tooLong);
  expect(world.model.calls).toHaveLength(1);
  const deltas = events.filter((event) => event.includes('item.delta'));
  expect(deltas.join('').split('word ').length - 1).toBeGreaterThan(190_000);
  for (const event of deltas) expect(event.length).toBeLessThan(70_000);
});

test('arguments count too, with or without deltas', async () => {
  const raw = JSON.stringify({ text: 'x'.repeat(longestAnswer / 2) });
  expect((await ask({ call: 'note', raw, id: 'a' }, { call: 'note', raw, id: 'b' })).turn).toMatchObject(tooLong);
});

test('the longest answer is whole in its item; the outcome repeats its beginning', async () => {
  const { turn, events } = await ask({ text: 'y'.repeat(longestAnswer) });
  expect(turn).toMatchObject({ status: 'completed', outputText: `${'y'.repeat(100_000)}\n[cut: 1000000 characters in all]` });
  expect(events.find((event) => event.includes('item.completed') && event.includes('final_output'))?.length).toBeGreaterThan(longestAnswer);
});

test('very many tiny parts leave room for others', async () => {
  let turns = 0;
  let next = setImmediate(function beat() {
    turns += 1;
    next = setImmediate(beat);
  });
  let during = 0;
  const mark = (at: 'begin' | 'end') => ({
    get text(): string {
      during = at === 'begin' ? turns : turns - during;
      return at;
    },
  });
  await ask(mark('begin'), ...Array.from({ length: 5_000 }, () => ({ text: 'x' })), mark('end'));
  clearImmediate(next);
  expect(during).toBeGreaterThanOrEqual(20);
});
