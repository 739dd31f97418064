/** What is told over many sessions at once, and of the server itself: to whom, and of whose. */
import { describe, expect, test } from 'vitest';
import { byKey, byToken, type Credential, newApplication, newKey, newPerson, newStaffedApplication, waitingSession } from '../client/people.ts';
import { type Answer, freshKey, sessions, type Target } from '../client/target.ts';

type Group = {
  readonly key: string;
  readonly name: string;
  readonly submitted_by?: string;
  readonly turns: number;
  readonly usage: { readonly model_calls: number };
};

/** Of UTC, as the server's days are. */
const day = (): string => new Date().toISOString().slice(0, 10);
/** Once more, where midnight came in between. */
const inOneDay = async <Value>(act: () => Promise<Value>): Promise<Value> => {
  for (;;) {
    const began = day();
    try {
      return await act();
    } catch (fault) {
      if (day() === began) throw fault;
    }
  }
};

export const describeReports = (target: () => Target): void => {
  const say = JSON.stringify({ steps: [[{ text: 'x' }, { usage: { input: 10, output: 5 } }]] });
  /** A session of this caller with one turn that has ended. */
  const spent = async (by: Credential, title: string): Promise<string> => {
    const { call, agent } = target();
    const made = await call('POST', sessions, { body: { agent, title, initialMessage: { message: say } }, key: freshKey(), ...by });
    expect((await call('GET', `${sessions}/${made.body['id']}/turns/${made.body['turnId']}?wait=30`, by)).body['status']).toBe('completed');
    return String(made.body['id']);
  };
  /** A browser's token for a session of its own. */
  const browser = async (by: Credential): Promise<Credential> => {
    const { call, agent } = target();
    const { body } = await call('POST', sessions, { body: { agent }, ...by });
    return byToken(String((await call('POST', `${sessions}/${body['id']}/client-tokens`, { body: {}, ...by })).body['token']));
  };
  /** A key that reads nothing. */
  const blindKey = async (application: string): Promise<Credential> => byKey(await newKey(target(), application, { scopes: ['invoke'] }));
  const lacksRead = { status: 403, body: { code: 'scope_missing', scope: 'read' } };
  const refused = { status: 403, body: { code: 'forbidden' } };

  describe('usage over a time', () => {
    const span = (): string => `from=${Date.now() - 3_600_000}&to=${Date.now() + 60_000}`;
    const report = (by: Credential, grouping: string): Promise<Answer> => target().call('GET', `/api/v1/usage?${span()}&group_by=${grouping}`, by);
    const groups = async (by: Credential, grouping: string): Promise<readonly Group[]> => (await report(by, grouping)).body['groups'] as readonly Group[];

    test('is summed by day, model, session, target, owner and key, of what the caller may read', async () => {
      const { agent } = target();
      const owner = await newPerson(target(), 'owner');
      const by = byToken(owner.token);
      const before = day();
      const session = await spent(by, 'Spender');
      const days = [before, day()];
      expect((await report(by, 'day')).body).toMatchObject({ turns: 1, complete: true, left_out: 0, total: { model_calls: 1, total_tokens: 15 } });
      const [keyOf, nameOf] = [
        async (grouping: string) => (await groups(by, grouping)).map(({ key }) => key),
        async () => (await groups(by, 'session'))[0]?.name,
      ];
      expect(days).toContain((await keyOf('day')).join());
      expect(await keyOf('model')).toEqual(['demo:script']);
      expect([await keyOf('session'), await nameOf()]).toEqual([[session], 'Spender']);
      expect(await keyOf('target')).toEqual([`agent:${agent}`]);
      expect(await keyOf('owner')).toEqual([`user:${owner.id}`]);
      expect(await groups(by, 'key')).toMatchObject([{ submitted_by: `user:${owner.id}`, turns: 1 }]);
      expect((await report(by, 'session')).body['costliest']).toMatchObject([{ session_id: session }]);
      // Of a stranger nothing, whatever there is.
      expect((await report(byToken((await newPerson(target())).token), 'session')).body).toMatchObject({ turns: 0, groups: [], costliest: [] });
      for (const wrong of ['group_by=mood', 'time_zone=Mars/Crater']) expect((await target().call('GET', `/api/v1/usage?${span()}&${wrong}`)).status).toBe(422);
      expect((await target().call('GET', '/api/v1/usage?from=5&to=5')).status).toBe(422);
    });

    test('belongs to the key that a turn was submitted with, also by the token of a browser', async () => {
      const { call } = target();
      const application = await newApplication(target());
      const [one, two] = [await newKey(target(), application.id, { name: 'one' }), await newKey(target(), application.id, { name: 'two' })];
      const session = await spent(byKey(one), 'By one');
      await spent(byKey(two), 'By two');
      const client = await call('POST', `${sessions}/${session}/client-tokens`, { body: {}, ...byKey(one) });
      const by = byToken(String(client.body['token']));
      const turn = await call('POST', `${sessions}/${session}/turns`, { body: { message: say }, key: freshKey(), ...by });
      await call('GET', `${sessions}/${session}/turns/${turn.body['id']}?wait=30`, byKey(one));
      const whose = `app:${application.id}`;
      for (const reader of [byKey(one), byKey(two)])
        expect((await groups(reader, 'key')).map(({ key, name, submitted_by, turns }) => [key, name, submitted_by, turns])).toEqual([
          [one.id, 'one', whose, 2],
          [two.id, 'two', whose, 1],
        ]);
      const accepted = (await target().history(`${sessions}/${session}/events`)).filter(({ type }) => type === 'turn.accepted').map(({ data }) => data);
      expect(accepted).toMatchObject([
        { submitted_by: whose, credential_id: one.id },
        { submitted_by: `client:${whose}`, credential_id: one.id },
      ]);
    });

    test('is given as a table for other programs, with what the report says', async () => {
      const by = byToken((await newPerson(target())).token);
      await spent(by, '=1+1, "quoted"');
      const query = `/api/v1/usage/csv?${span()}&group_by=session`;
      const read = (path: string) => fetch(`${target().url}${path}`, { headers: { authorization: `Bearer ${by.token}` } });
      const answer = await read(query);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      const [head, row, end] = (await answer.text()).split('\r\n');
      const columns =
        'key,name,turns,model_calls,input_tokens,output_tokens,total_tokens,estimated_cost,currency,cost_complete,unpriced_calls,unreported_calls';
      expect([head, end]).toEqual([columns, '']);
      // No program takes a name for a formula.
      expect(row).toMatch(/^ses_[^,]+,"'=1\+1, ""quoted""",1,1,10,5,15,/);
      expect((await read('/api/v1/usage/csv?from=5&to=5')).status).toBe(422);
    });

    test('is read with the scope for it', async () => {
      const application = await newApplication(target());
      const blind = await blindKey(application.id);
      const client = await browser(byToken((await newPerson(target())).token));
      for (const path of ['/api/v1/usage', '/api/v1/usage/csv']) {
        expect(await target().call('GET', `${path}?${span()}`, blind)).toMatchObject(lacksRead);
        expect(await target().call('GET', `${path}?${span()}`, client)).toMatchObject(refused);
      }
    });
  });

  describe('the overview', () => {
    test('is of the sessions that the caller may read', async () => {
      const { call } = target();
      const now = async (by: Credential) => (await call('GET', '/api/v1/overview', by)).body;
      const { owner, session } = await inOneDay(async () => {
        const owner = byToken((await newPerson(target())).token);
        const { session } = await waitingSession(target(), owner);
        await spent(owner, 'Done');
        await expect.poll(() => now(owner)).toMatchObject({ running: 0, waiting: 1, failed: 0, usage_today: { model_calls: 2 } });
        return { owner, session };
      });
      const none = { running: 0, waiting: 0, failed: 0, running_turns: [], failed_turns: [], usage_today: { model_calls: 0, total_tokens: 0 } };
      const stranger = byToken((await newPerson(target())).token);
      expect(await now(stranger)).toMatchObject(none);
      const application = await newApplication(target());
      expect(await now(byKey(await newKey(target(), application.id)))).toMatchObject(none);
      expect(await call('GET', '/api/v1/overview?owner=all', stranger)).toMatchObject(refused);
      expect(await call('GET', '/api/v1/overview', await blindKey(application.id))).toMatchObject(lacksRead);
      expect(await call('GET', '/api/v1/overview', await browser(owner))).toMatchObject(refused);
      expect((await call('DELETE', `${sessions}/${session}`, owner)).status).toBe(204);
      expect(await now(owner)).toMatchObject({ waiting: 0 });
    });
  });

  describe('answers', () => {
    test('are told to who may read the session: who, what and when; from where to who controls it', async () => {
      const { call, agent } = target();
      const { viewer, operator, stranger, application } = await newStaffedApplication(target());
      const key = byKey(await newKey(target(), application.id, { targets: [{ type: 'agent', id: agent }] }));
      const { session, turn, action } = await waitingSession(target(), key);
      const body = { request_id: action, payload: { output: 'a secret word' } };
      expect((await call('POST', `${sessions}/${session}/turns/${turn}/actions`, { body, key: freshKey(), ...byToken(operator.token) })).status).toBe(202);
      const read = async (by: Credential, query = '') => (await call('GET', `/api/v1/required-actions/answered${query}`, by)).body;
      const told = { session_id: session, turn_id: turn, request_id: action, kind: 'external_execution', tool: 'lookup', outcome: 'answered', remember: false };
      const by = { answered_by: `user:${operator.id}`, answered_by_name: operator.username };
      expect(await read(byToken(operator.token))).toMatchObject({
        data: [{ ...told, ...by, address: expect.any(String), credential_id: expect.any(String) }],
        next_cursor: null,
        has_more: false,
      });
      expect(await read(byToken(viewer.token))).toMatchObject({ data: [{ ...told, ...by, address: null, credential_id: null }] });
      expect(await read(byToken(stranger.token))).toMatchObject({ data: [], has_more: false });
      const newest = await read(byToken(target().token), '?limit=1');
      expect(newest).toMatchObject({ data: [{ ...told, address: expect.any(String) }], has_more: expect.any(Boolean) });
      expect(JSON.stringify(newest)).not.toContain('a secret word');
      for (const other of [key, await browser(byToken(stranger.token))])
        expect(await call('GET', '/api/v1/required-actions/answered', other)).toMatchObject(refused);
      expect((await call('GET', '/api/v1/required-actions/answered?after=x', byToken(viewer.token))).status).toBe(400);
      expect((await call('DELETE', `${sessions}/${session}`, byToken(operator.token))).status).toBe(204);
      expect(await read(byToken(viewer.token))).toMatchObject({ data: [] });
    });
  });

  describe('the list of all webhooks', () => {
    test('has those that one may change, and no others', async () => {
      const { call } = target();
      const owner = byToken((await newPerson(target())).token);
      const session = String((await call('POST', sessions, { body: { agent: target().agent }, ...owner })).body['id']);
      const hook = { url: 'http://127.0.0.1:9/hook', event_types: ['turn.failed'] };
      const made = await call('POST', `${sessions}/${session}/webhooks`, { body: hook, key: freshKey(), ...owner });
      const ids = async (by: Credential) =>
        ((await call('GET', '/api/v1/webhooks', by)).body['items'] as readonly { readonly id: string }[]).map(({ id }) => id);
      expect(await ids(owner)).toEqual([made.body['id']]);
      expect(await ids(byToken(target().token))).toContain(made.body['id']);
      expect(await ids(byToken((await newPerson(target())).token))).toEqual([]);
      const key = byKey(await newKey(target(), (await newApplication(target())).id));
      for (const other of [key, await browser(owner)]) expect(await call('GET', '/api/v1/webhooks', other)).toMatchObject(refused);
      expect(JSON.stringify((await call('GET', '/api/v1/webhooks', owner)).body)).not.toContain('whsec_');
    });
  });

  describe('the server itself', () => {
    test('is told of to admins, and without a secret', async () => {
      const { call } = target();
      const { status, body } = await call('GET', '/api/v1/server');
      expect(status).toBe(200);
      expect(body).toMatchObject({ version: expect.any(String), store: expect.stringMatching(/^(embedded|postgres)$/), ready: true, detail: null });
      expect(Number(body['now'])).toBeGreaterThanOrEqual(Number(body['startedAt']));
      expect((body['providers'] as readonly { readonly name: string; readonly on: boolean }[]).find(({ name }) => name === 'demo')?.on ?? true).toBe(true);
      expect(JSON.stringify(body)).not.toContain(target().token);
    });

    test('tries a model, and says what it said or why it said nothing', async () => {
      const { call } = target();
      const trial = (model: unknown, by: Partial<Credential> = {}) => call('POST', '/api/v1/models/test', { body: { model }, ...by });
      expect(await trial('demo:echo')).toMatchObject({ status: 200, body: { ok: true, text: expect.stringMatching(/./), error: null, status: null } });
      expect(await trial('demo:nothing-like-it')).toMatchObject({ status: 200, body: { ok: false, text: '', error: expect.stringMatching(/./) } });
      for (const wrong of ['', 7]) expect((await trial(wrong)).status).toBe(422);
    });

    test('is nobody else’s: no user’s, no key’s, no browser’s', async () => {
      const { call } = target();
      const person = byToken((await newPerson(target())).token);
      const key = byKey(await newKey(target(), (await newApplication(target())).id));
      for (const by of [person, key, await browser(person)]) {
        expect(await call('GET', '/api/v1/server', by)).toMatchObject(refused);
        expect(await call('POST', '/api/v1/models/test', { body: { model: 'demo:echo' }, ...by })).toMatchObject(refused);
      }
    });
  });
};
