/**
 * Webhooks, received by a real server on this machine: the server that is tested must be allowed to reach it
 * (TURNKEEPER_WEBHOOK_ALLOW_PRIVATE=1).
 */
import { createHmac } from 'node:crypto';
import { verifyWebhook } from '@turnkeeper/client/webhooks/verify-webhook';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byKey, byToken, newApplication, newKey, newPerson } from '../client/people.ts';
import { openReceiver, type Receiver } from '../client/receiver.ts';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

export const describeWebhooks = (target: () => Target): void => {
  describe('webhooks', () => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await openReceiver();
    });
    beforeEach(() => receiver.answers(() => 204));
    afterAll(() => receiver.close());

    const register = (path: string, body: Record<string, unknown> = {}, by: Record<string, unknown> = {}, key = freshKey()) =>
      target().call('POST', `${path}/webhooks`, { body: { url: receiver.url, ...body }, key, ...by });
    const outcome = (session: string) => receiver.got(({ notice }) => notice['session_id'] === session && notice['type'] === 'session.status_idle');

    test('tell every event from now on, in order, each with the address of the event', async () => {
      const { call, newSession, submit, settled, history } = target();
      const session = await newSession();
      const before = (await history(`${sessions}/${session}/events`)).length;
      const made = await register(`${sessions}/${session}`);
      expect(made).toMatchObject({ status: 201, body: { url: receiver.url, event_types: [], status: 'active', session_id: session, turn_id: null } });
      await settled(session, await submit(session, [[{ text: 'hi' }]]));
      await outcome(session);
      const told = receiver.received.filter(({ notice }) => notice['session_id'] === session);
      const events = (await history(`${sessions}/${session}/events`)).slice(before);
      expect(told.map(({ notice }) => [notice['id'], notice['type'], notice['cursor'], notice['created_at'], notice['turn_id']])).toEqual(
        events.map(({ id, type, cursor, created_at, turn_id }) => [id, type, cursor, created_at, turn_id]),
      );
      const url = new URL(String(told[0]?.notice['event_url']));
      expect(await call('GET', url.pathname)).toMatchObject({ status: 200, body: { id: told[0]?.notice['id'] } });
      // A notice has no content.
      expect(told.every(({ body }) => !body.includes('"data"'))).toBe(true);
    });

    test('are signed in both ways, and nobody else’s request is', async () => {
      const { newSession, submit, settled } = target();
      const session = await newSession();
      const { body } = await register(`${sessions}/${session}`, { event_types: ['turn.completed'] });
      const secret = String(body['signing_secret']);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
      await settled(session, await submit(session, [[{ text: 'hi' }]]));
      const [one] = await receiver.got(({ notice }) => notice['session_id'] === session);
      if (!one) throw new Error('nothing came');
      expect(await verifyWebhook({ secret, headers: one.headers, body: one.body, nowMs: Date.now() })).toEqual(one.notice);
      expect(await verifyWebhook({ secret: 'whsec_other', headers: one.headers, body: one.body, nowMs: Date.now() })).toBeUndefined();
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = `${one.headers['webhook-id']}.${one.headers['webhook-timestamp']}.${one.body}`;
      expect(one.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    });

    test('show their secret once, answer a repeat again, and refuse another content under the same key', async () => {
      const { call, newSession } = target();
      const path = `${sessions}/${await newSession()}`;
      const key = freshKey();
      const [first, again] = [await register(path, {}, {}, key), await register(path, {}, {}, key)];
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await register(path, { event_types: ['turn.failed'] }, {}, key)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      expect(await call('POST', `${path}/webhooks`, { body: { url: receiver.url } })).toMatchObject({
        status: 400,
        body: { code: 'idempotency_key_required' },
      });
      const listed = await call('GET', `${path}/webhooks`);
      expect(listed.body).toMatchObject({ items: [{ id: first.body['id'] }] });
      expect(JSON.stringify(listed.body)).not.toContain('whsec_');
      expect((await call('GET', `${path}/webhooks/${first.body['id']}`)).body).not.toHaveProperty('signing_secret');
    });

    test('go to whole https addresses only, and to no metadata service', async () => {
      const { newSession } = target();
      const path = `${sessions}/${await newSession()}`;
      for (const url of ['ftp://example.com/', 'example.com/hook', 'https://user:secret@example.com/', 'http://169.254.169.254/latest/']) {
        expect(await register(path, { url }), url).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/url' }] } });
      }
      expect((await register(path, { event_types: ['Turn Completed'] })).status).toBe(422);
    });

    test('of a turn tell of that turn, with cursors of its stream', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const first = await submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'one' }]]);
      const second = await submit(session, [[{ text: 'two' }]]);
      await register(`${sessions}/${session}/turns/${second}`);
      await call('POST', `${sessions}/${session}/turns/${first}/cancel`, { key: freshKey() });
      await settled(session, second);
      const [last] = await receiver.got(({ notice }) => notice['turn_id'] === second && notice['type'] === 'turn.completed');
      expect(receiver.received.filter(({ notice }) => notice['session_id'] === session && notice['turn_id'] !== second)).toEqual([]);
      expect(await call('GET', `${sessions}/${session}/turns/${second}/events?after=${last?.notice['cursor']}`)).toMatchObject({ status: 200 });
      expect((await call('GET', `${sessions}/${session}/events?after=${last?.notice['cursor']}`)).status).toBe(400);
    });

    test('of an application tell of all its sessions, and of no others', async () => {
      const { call, agent, newSession, submit, settled } = target();
      const application = await newApplication(target());
      const key = byKey(await newKey(target(), application.id));
      const early = String((await call('POST', sessions, { body: { agent }, ...key })).body['id']);
      const made = await register(`/api/v1/applications/${application.id}`, { event_types: ['turn.completed'] }, key);
      expect(made).toMatchObject({ status: 201, body: { application_id: application.id, session_id: null } });
      const late = String((await call('POST', sessions, { body: { agent }, ...key })).body['id']);
      const message = JSON.stringify({ steps: [[{ text: 'hi' }]] });
      for (const session of [early, late]) await call('POST', `${sessions}/${session}/turns`, { body: { message }, key: freshKey(), ...key });
      const strange = await newSession();
      await settled(strange, await submit(strange, [[{ text: 'hi' }]]));
      for (const session of [early, late]) await receiver.got(({ notice }) => notice['session_id'] === session);
      expect(receiver.received.filter(({ notice }) => notice['session_id'] === strange)).toEqual([]);
      const other = byKey(await newKey(target(), (await newApplication(target())).id));
      expect((await call('GET', `/api/v1/applications/${application.id}/webhooks`, { ...other })).status).toBe(404);
      expect((await call('GET', `/api/v1/applications/${application.id}/webhooks`)).body).toMatchObject({ items: [{ id: made.body['id'] }] });
    });

    test('are tried again when they are not taken, redirects included, and say so', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const { body } = await register(`${sessions}/${session}`, { event_types: ['turn.completed'] });
      const path = `${sessions}/${session}/webhooks/${body['id']}`;
      let refusals = 0;
      // What earlier tests are still told is taken at once.
      receiver.answers(({ notice }) => {
        refusals += notice['session_id'] === session ? 1 : 0;
        return notice['session_id'] === session && refusals === 1 ? 302 : 204;
      });
      await settled(session, await submit(session, [[{ text: 'hi' }]]));
      await receiver.got(({ notice }) => notice['session_id'] === session, 2);
      const { body: listed } = await eventually(
        () => call('GET', `${path}/deliveries`),
        (answer) => JSON.stringify(answer.body).includes('"delivered"'),
      );
      expect(listed).toMatchObject({ items: [{ event_type: 'turn.completed', status: 'delivered', attempts: 2, response_status: 204, error: null }] });
      expect(await call('GET', path)).toMatchObject({ body: { status: 'active', failures: 0, last_error: null } });
      expect(await call('POST', `${path}/retry`)).toMatchObject({ status: 200, body: { id: body['id'], status: 'active' } });
    });

    test('send what was sent once more, by its own id, and to nobody who may not change them', async () => {
      const { call, agent } = target();
      const application = await newApplication(target());
      const full = byKey(await newKey(target(), application.id));
      const narrow = byKey(await newKey(target(), application.id, { scopes: ['invoke', 'read', 'interact', 'cancel'] }));
      const session = String((await call('POST', sessions, { body: { agent }, ...full })).body['id']);
      const { body } = await register(`${sessions}/${session}`, { event_types: ['turn.completed'] }, full);
      const hook = `${sessions}/${session}/webhooks/${body['id']}`;
      const message = JSON.stringify({ steps: [[{ text: 'hi' }]] });
      await call('POST', `${sessions}/${session}/turns`, { body: { message }, key: freshKey(), ...full });
      const [one] = await receiver.got(({ notice }) => notice['session_id'] === session);
      const { body: listed } = await eventually(
        () => call('GET', `${hook}/deliveries`, full),
        (answer) => JSON.stringify(answer.body).includes('"delivered"'),
      );
      const delivery = (listed['items'] as { readonly id: string }[])[0]?.id;
      const again = `${hook}/deliveries/${delivery}/redeliver`;
      expect(await call('POST', again, full)).toMatchObject({ status: 200, body: { delivered: true, response_status: 204, error: null } });
      const sent = receiver.received.filter(({ notice }) => notice['session_id'] === session);
      expect(sent.map(({ notice }) => notice)).toEqual([one?.notice, one?.notice]);
      receiver.answers(() => 500);
      expect(await call('POST', again, full)).toMatchObject({ status: 200, body: { delivered: false, response_status: 500 } });
      // What is owed is as it was: the delivery was taken, and is not tried again.
      expect((await call('GET', `${hook}/deliveries`, full)).body).toEqual(listed);
      const details = (await call('GET', `${hook}/deliveries/${delivery}`, full)).body['sendings'] as readonly Record<string, unknown>[];
      expect(details).toMatchObject([
        { again: false, response_status: 204, error: null },
        { again: true, response_status: 204, error: null },
        { again: true, response_status: 500, error: 'answered 500.' },
      ]);
      // As it went out: whoever has the secret can verify it.
      const [{ headers, body: text }] = details.map(({ request }) => request) as [{ headers: Record<string, string>; body: string }];
      expect(JSON.parse(text)).toEqual(one?.notice);
      await expect(
        verifyWebhook({ body: text, headers: new Headers(headers), secret: String(body['signing_secret']), nowMs: Date.now() }),
      ).resolves.toBeDefined();
      expect(await call('GET', `${hook}/deliveries/${delivery}`, narrow)).toMatchObject({
        status: 403,
        body: { code: 'scope_missing', scope: 'webhooks:write' },
      });
      expect(await call('POST', again, narrow)).toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'webhooks:write' } });
      const stranger = byToken((await newPerson(target())).token);
      const foreign = byKey(await newKey(target(), (await newApplication(target())).id));
      for (const by of [stranger, foreign]) expect(await call('POST', again, by)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      const other = await register(`${sessions}/${session}`, {}, full);
      for (const path of [`${hook}/deliveries/none/redeliver`, `${sessions}/${session}/webhooks/${other.body['id']}/deliveries/${delivery}/redeliver`])
        expect((await call('POST', path, full)).status, path).toBe(404);
    });

    test('can be tested, and given a new secret while the old one goes on for a while', async () => {
      const { call, newSession } = target();
      const path = `${sessions}/${await newSession()}`;
      const { body } = await register(path);
      const hook = `${path}/webhooks/${body['id']}`;
      const rotated = await call('POST', `${hook}/rotate-secret`);
      expect(rotated.body).toMatchObject({ id: body['id'], signing_secret: expect.stringMatching(/^whsec_/), previous_secret_until: expect.any(Number) });
      expect(await call('POST', `${hook}/test`)).toMatchObject({ status: 200, body: { delivered: true, response_status: 204, error: null } });
      const one = receiver.received.findLast(({ notice }) => notice['type'] === 'webhook.test');
      if (!one) throw new Error('nothing came');
      for (const secret of [body['signing_secret'], rotated.body['signing_secret']]) {
        expect(await verifyWebhook({ secret: String(secret), headers: one.headers, body: one.body, nowMs: Date.now() })).toBeDefined();
      }
      receiver.answers(() => 500);
      expect(await call('POST', `${hook}/test`)).toMatchObject({ body: { delivered: false, response_status: 500 } });
    });

    test('end when they, or their session, are deleted', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const { body } = await register(`${sessions}/${session}`, { event_types: ['turn.completed'] });
      const hook = `${sessions}/${session}/webhooks/${body['id']}`;
      expect((await call('DELETE', hook)).status).toBe(204);
      for (const [method, path] of [
        ['GET', hook],
        ['DELETE', hook],
        ['POST', `${hook}/retry`],
        ['POST', `${hook}/test`],
        ['POST', `${hook}/rotate-secret`],
        ['GET', `${hook}/deliveries`],
      ] as const)
        expect((await call(method, path)).status, path).toBe(404);
      await settled(session, await submit(session, [[{ text: 'hi' }]]));
      const other = await newSession();
      await register(`${sessions}/${other}`, { event_types: ['turn.completed'] });
      await settled(other, await submit(other, [[{ text: 'hi' }]]));
      await receiver.got(({ notice }) => notice['session_id'] === other);
      expect(receiver.received.filter(({ notice }) => notice['session_id'] === session)).toEqual([]);
    });

    test('are for those who control the session: by a key with the scope for it', async () => {
      const { call, agent } = target();
      const application = await newApplication(target());
      const full = byKey(await newKey(target(), application.id));
      const session = String((await call('POST', sessions, { body: { agent }, ...full })).body['id']);
      const narrow = byKey(await newKey(target(), application.id, { scopes: ['invoke', 'read', 'interact', 'cancel'] }));
      for (const path of [`${sessions}/${session}`, `/api/v1/applications/${application.id}`]) {
        expect(await register(path, {}, narrow), path).toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'webhooks:write' } });
        expect((await call('GET', `${path}/webhooks`, { ...narrow })).status, path).toBe(403);
        expect((await register(path, {}, full)).status, path).toBe(201);
      }
      const stranger = await newPerson(target());
      expect((await register(`${sessions}/${session}`, {}, byToken(stranger.token))).status).toBe(404);
      expect((await register(`/api/v1/applications/${application.id}`, {}, byToken(stranger.token))).status).toBe(404);
    });
  });

  describe('an export', () => {
    const read = async (path: string): Promise<string> => {
      const { url, token } = target();
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
      return answer.text();
    };

    test('has every public event once, one a line', async () => {
      const { newSession, submit, settled, history } = target();
      const session = await newSession();
      await settled(
        session,
        await submit(session, [[{ text: 'Grüße 👩‍👩‍👧' }, { tool: { name: 'calculator', input: { expression: '1+1' } } }], [{ text: 'done' }]]),
      );
      const lines = (await read(`${sessions}/${session}/export`)).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await history(`${sessions}/${session}/events`));
    });

    test('is brought back by admins only, whole, and where it is not yet', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      await settled(session, await submit(session, [[{ text: 'hi' }]]));
      const archive = await read(`${sessions}/${session}/export?format=archive`);
      const bring = (body: string, token?: string) =>
        call('POST', `${sessions}/import`, { body, headers: { 'content-type': 'application/x-ndjson' }, ...(token === undefined ? {} : { token }) });
      expect(await bring(archive)).toMatchObject({ status: 409, body: { code: 'already_exists' } });
      expect(await bring(archive.split('\n').slice(0, -2).join('\n'))).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(await bring(archive, (await newPerson(target())).token)).toMatchObject({ status: 403 });
    });
  });
};
