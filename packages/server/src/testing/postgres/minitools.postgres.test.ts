/** A mini-tool that one of two nodes hosts: its tools are there for turns that came in on the other, also after that host has gone. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { consentFor } from '../../minitools/consent.ts';
import { manifestOf } from '../../minitools/kept-manifest.ts';
import { fresh } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { entry } from '../minitools/hosted.ts';
import { moves, type Node, useNodes } from './nodes.ts';

const nodes = useNodes();
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'two-hosts-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = `export function activate(ctx) {
  const execute = async ({ text }) => ({ content: [{ type: 'text', text: text.toUpperCase() }] });
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  ctx.tools.register({ name: 'shout', title: 'Shout', description: '', risk: 'low', inputSchema, execute });
}`;

/** Both nodes have the same files, as on a shared volume. */
const openNode = (): Promise<Node> => {
  mkdirSync(join(folder, 'data'), { recursive: true });
  return nodes.open({
    minitools: { dataFolder: join(folder, 'data'), version: '0.1.0' },
    programEnvironment: { PATH: process.env['PATH'] ?? '', HOME: folder },
  });
};

const install = async ({ engine, store }: Node): Promise<void> => {
  const path = join(folder, 'loud');
  mkdirSync(path);
  writeFileSync(join(path, 'index.mjs'), code);
  writeFileSync(join(path, 'finch.json'), JSON.stringify({ manifestVersion: 1, id: 'loud', name: 'Loud', main: 'index.mjs', contributes: { tools: true } }));
  const { host } = engine.minitools ?? {};
  const placed = await host?.place({ kind: 'folder', path, linked: false });
  if (!host || !placed) throw new Error('no mini-tools here');
  const row = { reason: null, settings: {}, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0, ...placed };
  await store.minitools.install({ ...row, status: 'enabled', consent: consentFor(manifestOf(row as never)) }, entry('minitool.installed', 'loud'));
  await host.look('loud', true);
};
const runs = ({ engine }: Node): readonly string[] => engine.minitools?.host.running() ?? [];

const shouted = async ({ client }: Node, session: string): Promise<string | null> => {
  const text = fresh('do');
  nodes.model.when(text, [{ call: 'loud_shout', input: { text: 'hi there' } }], [{ text: 'done' }]);
  const turn = await client.submit(session, text);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  return JSON.stringify(nodes.model.calls.at(-1)?.request.messages);
};

it('TO10: a turn that comes in on a node that hosts none runs where they are', async () => {
  // Both look by themselves every five seconds; what is told is known before.
  const [host, other] = [await openNode(), await openNode()];
  await install(host);
  await eventually('it runs', () => runs(host).length === 1, { clock: moves });
  await eventually('the other knows', () => other.engine.app.tools.minitools.areElsewhere(), { clock: moves });
  const { client } = other;
  const session = await client.session(await client.agent({ tools: [{ type: 'minitool', id: 'loud' }] }));
  expect(await shouted(other, session)).toContain('HI THERE');
  expect(runs(other)).toEqual([]);
  await nodes.stop(host);
  expect(await shouted(other, session)).toContain('HI THERE');
  expect(runs(other)).toEqual(['loud']);
});

it('a host that drains gives its mini-tools to another node before all else has ended', async () => {
  const [host, other] = [await openNode(), await openNode()];
  await install(host);
  await eventually('it runs', () => runs(host).length === 1, { clock: moves });
  const gate = createGate();
  nodes.model.when('slow', [{ gate }, { text: 'late' }]);
  const plain = await host.client.session(await host.client.agent());
  const slow = await host.client.submit(plain, 'slow');
  await gate.reached;
  const drained = host.engine.drain(110_000);
  await eventually('the other hosts', () => runs(other).length === 1, { clock: moves });
  const session = await other.client.session(await other.client.agent({ tools: [{ type: 'minitool', id: 'loud' }] }));
  expect(await shouted(other, session)).toContain('HI THERE');
  expect((await host.client.turn(plain, slow)).status).toBe('running');
  gate.open();
  await drained;
});
