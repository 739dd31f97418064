/** Which of the nodes on one database hosts, and that it ends in time: with time in the test's hand and a real mini-tool. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { type HostedForTest, openHost } from '../testing/minitools/hosted.ts';

let clock: ManualClock;
let hosted: HostedForTest;
beforeEach(async () => {
  clock = new ManualClock();
  hosted = await openHost({ clock, shared: true });
});
afterEach(() => hosted.close());

const mayHost = (node: string): Promise<boolean> => hosted.store.minitools.host(node, clock.now(), clock.now() + 15_000);

it('HL2: stops everything in time where its lease cannot be renewed, though the store does not even answer', async () => {
  await hosted.run('steady', 'export function activate() {}');
  expect(hosted.host.running()).toEqual(['steady']);
  const silent = Promise.withResolvers<boolean>();
  const host = vi.spyOn(hosted.store.minitools, 'host').mockReturnValue(silent.promise);
  await clock.advance(7_999);
  expect(hosted.host.running()).toEqual(['steady']);
  await clock.advance(1);
  await expect.poll(() => hosted.host.running()).toEqual([]);
  silent.resolve(false);
  host.mockRestore();
});

it('HL2: stops everything where another node has it, behind whatever is in line', async () => {
  await hosted.run('steady', 'export function activate() {}');
  const rows = Promise.withResolvers<never[]>();
  const minitools = vi.spyOn(hosted.store.minitools, 'minitools').mockReturnValue(rows.promise);
  const host = vi.spyOn(hosted.store.minitools, 'host').mockResolvedValue(false);
  await clock.advance(3_000);
  await expect.poll(() => hosted.host.running()).toEqual([]);
  minitools.mockRestore();
  host.mockRestore();
  rows.resolve([]);
});

it('MH4: does not host where it has the files of none', async () => {
  const row = await hosted.run('away', 'export function activate() {}');
  expect(await mayHost('node_b')).toBe(false);
  rmSync(join(row.folder, 'index.mjs'));
  await hosted.host.look('away', false);
  expect(hosted.host.condition('away').activity).toBe('missing');
  expect(await mayHost('node_b')).toBe(true);
  await clock.advance(60_000);
  await hosted.host.look('away', false);
  expect(await mayHost('node_c')).toBe(true);
  expect(await hosted.store.minitools.minitool('away')).toMatchObject({ status: 'enabled' });
});

it('HL2: keeps its lease while something in line takes long', async () => {
  const hi = `ctx.tools.register({ name: 'hi', title: '', description: '', inputSchema: { type: 'object' }, execute: async () => ({ content: [{ type: 'text', text: 'hi' }] }) });`;
  await hosted.run('steady', `export function activate(ctx) { ${hi} }`, { contributes: { tools: true } });
  const rows = Promise.withResolvers<never[]>();
  const minitools = vi.spyOn(hosted.store.minitools, 'minitools').mockReturnValue(rows.promise);
  for (let n = 0; n < 8; n += 1) {
    await clock.advance(3_000);
    // Its pings are answered, too.
    expect(await hosted.tools.text('steady_hi')).toBe('hi');
  }
  expect(await mayHost('node_b')).toBe(false);
  minitools.mockRestore();
  rows.resolve([]);
});

it('MH5: knows of a host elsewhere, also where it has files of none, and waits a while for one that has gone', async () => {
  const { host, store } = hosted;
  const elsewhere = (): boolean => host.tools.areElsewhere();
  expect(elsewhere()).toBe(false);
  expect(await mayHost('node_b')).toBe(true);
  await host.reconcile();
  expect([elsewhere(), host.condition('away').activity]).toEqual([true, 'elsewhere']);
  // It goes in good order.
  await store.minitools.host('node_b', clock.now(), clock.now());
  await clock.advance(14_999);
  await host.reconcile();
  expect([elsewhere(), host.condition('away').activity]).toEqual([true, 'stopped']);
  await clock.advance(1);
  expect(elsewhere()).toBe(false);
  // Who hosts itself waits for nobody.
  expect(await mayHost('node_b')).toBe(true);
  await host.reconcile();
  expect(elsewhere()).toBe(true);
  await clock.advance(15_000);
  await hosted.run('steady', 'export function activate() {}');
  expect(elsewhere()).toBe(false);
});

it('MH6: hosts as soon as the lease of one that was killed is over', async () => {
  expect(await hosted.store.minitools.host('node_b', clock.now(), clock.now() + 14_000)).toBe(true);
  await hosted.run('steady', 'export function activate() {}');
  await clock.advance(13_999);
  expect(hosted.host.running()).toEqual([]);
  await clock.advance(1);
  await expect.poll(() => hosted.host.running()).toEqual(['steady']);
});
