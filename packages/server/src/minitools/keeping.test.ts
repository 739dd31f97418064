/** What mini-tools keep (KP1, KP2). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { minitoolLimits } from '../app/minitool-limits.ts';
import { createSecretBox } from '../app/secrets.ts';
import { createClient } from '../testing/harness/client.ts';
import { addMinitool, type TestMinitool } from '../testing/harness/minitool.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { createKeeping, type Keeping } from './keeping.ts';

let world: World;
let tool: TestMinitool;
let keeping: Keeping;
const box = createSecretBox(Buffer.alloc(32, 1));
beforeEach(async () => {
  world = await openWorld();
  await createClient(world).agent();
  tool = await addMinitool(world, { manifest: { permissions: { secrets: ['token', 'mcp.*'] } } });
  keeping = createKeeping({ store: world.stores.minitools, box, clock: world.clock });
});
afterEach(async () => {
  await tool.end();
  await world.close();
});
const set = (key: string, value: unknown) => keeping['storage.set'](tool.asking, { key, value });

test('KP1 JSON comes back as it was', async () => {
  const value = { a: [1, null, 'ü😀'], b: false };
  await set('k', value);
  await set('null', null);
  expect(await keeping['storage.get'](tool.asking, { key: 'k' })).toEqual({ value });
  expect(await keeping['storage.get'](tool.asking, { key: 'null' })).toEqual({ value: null });
  expect(await keeping['storage.get'](tool.asking, { key: 'none' })).toEqual({});
  expect(await keeping['storage.keys'](tool.asking, {})).toEqual(['k', 'null']);
  await keeping['storage.delete'](tool.asking, { key: 'k' });
  await keeping['storage.clear'](tool.asking, {});
  expect(await keeping['storage.keys'](tool.asking, {})).toEqual([]);
});

test('KP1 a value, and all together, have no more bytes than they may', async () => {
  await expect(set('k', 'x'.repeat(minitoolLimits.valueBytes))).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(set('k', undefined)).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(set('', 1)).rejects.toMatchObject({ code: 'invalid_argument' });
  for (let n = 0; n < 49; n += 1) await set(`k${n}`, 'x'.repeat(minitoolLimits.valueBytes - 2));
  await expect(set('k49', 'x'.repeat(minitoolLimits.valueBytes - 2))).rejects.toMatchObject({ code: 'payload_too_large' });
  await set('k0', 'small');
  await set('k49', 'x'.repeat(minitoolLimits.valueBytes - 2));
});

test('KP2 secrets: declared names only, and nothing readable at rest', async () => {
  const put = (key: string, value: string) => keeping['secrets.set'](tool.asking, { key, value });
  for (const key of ['other', 'mcp', 'mcp.', 'TOKEN']) await expect(put(key, 'x')).rejects.toMatchObject({ code: 'permission_denied' });
  await expect(keeping['secrets.get'](tool.asking, { key: 'other' })).rejects.toMatchObject({ code: 'permission_denied' });
  await put('token', 'hunter2');
  await put('mcp.github', 'abc');
  expect(await keeping['secrets.get'](tool.asking, { key: 'token' })).toEqual({ value: 'hunter2' });
  const sealed = (await world.stores.minitools.secret(tool.id, 'token')) ?? '';
  expect(sealed).not.toContain('hunter2');
  // One in another's place opens nothing.
  await world.stores.minitools.setSecret(tool.id, 'mcp.github', sealed, 1);
  await expect(keeping['secrets.get'](tool.asking, { key: 'mcp.github' })).rejects.toMatchObject({ code: 'internal_error' });
  await keeping['secrets.delete'](tool.asking, { key: 'token' });
  expect(await keeping['secrets.get'](tool.asking, { key: 'token' })).toEqual({});
});
