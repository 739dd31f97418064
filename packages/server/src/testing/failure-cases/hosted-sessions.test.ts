/** Sessions that use tools of mini-tools, on two nodes of which one hosts them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bus } from '../../ports/bus.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, type Client, createClient, fresh } from '../harness/client.ts';
import { FakeMinitools } from '../harness/fake-minitools.ts';
import { createGate } from '../harness/gate.ts';
import { openWorld, type World } from '../harness/world.ts';

type Node = { readonly world: World; readonly client: Client; readonly minitools: FakeMinitools };
type Hear = Parameters<Bus['subscribe']>[0];

let host: Node;
let other: Node;
let listeners: { readonly at: number; readonly hear: Hear }[] = [];
const bus = (node: number): Bus => ({
  shared: true,
  publish: (sid, seq) => {
    for (const { at, hear } of listeners) if (at !== node) hear(sid, seq);
  },
  subscribe: (hear) => {
    listeners.push({ at: node, hear });
    return () => {};
  },
});
const openNode = async (n: number, store?: World['stores']): Promise<Node> => {
  const minitools = new FakeMinitools();
  const world = await openWorld({ bus: bus(n), minitoolTools: minitools, ...(store ? { store: { ...store, close: async () => {} } } : {}) });
  return { world, client: createClient(world), minitools };
};
beforeEach(async () => {
  host = await openNode(0);
  other = await openNode(1, host.world.stores);
  host.minitools.register('bot', 'read');
  other.minitools.elsewhere = true;
});
afterEach(async () => {
  await other.world.close();
  await host.world.close();
  listeners = [];
});

const botTool = { type: 'minitool', id: 'bot' } as const;
const open = async (node: Node, tools: Parameters<Client['agent']>[0] & object): Promise<string> => node.client.session(await node.client.agent(tools));
const script = (text: string, ...steps: Parameters<World['model']['when']> extends [string, ...infer Rest] ? Rest : never): string => {
  for (const { world } of [host, other]) world.model.when(text, ...steps);
  return text;
};
const sound = async (session: string): Promise<void> => {
  expect((await checkSession(host.world.store, session, { app: host.world.engine.app, caller: ann })).faults).toEqual([]);
};
const callsOf = ({ world }: Node): number => world.model.calls.length;

test('TO10: one that is submitted on another node runs on the host at once, with their tools; one that uses none runs where it is', async () => {
  const text = script(fresh('do'), [{ call: 'bot_read' }], [{ text: 'done' }]);
  const session = await open(other, { tools: [botTool] });
  const turn = await other.client.submit(session, text);
  // No time passes: nothing waits for a sweep.
  expect(await other.client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  expect([host.minitools.count('bot_read'), callsOf(host), callsOf(other)]).toEqual([1, 2, 0]);
  const plain = await open(other, { tools: [builtin('time')] });
  expect(await other.client.until(plain, await other.client.submit(plain, script(fresh('do'), [{ text: 'here' }])))).toMatchObject({ outputText: 'here' });
  expect(callsOf(other)).toBe(1);
  await sound(session);
});

/** A turn that the other node began before there was a host, at a step that ends only when the gate is opened. */
const begunElsewhere = async () => {
  const gate = createGate();
  other.minitools.elsewhere = false;
  const text = fresh('do');
  other.world.model.when(text, [{ gate }, { call: 'time' }], [{ text: 'not here' }]);
  host.world.model.when(text, [], [{ text: 'done' }]);
  const session = await open(other, { tools: [botTool, builtin('time')] });
  const turn = await other.client.submit(session, text);
  await gate.reached;
  other.minitools.elsewhere = true;
  return { gate, session, turn };
};

test('TO10: one that runs elsewhere when a host comes is given to it between two steps', async () => {
  const { gate, session, turn } = await begunElsewhere();
  gate.open();
  expect(await host.client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  expect([callsOf(other), callsOf(host)]).toEqual([1, 1]);
  await sound(session);
});

test('TO10: one that cannot be given back, for the store refuses it, is given back later', async () => {
  const { gate, session, turn } = await begunElsewhere();
  const refusals = 12;
  other.world.faulty.inject({ method: 'write', call: 3, times: refusals, effect: { kind: 'refused' } });
  const before = other.world.faulty.calls('write');
  gate.open();
  await other.world.clock.advance(60_000);
  expect(other.world.faulty.calls('write') - before).toBeGreaterThan(refusals);
  expect(await host.client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  expect(callsOf(other)).toBe(1);
  await sound(session);
});

test('TO10: one that is cancelled before it is given back ends where it is', async () => {
  const { gate, session, turn } = await begunElsewhere();
  await host.client.cancel(session, turn);
  expect(await other.client.until(session, turn)).toMatchObject({ status: 'cancelled' });
  gate.open();
  expect(callsOf(host)).toBe(0);
  await sound(session);
});

test('MH5: what waits for a host that has gone for good runs where it can', async () => {
  other.minitools.elsewhere = true;
  await host.world.stop(0);
  const text = script(fresh('do'), [{ text: 'alone' }]);
  const session = await open(other, { tools: [botTool] });
  const turn = await other.client.submit(session, text);
  await other.world.clock.advance(10_000);
  expect(callsOf(other)).toBe(0);
  other.minitools.elsewhere = false;
  await other.world.clock.advance(2_000);
  expect(await other.client.until(session, turn)).toMatchObject({ outputText: 'alone' });
});
