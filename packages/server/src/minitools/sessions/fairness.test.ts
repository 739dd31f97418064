/** Many queued turns of one mini-tool, and another's first one (semantics, section 8; runner, Z2). */
import { afterEach, expect, test } from 'vitest';
import { createClient, fresh } from '../../testing/harness/client.ts';
import { createGate } from '../../testing/harness/gate.ts';
import { addMinitool, type TestMinitool } from '../../testing/harness/minitool.ts';
import { eventually } from '../../testing/harness/settle.ts';
import { openWorld, type World } from '../../testing/harness/world.ts';
import type { Created } from './create.ts';

let world: World;
const tools: TestMinitool[] = [];
afterEach(async () => {
  for (const tool of tools.splice(0)) await tool.end();
  await world.close();
});

const slots = 2;
const sessions = 10;
const turns = 20;

test('200 queued turns of one mini-tool delay another’s first turn by one step at most', async () => {
  world = await openWorld({ slots });
  await createClient(world).agent();
  const [busy, quiet] = [await addMinitool(world), await addMinitool(world)];
  tools.push(busy, quiet);
  const say = (text: string) => ({ text, idempotencyKey: fresh('key') });
  const create = (tool: TestMinitool): Promise<Created> => tool.call('create', { containerId: 'inbox' });
  // Its running steps stop in their middle: nothing gives a slot back meanwhile.
  const gates = Array.from({ length: slots }, () => createGate());
  for (const [n, gate] of gates.entries()) world.model.when(`hold ${n}`, [{ gate }, { text: 'held' }]);
  for (let s = 0; s < sessions; s += 1) {
    const { sessionId } = await create(busy);
    for (let n = 0; n < turns; n += 1) {
      const text = n === 0 && s < slots ? `hold ${s}` : 'more';
      expect(await busy.call('send', sessionId, say(text))).toMatchObject({ state: 'accepted' });
    }
  }
  await Promise.all(gates.map((gate) => gate.reached));
  expect(await busy.call('send', (await create(busy)).sessionId, say('one too many'))).toMatchObject({ state: 'rejected', scope: 'minitool', limit: 200 });
  const before = world.model.calls.length;
  await quiet.call('send', (await create(quiet)).sessionId, say('me first'));
  for (const gate of gates) gate.open();
  const mine = () => world.model.calls.findIndex(({ text }) => text === 'me first');
  await eventually('the other one’s turn', () => mine() >= 0, { clock: world.clock });
  expect(mine() - before).toBeLessThanOrEqual(slots);
}, 60_000);
