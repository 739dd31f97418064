/** A mini-tool that cannot start, with time in the test's hand: it is tried again, and then left alone, visibly. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MinitoolRow } from '../ports/minitools.ts';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { entry, type HostedForTest, openHost } from '../testing/minitools/hosted.ts';
import { markBroken } from './own-changes.ts';

let clock: ManualClock;
let hosted: HostedForTest;
beforeEach(async () => {
  clock = new ManualClock();
  hosted = await openHost({ clock });
});
afterEach(() => hosted.close());

const crashes = async (): Promise<number> => (await hosted.log('unfit')).filter((message) => message.startsWith('activate: ')).length;

it('MH3: is broken after five crashes, with the reason, until somebody enables it', async () => {
  await hosted.run('unfit', `export function activate() { throw new Error('no such table'); }`);
  for (const [at, wait] of [1_000, 2_000, 4_000, 8_000].entries()) {
    await expect.poll(crashes).toBe(at + 1);
    await expect.poll(() => hosted.host.condition('unfit').activity).toBe('waiting');
    await clock.advance(wait);
  }
  const broken = async () => (await hosted.store.minitools.minitool('unfit'))?.status;
  await expect.poll(broken).toBe('broken');
  expect(await hosted.store.minitools.minitool('unfit')).toMatchObject({ reason: expect.stringContaining('no such table') });
  expect(hosted.host.condition('unfit')).toMatchObject({ activity: 'stopped', lastCrash: { reason: expect.stringContaining('no such table') } });
  await hosted.host.reconcile();
  await clock.advance(3_600_000);
  expect(await crashes()).toBe(5);
  await hosted.enable('unfit');
  await expect.poll(crashes).toBe(6);
  expect(await hosted.store.minitools.minitool('unfit')).toMatchObject({ status: 'enabled', reason: null });
  expect(hosted.reports).toEqual([]);
});

it('says what is wrong where it has no activate', async () => {
  await hosted.run('unfit', 'export default function activate() {}');
  expect(hosted.host.condition('unfit').lastCrash?.reason).toMatch(/activate/);
});

it('KA4: is not broken by files that are not here: it starts when they are', async () => {
  const row = await hosted.run('away', 'export function activate() {}');
  await hosted.disable('away');
  const main = join(row.folder, 'index.mjs');
  renameSync(main, `${main}.away`);
  await hosted.enable('away');
  await expect.poll(() => hosted.host.condition('away').activity).toBe('missing');
  for (let n = 0; n < 8; n += 1) await clock.advance(60_000);
  expect(hosted.host.condition('away')).toEqual({ activity: 'missing', lastCrash: null });
  expect(await hosted.store.minitools.minitool('away')).toMatchObject({ status: 'enabled', reason: null });
  expect((await hosted.log('away')).filter((message) => message.includes('not on this machine'))).toHaveLength(1);
  renameSync(`${main}.away`, main);
  await clock.advance(30_000);
  await expect.poll(() => hosted.host.running()).toEqual(['away']);
});

it('MS7: is not broken by the crashes of a version before, and its audit entry does not say what it said', async () => {
  const row = await hosted.run('unfit', 'export function activate() {}');
  const status = async () => (await hosted.store.minitools.minitool('unfit'))?.status;
  const options = { store: hosted.store, clock, ids: hosted.ids };
  const enabled = { ...row, status: 'enabled' } as const;
  await markBroken(options, { ...enabled, version: '0.0.1' }, 'the old one', 'crash');
  expect(await status()).toBe('enabled');
  await hosted.disable('unfit');
  await markBroken(options, enabled, 'late', 'crash');
  expect(await status()).toBe('disabled');
  await hosted.enable('unfit');
  await markBroken(options, enabled, 'The last time: somebody’s words', 'crash');
  expect(await status()).toBe('broken');
  const entries = (await hosted.store.catalog.audit({ limit: 100 })).filter(({ action }) => action === 'minitool.broken');
  expect(entries.map(({ details }) => details)).toEqual([{ reason: 'crash' }]);
});

const install = async (id: string, code: string): Promise<string> => {
  const folder = hosted.write(id, code);
  const placed = await hosted.host.place({ kind: 'folder', path: folder, linked: true });
  const fresh = { status: 'disabled', reason: null, settings: {}, consent: null, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0 } as const;
  await hosted.store.minitools.install({ ...placed, ...fresh }, entry('minitool.installed', id));
  await hosted.enable(id);
  return join(folder, 'index.mjs');
};
const saved = async (file: string, code: string, seen: () => Promise<boolean>): Promise<void> => {
  writeFileSync(file, code);
  await expect
    .poll(async () => {
      await clock.advance(300);
      return seen();
    })
    .toBe(true);
};

it('MH3: one that is broken starts again when its author has saved a file of it', async () => {
  const file = await install('dev', 'export function activate() {}');
  const row = await hosted.store.minitools.minitool('dev');
  await markBroken({ store: hosted.store, clock, ids: hosted.ids }, row as MinitoolRow, 'It ended 5 times', 'crash');
  await hosted.host.reconcile();
  expect(hosted.host.running()).toEqual([]);
  await saved(file, 'export function activate() { return 1; }', async () => (await hosted.store.minitools.minitool('dev'))?.status === 'enabled');
  expect(await hosted.store.minitools.minitool('dev')).toMatchObject({ reason: null });
  await expect.poll(() => hosted.host.running()).toEqual(['dev']);
});

it('watches the folder of one that is disabled no more', async () => {
  const file = await install('dev', 'export function activate() {}');
  const beside = await install('beside', 'export function activate() {}');
  await hosted.disable('dev');
  writeFileSync(file, 'export function activate() { return 1; }');
  await saved(beside, 'export function activate() { return 1; }', async () => (await hosted.log('beside')).some((message) => message.includes('have changed')));
  expect((await hosted.log('dev')).filter((message) => message.includes('have changed'))).toEqual([]);
});

it('ST1: knows its settings as they are opened for it', async () => {
  const opening = await openHost({ openSettings: ({ id, settings }) => ({ ...settings, pin: `opened for ${id}` }) });
  await opening.run('keeper', `export function activate(ctx) { console.log(ctx.settings.get('pin')); }`);
  await opening.logged('keeper', 'opened for keeper');
  await opening.close();
});
