/** The document is valid, complete, and true: real answers match its schemas. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { commandReceipt, requiredActions, requiredActionsPage } from '@turnkeeper/core/protocol/wire/actions';
import { agentAnswer, agentResource, agentVersionResource, modelsAnswer } from '@turnkeeper/core/protocol/wire/agents';
import { budgetResource } from '@turnkeeper/core/protocol/wire/budget';
import { envelopeSchema, eventPage, resourcesPage, sessionSnapshot, turnSnapshot, usageAnswer } from '@turnkeeper/core/protocol/wire/events';
import {
  applicationAnswer,
  applicationResource,
  auditPage,
  createdCredential,
  createdToken,
  credentialResource,
  meAnswer,
  problem,
  secretResource,
  signInAnswer,
  spaceAnswer,
  spaceMemberResource,
  spaceResource,
  tokenResource,
  userAnswer,
  userResource,
} from '@turnkeeper/core/protocol/wire/identity';
import {
  createdSession,
  pageOf,
  sessionCapabilities,
  sessionResource,
  turnCapabilities,
  turnReceipt,
  turnResource,
} from '@turnkeeper/core/protocol/wire/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type OpenHttp, openHttp } from '../../testing/http/open-http.ts';

type Operation = {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
};
type Document = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
};

let server: OpenHttp;
let document: Document;
beforeAll(async () => {
  server = await openHttp({ publicUrl: 'https://turnkeeper.example' });
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
});
afterAll(() => server.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })));

describe('the document', () => {
  test('is OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  test('has no reference that leads nowhere, and no component that nobody uses', () => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    expect(references).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(text.match(/"\$ref":"(?!#\/components\/schemas\/\w+")/g)).toBeNull();
  });

  test('says of every operation what it is, who may call it, and how it refuses', () => {
    expect(operations().length).toBeGreaterThan(35);
    const door = 'post /api/v1/minitools/{minitoolId}/webhooks/{hookId}';
    const open = new Set(['get /healthz', 'get /readyz', 'post /api/auth/link', 'post /api/auth/login', door]);
    for (const { name, operation } of operations()) {
      expect([name, Boolean(operation.summary), operation.tags?.length]).toEqual([name, true, 1]);
      expect([name, operation.security ?? 'as the document says']).toEqual([name, open.has(name) ? [] : 'as the document says']);
      expect([name, 'default' in operation.responses, '401' in operation.responses]).toEqual([name, true, !open.has(name)]);
    }
  });

  test('names the headers that calls take', () => {
    const header = (name: string) =>
      operations()
        .filter(({ operation }) => operation.parameters?.some((parameter) => parameter.in === 'header' && parameter.name === name && parameter.required))
        .map((entry) => entry.name.replace('/api/v1/agent-sessions/{sessionId}', '{S}'));
    expect(header('Idempotency-Key').toSorted()).toEqual([
      'delete {S}/queue/{turnId}',
      'post /api/v1/applications/{applicationId}/webhooks',
      'post {S}/artifacts',
      'post {S}/checkpoints/restore',
      'post {S}/files',
      'post {S}/fork',
      'post {S}/inputs/inject',
      'post {S}/schedules',
      'post {S}/schedules/{scheduleId}/run',
      'post {S}/turns',
      'post {S}/turns/{turnId}/actions',
      'post {S}/turns/{turnId}/cancel',
      'post {S}/turns/{turnId}/inputs',
      'post {S}/turns/{turnId}/pause',
      'post {S}/turns/{turnId}/rerun',
      'post {S}/turns/{turnId}/resume',
      'post {S}/turns/{turnId}/steer',
      'post {S}/turns/{turnId}/webhooks',
      'post {S}/webhooks',
    ]);
  });
});

describe('answers', () => {
  const strict = (schema: z.ZodType, body: unknown): void => {
    const result = schema.safeParse(body);
    expect(result.error?.issues ?? []).toEqual([]);
    // What the schema does not name would be lost here.
    expect(result.data).toEqual(body);
  };

  test('match their schemas, and say nothing that these do not', async () => {
    const api = '/api/v1/agent-sessions';
    const created = await server.call(
      'POST',
      api,
      { agent: 'script', title: 'T', metadata: { a: [1] }, initialMessage: { message: '{"script":[{"text":"hi"}]}' } },
      { 'idempotency-key': 'c' },
    );
    strict(createdSession, created.body);
    const session = String(created.body['id']);
    await server.settled(session, String(created.body['turnId']));
    const receipt = await server.call(
      'POST',
      `${api}/${session}/turns`,
      { message: '{"steps":[[{"tool":{"name":"lookup","input":{"q":1}}}],[{"text":"ok"}]]}' },
      { 'idempotency-key': 's' },
    );
    strict(turnReceipt, receipt.body);
    const path = `${api}/${session}/turns/${String(receipt.body['id'])}`;
    const open = async () => Object.keys((await server.call('GET', `${path}/actions`)).body['required_actions'] as object);
    await expect.poll(open).toHaveLength(1);
    const actions = await server.call('GET', `${path}/actions`);
    strict(requiredActions, actions.body);
    const get = async (tail: string, schema: z.ZodType) => strict(schema, (await server.call('GET', tail)).body);
    await get(`${path}/snapshot`, turnSnapshot);
    await get(`${path}/capabilities`, turnCapabilities);
    const [request_id] = Object.keys(actions.body['required_actions'] as object);
    const answered = await server.call('POST', `${path}/actions`, { request_id, payload: { output: 'found' } }, { 'idempotency-key': 'a' });
    strict(commandReceipt, answered.body);
    await server.settled(session, String(receipt.body['id']));
    await get(`${path}`, turnResource);
    await get(`${path}/usage`, usageAnswer);
    await get(String(answered.body['status_url']), commandReceipt.pick({ command: true }));
    await get(`${api}/${session}`, sessionResource);
    await get(api, pageOf(sessionResource));
    await get(`${api}/${session}/turns`, pageOf(turnResource));
    await get(`${api}/${session}/snapshot?limit=1`, sessionSnapshot);
    await get(`${api}/${session}/capabilities`, sessionCapabilities);
    await get(`${api}/${session}/usage?include_children=true`, usageAnswer);
    await get(`${api}/${session}/budget`, budgetResource);
    const limits = { max_model_calls: 9, max_total_tokens: 9, max_cost: 1, currency: 'EUR', max_tokens_per_turn: 9 };
    strict(budgetResource, (await server.call('PUT', `${api}/${session}/budget`, limits)).body);
    for (const list of ['items', 'tools', 'turns', 'runs', 'required_actions', 'action_commands'])
      await get(`${api}/${session}/resources/${list}`, resourcesPage);
    const events = await server.call('GET', `${api}/${session}/events?limit=1000`);
    strict(eventPage, events.body);
    await get(`${api}/${session}/events/${(events.body['data'] as { id: string }[])[3]?.id}`, envelopeSchema);
    await get('/api/v1/agents', pageOf(agentResource));
    await get('/api/v1/agents/script', agentAnswer);
    await get('/api/v1/agents/script/versions', pageOf(agentVersionResource));
    await get('/api/v1/agents/script/versions/1', agentVersionResource);
    await get('/api/v1/models', modelsAnswer);
    await get('/api/auth/me', meAnswer);
    await get('/api/v1/required-actions', requiredActionsPage);
    await get('/api/v1/none', problem);
  });

  test('of administration match their schemas, too', async () => {
    const api = '/api/v1';
    const said = async (schema: z.ZodType, method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const answer = await server.call(method, path, body, headers);
      expect([path, answer.status < 300]).toEqual([path, true]);
      strict(schema, answer.body);
      return answer.body;
    };
    const created = await said(userAnswer, 'POST', `${api}/users`, { username: 'mei', password: 'a long pass phrase' });
    const { id: user } = created['user'] as { id: string };
    await said(signInAnswer, 'POST', '/api/auth/login', { username: 'mei', password: 'a long pass phrase' }, { authorization: '' });
    await said(userAnswer, 'PATCH', `${api}/users/${user}`, { status: 'active' });
    await said(pageOf(userResource), 'GET', `${api}/users`);
    await said(createdToken, 'POST', `${api}/tokens`, { name: 't', expiresAt: Date.now() + 60_000 });
    await said(pageOf(tokenResource), 'GET', `${api}/tokens`);
    await said(spaceAnswer, 'POST', `${api}/spaces`, { id: 'team' });
    await said(spaceMemberResource, 'PUT', `${api}/spaces/team/members/${user}`, {});
    await said(pageOf(spaceMemberResource), 'GET', `${api}/spaces/team/members`);
    await said(spaceAnswer, 'PATCH', `${api}/spaces/team`, { name: 'Team' });
    await said(pageOf(spaceResource), 'GET', `${api}/spaces`);
    const made = await said(applicationAnswer, 'POST', `${api}/applications`, { name: 'A', tokenBudget: 5 });
    const path = `${api}/applications/${(made['application'] as { id: string }).id}`;
    await said(applicationAnswer, 'GET', path);
    await said(pageOf(applicationResource), 'GET', `${api}/applications`);
    const key = await said(createdCredential, 'POST', `${path}/credentials`, { name: 'k', scopes: ['read'], targets: [{ type: 'agent', id: 'script' }] });
    await said(createdCredential, 'POST', `${path}/credentials/${(key['credential'] as { id: string }).id}/rotate`, {});
    await said(pageOf(credentialResource), 'GET', `${path}/credentials`);
    await said(meAnswer, 'GET', '/api/auth/me', undefined, { authorization: '', 'x-api-key': String(key['apiKey']) });
    await said(secretResource, 'PUT', `${api}/secrets/KEY`, { value: 'v' });
    await said(pageOf(secretResource), 'GET', `${api}/secrets`);
    await said(auditPage, 'GET', `${api}/audit?limit=3`);
  });
});
