/** What `new` writes is a project that passes its own tests and its compiler, as its author runs them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

const root = resolve(import.meta.dirname, '../../../..');
let rig: CliRig;
beforeEach(async () => {
  rig = await createCliRig();
});
afterEach(() => rig.stop());

test('new: tests and types are sound, and the kit is the one beside', async () => {
  await rig.run(['minitool', 'new', 'words']);
  const folder = join(rig.folder, 'words');
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly devDependencies: Record<string, string> };
  const kit = resolve(folder, devDependencies['@turnkeeper/minitool']?.replace(/^file:/, '') ?? '');
  expect(kit).toBe(join(root, 'packages', 'minitool'));
  // As npm would.
  mkdirSync(join(folder, 'node_modules', '@turnkeeper'), { recursive: true });
  symlinkSync(kit, join(folder, 'node_modules', '@turnkeeper', 'minitool'));
  const tests = spawnSync(process.execPath, ['--test'], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  expect([tests.status, /pass 2/.test(tests.stdout)], tests.stdout).toEqual([0, true]);
  const types = spawnSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc')], { cwd: folder, encoding: 'utf8' });
  expect([types.stdout, types.status]).toEqual(['', 0]);
  expect(readFileSync(join(folder, 'dist', 'index.js'), 'utf8')).toMatch(/from ["']\.\/words\.js["']/);
}, 120_000);
