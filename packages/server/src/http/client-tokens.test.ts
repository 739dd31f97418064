/** CT1 to CT3, CB1: what a token for a browser opens, what it does not, and when it ends. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type Answer, type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import { readStream } from '../testing/http/read-stream.ts';

const sessions = '/api/v1/agent-sessions';
const clock = createMovedClock(1_800_000_000_000);
let server: OpenHttp;
let session: string;
beforeEach(async () => {
  server = await openHttp({ clock });
  session = await server.newSession();
});
afterEach(() => server.close());

const by = (token: string) => ({ authorization: `Bearer ${token}` });
const make = async (body: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('POST', `${sessions}/${session}/client-tokens`, body, headers);
const made = async (body: object = {}, headers: Record<string, string> = {}): Promise<string> => String((await make(body, headers)).body['token']);
const keyed = (token: string, key: string = crypto.randomUUID()) => ({ ...by(token), 'idempotency-key': key });
const script = (...steps: readonly unknown[]) => ({ message: JSON.stringify({ steps }) });

const application = async (scopes: readonly string[] = ['invoke', 'read', 'interact', 'cancel'], expiresAt?: number) => {
  const { body } = await server.call('POST', '/api/v1/applications', { name: 'App' });
  const { id } = body['application'] as { id: string };
  const wanted = { name: 'key', scopes, targets: [{ type: 'agent', id: '*' }], ...(expiresAt === undefined ? {} : { expiresAt }) };
  const key = (await server.call('POST', `/api/v1/applications/${id}/credentials`, wanted)).body;
  return { id, credential: (key['credential'] as { id: string }).id, headers: by(String(key['apiKey'])) };
};

describe('a token for a browser', () => {
  test('is made for one session, and says what it is', async () => {
    const { status, body } = await make();
    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.stringMatching(/^tkc_/),
      session_id: session,
      scopes: ['read', 'invoke', 'interact'],
      expires_at: clock.now() + 900_000,
    });
    const me = await server.call('GET', '/api/auth/me', undefined, by(String(body['token'])));
    expect(me.body).toEqual({ client: { id: expect.any(String), sessionId: session, scopes: ['read', 'invoke', 'interact'] } });
    for (const wrong of [{ expiresInSeconds: 59 }, { expiresInSeconds: 86_401 }, { scopes: [] }, { scopes: ['webhooks:write'] }])
      expect((await make(wrong)).status, JSON.stringify(wrong)).toBe(422);
  });

  test('CT1: opens its session, and nothing else', async () => {
    const token = await made();
    const turn = await server.call('POST', `${sessions}/${session}/turns`, script([{ text: 'hi' }]), keyed(token));
    expect(turn.status).toBe(202);
    for (const path of ['', '/turns', '/events', '/snapshot', '/required-actions', `/turns/${turn.body['id']}?wait=10`])
      expect((await server.call('GET', `${sessions}/${session}${path}`, undefined, by(token))).status, path).toBe(200);
    const other = await server.newSession();
    const stranger = ({ request_id: _id, ...rest }: Record<string, unknown>) => rest;
    for (const tail of ['', '/turns', '/events', '/snapshot', '/schedules']) {
      const [theirs, none] = await Promise.all([other, 'ses_none'].map((id) => server.call('GET', `${sessions}/${id}${tail}`, undefined, by(token))));
      expect([theirs?.status, stranger(theirs?.body ?? {})], tail).toEqual([404, stranger(none?.body ?? {})]);
    }
    for (const path of ['/agent-sessions', '/agents', '/tokens', '/users', '/spaces', '/applications', '/secrets', '/audit', '/required-actions', '/models'])
      expect((await server.call('GET', `/api/v1${path}`, undefined, by(token))).status, path).toBe(403);
    expect((await server.call('POST', sessions, { agent: 'script' }, by(token))).status).toBe(403);
    expect((await server.call('POST', '/api/v1/tokens', { name: 'x' }, by(token))).status).toBe(403);
  });

  test('CT2: makes nothing that outlives it, and changes nothing of the session itself', async () => {
    const token = await made({ scopes: ['read', 'invoke', 'interact', 'cancel'] });
    const refused: readonly (readonly [string, string, object?])[] = [
      ['POST', '/client-tokens', {}],
      ['POST', '/schedules', { cron: '* * * * *', message: 'x' }],
      ['POST', '/webhooks', { url: 'https://example.com/' }],
      ['GET', '/webhooks'],
      ['POST', '/fork', { checkpoint_id: 'ckpt_1' }],
      ['PUT', '/budget', { max_model_calls: 1 }],
      ['PATCH', '', { title: 'x' }],
      ['POST', '/archive'],
      ['DELETE', ''],
    ];
    for (const [method, tail, body] of refused) {
      const answer = await server.call(method, `${sessions}/${session}${tail}`, body, keyed(token));
      if (tail === '/fork') expect([403, 404], tail).toContain(answer.status);
      else expect([tail, answer.status, answer.body['code']]).toEqual([tail, 403, 'forbidden']);
    }
  });

  test('CB1: has the scopes that it was given, of those that its issuer has', async () => {
    const token = await made({ scopes: ['read'] });
    const submit = await server.call('POST', `${sessions}/${session}/turns`, { message: 'x' }, keyed(token));
    expect(submit).toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'invoke' } });
    const narrow = await application(['invoke', 'read']);
    session = String((await server.call('POST', sessions, { agent: 'script' }, narrow.headers)).body['id']);
    expect(await make({}, narrow.headers)).toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'interact' } });
    expect((await make({ scopes: ['read', 'invoke'] }, narrow.headers)).status).toBe(201);
    expect((await make({}, by(server.otherToken))).status).toBe(404);
  });

  test('confirms and approves nothing; what the application is asked it answers', async () => {
    const definition = {
      system: 'You play scripts.',
      model: 'demo:script',
      tools: [
        { type: 'function', name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' }, permission: 'always_allow' },
        { type: 'function', name: 'launch', description: 'Launches.', inputSchema: { type: 'object' }, permission: 'always_ask' },
      ],
    };
    await server.call('POST', '/api/v1/agents', { agentKey: 'asks', displayName: 'Asks', definition });
    session = String((await server.call('POST', sessions, { agent: 'asks' })).body['id']);
    const token = await made();
    const ask = async (name: string, payload: object): Promise<Answer> => {
      const turn = await server.call('POST', `${sessions}/${session}/turns`, script([{ tool: { name } }], [{ text: 'done' }]), keyed(token));
      const path = `${sessions}/${session}/turns/${turn.body['id']}/actions`;
      for (;;) {
        const open = (await server.call('GET', path, undefined, by(token))).body['required_actions'] as Record<string, { version: number }>;
        const [request_id] = Object.keys(open);
        if (request_id !== undefined) return server.call('POST', path, { request_id, version: open[request_id]?.version, payload }, keyed(token));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    expect(await ask('lookup', { status: 'completed', output: 'found' })).toMatchObject({ status: 202 });
    expect(await ask('launch', { decision: 'confirm' })).toMatchObject({ status: 403, body: { code: 'approver_required' } });
  });

  test('a browser whose token was renewed is answered as before by the same key', async () => {
    const [first, second] = [await made(), await made()];
    const answers = [];
    for (const token of [first, second]) answers.push(await server.call('POST', `${sessions}/${session}/turns`, { message: 'once' }, keyed(token, 'one')));
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('CT3: it ends', () => {
  const reads = async (token: string): Promise<number> => (await server.call('GET', `${sessions}/${session}`, undefined, by(token))).status;
  const open = async (token: string) => {
    const stream = readStream({ port: server.port, path: `${sessions}/${session}/events/stream`, token });
    await stream.until((frames) => frames.length > 0);
    return stream;
  };

  test('when its time is over, and so do its streams', async () => {
    // Not with a heartbeat: with the second.
    const token = await made({ expiresInSeconds: 67 });
    const stream = await open(token);
    clock.move(66_000);
    expect(await reads(token)).toBe(200);
    clock.move(1_000);
    await stream.ended;
    expect(await reads(token)).toBe(401);
  });

  test('with the token or key that made it, at once, and so do its streams', async () => {
    const own = (await server.call('POST', '/api/v1/tokens', { name: 'mine' })).body;
    const token = await made({}, by(String(own['token'])));
    const other = await made();
    const stream = await open(token);
    expect((await server.call('DELETE', `/api/v1/tokens/${(own['personalToken'] as { id: string }).id}`)).status).toBe(204);
    await stream.ended;
    expect([await reads(token), await reads(other)]).toEqual([401, 200]);

    const app = await application();
    session = String((await server.call('POST', sessions, { agent: 'script' }, app.headers)).body['id']);
    const client = await made({}, app.headers);
    const second = await open(client);
    expect(await reads(client)).toBe(200);
    await server.call('DELETE', `/api/v1/applications/${app.id}/credentials/${app.credential}`);
    await second.ended;
    expect(await reads(client)).toBe(401);
  });

  test('no later than they do, and with the session', async () => {
    const soon = await application(undefined, clock.now() + 120_000);
    const mine = session;
    session = String((await server.call('POST', sessions, { agent: 'script' }, soon.headers)).body['id']);
    expect((await make({}, soon.headers)).body['expires_at']).toBe(clock.now() + 120_000);
    session = mine;
    const token = await made();
    expect((await server.call('DELETE', `${sessions}/${session}`)).status).toBe(204);
    expect([401, 404]).toContain(await reads(token));
    clock.move(10_000);
    expect(await reads(token)).toBe(401);
  });
});
