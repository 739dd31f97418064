/** Child sessions over two nodes on one database: the parent on one, its child on the other. */
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionStore } from '../../ports/session-store.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, type Client, external } from '../harness/client.ts';
import { createGate, type Gate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { moves, type Node, useNodes } from './nodes.ts';

const nodes = useNodes();

/** What it makes it runs where it has a slot free; it looks for nothing else. */
const claimingNothing = (store: SessionStore): SessionStore =>
  new Proxy(store, {
    get: (target, name) => {
      if (name === 'claim') return async () => [];
      const method = Reflect.get(target, name) as unknown;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });

const openNode = (slots: number, claims = true): Promise<Node> => nodes.open({ slots, ...(claims ? {} : { sessions: claimingNothing }) });

const holder = async ({ store }: Node, id: string): Promise<string | null | undefined> => (await store.sessions.load(id as SessionId))?.head.node;
const delegate = { call: 'delegate', input: { name: 'helper', message: 'look' } };

/** A parent that holds the only slot of its node by a tool, so that its child goes to the other one. */
const begin = async (here: Node, helper: Parameters<Client['agent']>[0] = {}) => {
  const agentId = await here.client.agent(helper);
  const subagents = [{ agentId, name: 'helper', description: 'helps' }];
  const session = await here.client.session(await here.client.agent({ tools: [builtin('slow')], subagents }));
  const turn = await here.client.submit(session, 'plan');
  await eventually('the parent holds its slot', () => nodes.tools.count('slow') === 1, { clock: moves });
  const child = childSessionId(turn as TurnId, 1);
  const there = await openNode(4);
  return { session, turn, child, there };
};

const sound = async (node: Node, ...sessions: readonly string[]): Promise<void> => {
  // A child may still be told what its parent knows while it is looked at.
  for (const session of sessions)
    await expect.poll(async () => (await checkSession(node.store.sessions, session, { app: node.engine.app, caller: ann })).faults).toEqual([]);
  expect(nodes.model.faults()).toEqual([]);
};

describe('a parent and its child on two nodes', () => {
  let gate: Gate;
  beforeEach(() => {
    gate = createGate();
    nodes.model.when('plan', [{ call: 'slow' }, delegate], [{ text: 'planned' }]);
  });

  it('the outcome of the child reaches the parent', async () => {
    nodes.model.when('look', [{ gate }, { text: 'found it' }]);
    const here = await openNode(1, false);
    const { session, turn, child, there } = await begin(here);
    await eventually('the child runs', () => nodes.model.calls.some(({ text }) => text === 'look'), { clock: moves });
    expect(await holder(here, child)).not.toBe(await holder(here, session));
    gate.open();
    await there.client.until(child, `turn_${child.slice('ses_'.length)}`);
    nodes.tools.gate.open();
    expect(await here.client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    expect(JSON.stringify(nodes.model.calls.at(-1)?.request.messages)).toContain('found it');
    await sound(there, session, child);
  });

  it('an action of the child is answered at the parent, on either node', async () => {
    nodes.model.when('look', [{ call: 'pay' }], [{ text: 'paid' }]);
    const here = await openNode(1, false);
    const { session, turn, there } = await begin(here, { tools: [external('pay')] });
    const [action] = await eventually(
      'it asks',
      async () => {
        const open = await here.client.actions(session, turn);
        return open.length > 0 ? open : undefined;
      },
      { clock: moves },
    );
    nodes.tools.gate.open();
    await here.client.until(session, turn, 'requires_action');
    await there.client.answer(session, turn, action?.request_id ?? '', { output: 'done' });
    expect(await here.client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
  });

  it('a cancel on the one node stops the child on the other', async () => {
    nodes.model.when('look', [{ hang: true }]);
    const here = await openNode(1, false);
    const { session, turn, child, there } = await begin(here);
    await eventually('the child runs', () => nodes.model.calls.some(({ text }) => text === 'look'), { clock: moves });
    nodes.tools.gate.open();
    await here.client.cancel(session, turn);
    expect(await there.client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    expect(await here.client.until(child, `turn_${child.slice('ses_'.length)}`)).toMatchObject({ status: 'cancelled' });
    await sound(there, session, child);
  });

  it('the node of the parent goes: the other one waits for the child in its place', async () => {
    nodes.model.when('look', [{ gate }, { text: 'found it' }]);
    const here = await openNode(1, false);
    const { session, turn, child, there } = await begin(here);
    await eventually('the child runs', () => nodes.model.calls.some(({ text }) => text === 'look'), { clock: moves });
    nodes.tools.gate.open();
    await eventually(
      'only the child is waited for',
      async () => {
        const { log } = await checkSession(here.store.sessions, session);
        return log.some(({ event }) => event.type === 'tool.completed');
      },
      { clock: moves },
    );
    await nodes.stop(here);
    gate.open();
    expect(await there.client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    await sound(there, session, child);
  });
});
