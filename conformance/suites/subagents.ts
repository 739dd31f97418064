/** Child sessions: delegated to, read below their parent, followed with it, answered there, ended with it. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventEnvelope, StreamEvent } from '../client/event-stream.ts';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

type Subagent = { readonly child_session_id: string; readonly child_turn_id: string; readonly name: string; readonly path: string; readonly status: string };

export const describeSubagents = (target: () => Target): void => {
  let leader = '';
  const agent = async (definition: Record<string, unknown>): Promise<string> => {
    const body = {
      agentKey: `sub-${crypto.randomUUID().slice(0, 8)}`,
      displayName: 'Script',
      definition: { system: 'Script.', model: 'demo:script', ...definition },
    };
    return String(((await target().call('POST', '/api/v1/agents', { body })).body['agent'] as { id: string }).id);
  };
  const lookup = { type: 'function', name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } };
  const open = async (): Promise<string> => String((await target().call('POST', sessions, { body: { agent: leader } })).body['id']);
  const delegate = (steps: readonly (readonly unknown[])[], more: Record<string, unknown> = {}) => ({
    tool: { name: 'delegate', input: { name: 'helper', message: JSON.stringify({ steps }), ...more } },
  });
  const childrenOf = async (session: string): Promise<readonly Subagent[]> => {
    const { body } = await target().call('GET', `${sessions}/${session}/subagents`);
    return (body['data'] as { data: Subagent }[]).map(({ data }) => data);
  };
  const firstChild = async (session: string): Promise<Subagent> =>
    (
      await eventually(
        () => childrenOf(session),
        (all) => all.length > 0,
      )
    )[0] as Subagent;

  beforeAll(async () => {
    const helper = await agent({ tools: [lookup], subagents: [{ agentId: await agent({}), name: 'helper', description: 'Helps the helper.' }] });
    leader = await agent({ tools: [lookup], subagents: [{ agentId: helper, name: 'helper', description: 'Helps.' }] });
  });

  describe('subagents', () => {
    test('a child works in a session of its own, and its output is the result of the call', async () => {
      const { call, submit, settled, history } = target();
      const session = await open();
      const turn = await submit(session, [[delegate([[{ text: 'found it' }]])], [{ text: 'done' }]]);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
      const [child] = await childrenOf(session);
      expect(child).toMatchObject({ name: 'helper', path: 'helper:1', status: 'completed' });
      const below = `${sessions}/${session}/subagents/${child?.child_session_id}`;
      expect((await call('GET', below)).body).toMatchObject({ id: child?.child_session_id, rootId: session, path: 'helper:1' });
      for (const part of [
        'snapshot',
        'events',
        'items',
        'tools',
        'inputs',
        'turns',
        'usage',
        'subagents',
        'required-actions',
        'capabilities',
        'resources/runs',
      ])
        expect((await call('GET', `${below}/${part}`)).status, part).toBe(200);
      expect((await call('GET', `${below}/capabilities`)).body).toMatchObject({
        capabilities: { steer: true, inject: false, checkpoints: false, budget: false },
      });
      const turnBelow = `${below}/turns/${child?.child_turn_id}`;
      expect((await call('GET', turnBelow)).body).toMatchObject({ outputText: 'found it' });
      expect((await history(`${turnBelow}/events`)).at(-1)?.type).toBe('turn.completed');
      const types = (await history(`${sessions}/${session}/events`)).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('subagent.'))).toEqual(['subagent.started', 'subagent.completed']);
      const snapshot = (await call('GET', `${sessions}/${session}/snapshot`)).body as unknown as { subagents: { data: Subagent }[] };
      expect(snapshot.subagents.map(({ data }) => data.status)).toEqual(['completed']);
      const usage = (await call('GET', `${sessions}/${session}/usage?include_children=true`)).body as unknown as {
        data: { model_calls: number };
        session_watermarks: Record<string, string>;
      };
      expect([usage.data.model_calls, Object.keys(usage.session_watermarks)]).toEqual([3, [session, child?.child_session_id]]);
      expect((await call('GET', `${sessions}/${session}/capabilities`)).body).toMatchObject({ capabilities: { subagents: true } });
      const listed = (await call('GET', `${sessions}?limit=200&owner=me`)).body['items'] as { id: string }[];
      expect(listed.map(({ id }) => id)).not.toContain(child?.child_session_id);
    });

    test('only real descendants are found below a session', async () => {
      const { call, submit, settled, newSession } = target();
      const [session, other, plain] = [await open(), await open(), await newSession()];
      const turn = await submit(session, [[delegate([[delegate([[{ text: 'deep' }]])], [{ text: 'ok' }]])], [{ text: 'done' }]]);
      await settled(session, turn);
      const child = await firstChild(session);
      const grandchild = await firstChild(child.child_session_id);
      expect(grandchild.path).toBe('helper:1/helper:1');
      const statusOf = async (above: string, id: string) => (await call('GET', `${sessions}/${above}/subagents/${id}`)).status;
      expect(await statusOf(session, grandchild.child_session_id)).toBe(200);
      expect(await statusOf(child.child_session_id, grandchild.child_session_id)).toBe(200);
      for (const [above, id] of [
        [other, child.child_session_id],
        [grandchild.child_session_id, child.child_session_id],
        [session, session],
        [session, plain],
        [session, 'ses_nothing'],
      ] as const)
        expect(await statusOf(above, id), `${above} ${id}`).toBe(404);
    });

    test('one stream carries the session and its children, resumes anywhere, and ends each child before its end is told', async () => {
      const { submit, settled, follow, history } = target();
      const session = await open();
      const path = `${sessions}/${session}/events/stream?include_children=true`;
      const turn = await submit(session, [[delegate([[{ text: 'a', chunk: 1 }]]), delegate([[{ text: 'b' }]])], [{ text: 'done' }]]);
      await settled(session, turn);
      const stream = await follow(path);
      const all = treeOf(await stream.until((events) => done(treeOf(events), session)));
      stream.close();
      const children = await childrenOf(session);
      for (const child of children) {
        const mine = all.filter(({ session_id }) => session_id === child.child_session_id);
        expect(new Set(mine.map((event) => event.path))).toEqual(new Set([child.path]));
        const log = (await history(`${sessions}/${child.child_session_id}/events`)).filter(({ type }) => type !== 'session.parent_told');
        expect(mine.map(({ id }) => id)).toEqual(log.map(({ id }) => id));
        const end = all.findIndex(({ type, data }) => type === 'subagent.completed' && data['child_session_id'] === child.child_session_id);
        expect(all.findLastIndex(({ session_id }) => session_id === child.child_session_id)).toBeLessThan(end);
      }
      for (const at of [0, Math.floor(all.length / 3), Math.floor(all.length / 2)]) {
        const again = await follow(`${path}&after=${all[at]?.cursor}`);
        const rest = await again.until((events) => events.length >= all.length - at - 1);
        again.close();
        expect(new Set(treeOf(rest).map(({ id }) => id))).toEqual(new Set(all.slice(at + 1).map(({ id }) => id)));
      }
      const own = (await history(`${sessions}/${session}/events`))[0]?.cursor;
      expect((await target().call('GET', `${path}&after=${own}`)).body).toMatchObject({ code: 'invalid_cursor' });
    });

    test('an action of a child is shown in the parent’s turn, answered there, and then over everywhere', async () => {
      const { call, submit, settled } = target();
      const session = await open();
      const turn = await submit(session, [[delegate([[{ tool: { name: 'lookup', input: {} } }], [{ text: 'looked' }]])], [{ text: 'done' }]]);
      const actions = async (path: string) => Object.values((await call('GET', path)).body['required_actions'] as Record<string, Record<string, unknown>>);
      const [action] = await eventually(
        () => actions(`${sessions}/${session}/turns/${turn}/actions`),
        (open) => open.length > 0,
      );
      const child = await firstChild(session);
      expect(action).toMatchObject({ child_session_id: child.child_session_id, kind: 'external_execution' });
      await eventually(
        () => call('GET', `${sessions}/${session}/turns/${turn}`),
        ({ body }) => body['status'] === 'requires_action',
      );
      const answer = { request_id: action?.['request_id'], payload: { output: 'yes' } };
      const key = freshKey();
      const first = await call('POST', `${sessions}/${session}/turns/${turn}/actions`, { body: answer, key });
      expect(first.status).toBe(202);
      const again = await call('POST', `${sessions}/${session}/turns/${turn}/actions`, { body: answer, key });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed' });
      const late = await call('POST', `${sessions}/${child.child_session_id}/turns/${child.child_turn_id}/actions`, { body: answer, key: freshKey() });
      expect(late).toMatchObject({ status: 409, body: { code: 'action_resolved' } });
    });

    test('what the turn and its children ask is answered in one request: looked at as a whole, told session by session, repeated by its key', async () => {
      const { call, submit, settled } = target();
      const session = await open();
      const ask = { tool: { name: 'lookup', input: {} } };
      const script = [[ask, delegate([[ask], [{ text: 'one' }]]), delegate([[ask], [{ text: 'two' }]])], [{ text: 'done' }]];
      const turn = await submit(session, script);
      const path = `${sessions}/${session}/turns/${turn}/actions`;
      type Shown = { readonly request_id: string; readonly child_session_id?: string };
      const shown = await eventually(
        async () => Object.values((await call('GET', path)).body['required_actions'] as Record<string, Shown>),
        (all) => all.length === 3,
      );
      const answers = shown.map(({ request_id }) => ({ request_id, payload: { output: 'yes' } }));
      const key = freshKey();
      // One that cannot be taken leaves all of them open, and the key unused.
      const [first, ...rest] = answers;
      for (const wrong of [
        { ...first, payload: {} },
        { ...first, request_id: 'act_none' },
        { ...first, expected_version: 99 },
      ])
        expect((await call('POST', path, { body: { answers: [...rest, wrong] }, key })).status).toBeGreaterThanOrEqual(400);
      expect(Object.keys((await call('GET', path)).body['required_actions'] as object)).toHaveLength(3);
      const taken = await call('POST', path, { body: { answers }, key });
      expect(taken.status).toBe(202);
      type Part = { readonly session_id: string; readonly command: { readonly status: string; readonly turn_id: string }; readonly status_url: string };
      const parts = taken.body['parts'] as unknown as readonly Part[];
      expect(parts.map(({ session_id }) => session_id).toSorted()).toEqual(shown.map((action) => action.child_session_id ?? session).toSorted());
      expect(parts.at(-1)).toMatchObject({ session_id: session, command: taken.body['command'], status_url: taken.body['status_url'] });
      for (const { command, status_url } of parts) expect((await call('GET', status_url)).body['command']).toMatchObject(command);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
      const again = await call('POST', path, { body: { answers }, key });
      expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', taken.body]);
      expect(await call('POST', path, { body: { answers }, key: freshKey() })).toMatchObject({ status: 409, body: { code: 'action_resolved' } });
    });

    test('cancel reaches children in the foreground and in the background, and what they are is the root’s affair', async () => {
      const { call, submit, settled } = target();
      const session = await open();
      const turn = await submit(session, [[delegate([[{ hang: true }]]), delegate([[{ hang: true }]], { background: true })]]);
      const children = await eventually(
        () => childrenOf(session),
        (all) => all.length === 2,
      );
      const [child] = children;
      for (const [method, path, body] of [
        ['POST', 'archive', {}],
        ['DELETE', '', undefined],
        ['PATCH', '', { title: 'x' }],
      ] as const)
        expect(await call(method, `${sessions}/${child?.child_session_id}${path === '' ? '' : `/${path}`}`, { body })).toMatchObject({
          status: 409,
          body: { code: 'not_supported' },
        });
      const more = await call('POST', `${sessions}/${child?.child_session_id}/turns`, { body: { message: 'more' }, key: freshKey() });
      expect(more).toMatchObject({ status: 409, body: { code: 'not_supported' } });
      await call('POST', `${sessions}/${session}/turns/${turn}/cancel`, { key: freshKey() });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'cancelled' });
      for (const { child_session_id: id, child_turn_id } of children) expect((await settled(id, child_turn_id)).body).toMatchObject({ status: 'cancelled' });
      await call('DELETE', `${sessions}/${session}`);
      expect((await call('GET', `${sessions}/${child?.child_session_id}`)).status).toBe(404);
    });

    test('a definition that names nobody is refused', async () => {
      const definition = { system: 'x', model: 'demo:script', subagents: [{ agentId: 'agent_nobody', name: 'n', description: 'd' }] };
      const answer = await target().call('POST', '/api/v1/agents', {
        body: { agentKey: `sub-${crypto.randomUUID().slice(0, 8)}`, displayName: 'x', definition },
      });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/definition/subagents/0/agentId' }] } });
    });
  });
};

type Tree = EventEnvelope & { readonly path?: string };
const treeOf = (events: readonly StreamEvent[]): readonly Tree[] => events.map(({ data }) => data);
const done = (events: readonly EventEnvelope[], session: string): boolean =>
  events.some(({ type, session_id }) => type === 'session.status_idle' && session_id === session);
