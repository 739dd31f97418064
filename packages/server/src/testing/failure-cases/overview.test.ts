/** What goes on now, of sessions that rested before: what was read of them then is not taken for how they stand. */
import { afterEach, expect, test } from 'vitest';
import { readOverview } from '../../app/overview.ts';
import { ModelError } from '../../ports/model.ts';
import { ann, createClient, external } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());

const now = async () => {
  const { running, waiting, failed, usage_today } = await readOverview(world.engine.app, ann, {});
  return { running, waiting, failed, calls: usage_today.model_calls };
};

test('a session that rested runs, waits and fails again: the overview says so at once', async () => {
  world = await openWorld();
  const client = await createClient(world);
  world.model.when('fine', [{ text: 'fine' }]);
  world.model.when('ask', [{ call: 'look' }], [{ text: 'seen' }]);
  world.model.when('break', [{ fails: () => new ModelError('out of order', { retryable: false, status: 400 }) }]);
  const session = await client.session(await client.agent({ tools: [external('look')] }));
  await client.until(session, await client.submit(session, 'fine'));
  for (const again of [1, 2]) {
    await world.clock.advance(5_000);
    expect([again, await now()]).toEqual([again, { running: 0, waiting: 0, failed: 0, calls: 1 }]);
  }
  const asking = await client.submit(session, 'ask');
  await expect.poll(now).toEqual({ running: 0, waiting: 1, failed: 0, calls: 2 });
  const [action] = await client.actions(session, asking);
  await client.answer(session, asking, action?.request_id ?? '', { output: 'it' });
  await client.until(session, asking);
  await world.clock.advance(5_000);
  expect(await now()).toEqual({ running: 0, waiting: 0, failed: 0, calls: 3 });
  await client.until(session, await client.submit(session, 'break'));
  await world.clock.advance(5_000);
  expect(await now()).toMatchObject({ running: 0, waiting: 0, failed: 1 });
});
