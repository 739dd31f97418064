/** What nearly fits is said to, in words that help. */
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp();
});
afterAll(() => server.close());

const definition = { system: '', model: 'demo:echo' };
const tool = { type: 'builtin', name: 'time' };
const create = (body: object) => server.call('POST', '/api/v1/agents', { agentKey: 'strict', displayName: 'S', definition, ...body });
const withTool = (more: object) => create({ definition: { ...definition, tools: [{ ...tool, ...more }] } });
const faults = (pointer: string, detail: string) => ({ status: 422, body: { code: 'validation_failed', errors: [{ pointer, detail }] } });

describe('an agent', () => {
  test('with a misspelt member is refused, and told which one was meant', async () => {
    const at = '/definition/tools/0';
    expect(await withTool({ permision: 'always_ask' })).toMatchObject(faults(`${at}/permision`, 'unknown member; did you mean permission?'));
    expect(await withTool({ read_only: true })).toMatchObject(faults(`${at}/read_only`, 'unknown member; did you mean readOnly?'));
    expect(await withTool({ colour: 'red' })).toMatchObject(faults(`${at}/colour`, 'unknown member'));
    const mode = { ...definition, permissionmode: 'ask' };
    expect(await create({ definition: mode })).toMatchObject(faults('/definition/permissionmode', 'unknown member; did you mean permissionMode?'));
    expect(await create({ displayname: 'x' })).toMatchObject(faults('/displayname', 'unknown member; did you mean displayName?'));
    const patch = { version: 1, definition: mode };
    expect(await server.call('PATCH', '/api/v1/agents/script/definition', patch)).toMatchObject({ status: 422 });
    const two = await withTool({ permision: 'never', approvr: 'owner', timeoutMs: 1 });
    expect((two.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual([
      `${at}/approvr`,
      `${at}/permision`,
      `${at}/timeoutMs`,
    ]);
  });

  test('names a model that its provider may have; a provider that is off may be switched on later', async () => {
    const withModel = (model: string) => create({ agentKey: `m-${model.replaceAll(':', '-')}`, definition: { ...definition, model } });
    const there = 'there are: demo:welcome, demo:echo, demo:script';
    expect(await withModel('demo:nope')).toMatchObject(faults('/definition/model', `there is no model "demo:nope"; ${there}`));
    for (const model of ['demo:script', 'demo:tokens:5', 'openai:anything']) expect((await withModel(model)).status, model).toBe(201);
    // Until then it is warned of.
    const warned = [{ code: 'model_not_configured', message: expect.stringContaining('openai:later') }];
    expect(await withModel('openai:later')).toMatchObject({ status: 201, body: { warnings: warned } });
    expect((await server.call('GET', '/api/v1/agents/m-openai-later')).body).toMatchObject({ warnings: warned });
    expect((await server.call('GET', '/api/v1/agents/script')).body).not.toHaveProperty('warnings');
  });

  test('has tool servers that are started or reached, not both', async () => {
    const both = { name: 's', command: 'x', url: 'http://127.0.0.1:1' };
    const answer = await create({ definition: { ...definition, mcpServers: [both] } });
    expect(answer).toMatchObject(faults('/definition/mcpServers/0/url', 'either url or command, not both'));
    const neither = await create({ definition: { ...definition, mcpServers: [{ name: 's' }] } });
    expect(neither.status).toBe(422);
  });

  test('asks for answers within a year', async () => {
    expect(await withTool({ expiresSeconds: limits.expirySeconds + 1 })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/definition/tools/0/expiresSeconds' }] },
    });
    expect((await withTool({ expiresSeconds: limits.expirySeconds })).status).toBe(201);
  });
});

describe('texts', () => {
  test('say that a member is missing', async () => {
    const answer = await server.call('POST', '/api/v1/agents', { agentKey: 'none', displayName: 'N' });
    expect(answer).toMatchObject(faults('/definition', 'is missing'));
  });

  test('say which member was meant, where a body that may hold others is refused', async () => {
    const answer = await server.call('POST', '/api/v1/agent-sessions', { agnt: 'script', environmentId: 'tolerated' });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/agnt', detail: 'unknown member; did you mean agent?' }, { pointer: '/target' }] },
    });
  });

  test('point at the member that was given', async () => {
    const agent = await server.call('POST', '/api/v1/agent-sessions', { agent: 'nobody', environmentId: 'tolerated' });
    expect(agent).toMatchObject({ status: 404, body: { pointer: '/agent' } });
    const target = await server.call('POST', '/api/v1/agent-sessions', { target: { type: 'agent', id: 'nobody' } });
    expect(target).toMatchObject({ status: 404, body: { pointer: '/target/id' } });
    const session = await server.newSession();
    const path = `/api/v1/agent-sessions/${session}/turns/turn_x/actions`;
    const answer = await server.call('POST', path, { request_id: 'r', decision: 'perhaps' }, { 'idempotency-key': 'p' });
    expect((answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(['/decision']);
  });

  test('name the methods of a path', async () => {
    const answer = await server.call('PUT', '/api/v1/agent-sessions');
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await server.call('POST', '/api/v1/none')).status).toBe(404);
  });
});

describe('two calls', () => {
  const sessions = '/api/v1/agent-sessions';
  const waiting = async (session: string, turn: string): Promise<string> => {
    const open = async () => Object.keys((await server.call('GET', `${sessions}/${session}/turns/${turn}/actions`)).body['required_actions'] as object);
    await expect.poll(open).toHaveLength(1);
    return (await open())[0] ?? '';
  };

  test('that answer at once: the later one hears who was faster', async () => {
    for (let n = 0; n < 5; n += 1) {
      const session = await server.newSession();
      const turn = await server.submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'ok' }]]);
      const request_id = await waiting(session, turn);
      const answer = (output: string) =>
        server.call('POST', `${sessions}/${session}/turns/${turn}/actions`, { request_id, payload: { output } }, { 'idempotency-key': `race-${n}-${output}` });
      const both = await Promise.all([answer('a'), answer('b')]);
      const lost = both.find(({ status }) => status === 409);
      expect(lost?.body).toMatchObject({ code: 'action_resolved', resolution: 'answered', resolved_by: 'user:user_1' });
    }
  });

  test('with one key for two turns of a session are a conflict', async () => {
    const session = await server.newSession();
    const first = await server.submit(session, [[{ hang: true }]]);
    const second = await server.submit(session, [[{ text: 'x' }]]);
    const cancel = (turn: string) => server.call('POST', `${sessions}/${session}/turns/${turn}/cancel`, {}, { 'idempotency-key': 'one key' });
    expect((await cancel(second)).status).toBe(202);
    expect((await cancel(second)).headers.get('idempotency-replayed')).toBe('true');
    expect(await cancel(first)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    await server.call('DELETE', `${sessions}/${session}`);
  });
});
