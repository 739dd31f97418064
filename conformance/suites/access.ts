/**
 * The attack by ids, scopes and dead credentials, on every route of the document: what is not yours is not there.
 *
 * The routes are read from the server's own document: a new one is attacked without a change here, or, where it needs
 * a body or an id that this suite does not know, fails the first test, which sees each route answer its owner.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { furnishedSession, newLeader } from '../client/furnished-session.ts';
import { byKey, byToken, type Credential, newApplication, newKey, newPerson, waitingSession } from '../client/people.ts';
import { bodyOf, fill, headersOf, type Ids, isForPeople, type Route, routesOf, scopeOf } from '../client/routes.ts';
import { type Answer, freshKey, inTime, sessions, type Target } from '../client/target.ts';

/** Random ids of the same shape. */
const nothing = '0190a000-0000-7000-8000-000000000000';
const unknown: Ids = {
  session: `ses_${nothing}`,
  turn: `turn_${nothing}`,
  action: 'act_none_1',
  event: 'evt_1',
  command: `cmd_${nothing}`,
  child: `ses_${nothing}`,
  childTurn: `turn_${nothing}`,
  childEvent: 'evt_1',
  checkpoint: 'ckpt_1',
  file: `file_${nothing}`,
  artifact: `art_${nothing}`,
  webhook: `wh_${nothing}`,
  turnWebhook: `wh_${nothing}`,
  schedule: `sch_${nothing}`,
  modelCall: 'call_none_1',
};

/** Keys of such an application may be granted the furnished session's agent. */
const anyAgent = { targets: [{ type: 'agent', id: '*' }] };

export const describeAccess = (target: () => Target): void => {
  let leader = '';
  beforeAll(async () => {
    leader = await newLeader(target());
  });
  const furnished = (by: Credential): Promise<Ids> => furnishedSession(target(), by, leader);
  const ask = (route: Route, ids: Ids, by: Credential): Promise<Answer> => {
    const body = bodyOf(route, ids);
    const headers = { ...headersOf(route), ...by.headers };
    return target().call(route.method, fill(route.template, ids), { ...(body === undefined ? {} : { body }), key: freshKey(), ...by, headers });
  };
  const bare = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: '', instance: '' } });
  const sessionRoutes = (): readonly Route[] => routesOf(target()).filter(({ template }) => template.includes('{sessionId}'));
  /** What a session has, as its owner reads it. */
  const inventory = (mine: Ids, by: Credential) =>
    Promise.all(
      ['', '/snapshot', '/queue', '/budget', '/files', '/artifacts', '/webhooks', '/schedules', '/checkpoints', `/subagents/${mine.child}/snapshot`].map(
        async (tail) => bare(await target().call('GET', `${sessions}/${mine.session}${tail}`, by)),
      ),
    );
  const listedBy = async (by: Credential) => [
    (await target().call('GET', sessions, by)).body['items'],
    (await target().call('GET', '/api/v1/required-actions', by)).body['required_actions'],
  ];

  test('what is attacked below is there for its owner, on every route', async () => {
    const without = sessionRoutes().filter((route) => route.wantsBody && bodyOf(route, unknown) === undefined);
    expect(without).toEqual([]);
    const owner = await newPerson(target(), 'owner');
    const by = byToken(owner.token);
    const mine = await furnished(by);
    // What ends something comes last, the session itself at the very last.
    const ends = ({ method, template }: Route): number => (method === 'DELETE' ? 1 : 0) + (method === 'DELETE' && template.endsWith('{sessionId}') ? 1 : 0);
    for (const route of sessionRoutes().toSorted((a, b) => ends(a) - ends(b))) {
      const body = bodyOf(route, mine);
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      // Not `call`: the bytes of a file, and streams that do not end.
      const answer = await fetch(`${target().url}${fill(route.template, mine)}`, {
        method: route.method,
        headers: { ...type, ...headersOf(route), authorization: `Bearer ${owner.token}`, 'idempotency-key': freshKey() },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      await answer.body?.cancel();
      // Nothing was delivered yet: what is sent again is shown by the suite of webhooks' own tests.
      if (/\/deliveries\/\{deliveryId\}/.test(route.template)) expect([route, answer.status]).toEqual([route, 404]);
      else expect([route, answer.status < 300 || answer.status === 409 ? 'there' : answer.status]).toEqual([route, 'there']);
    }
  }, 120_000);

  describe('what is not yours', () => {
    test('is not there, on any route, in the same words as what never was', async () => {
      const owner = await newPerson(target(), 'owner');
      const stranger = await newPerson(target(), 'stranger');
      const application = await newApplication(target());
      const foreign = await newKey(target(), application.id, anyAgent);
      const mine = await furnished(byToken(owner.token));
      const other = await waitingSession(target(), byToken(owner.token));
      // Of the owner, but for another session.
      const { body } = await target().call('POST', `${sessions}/${other.session}/client-tokens`, { body: {}, ...byToken(owner.token) });
      const before = await inventory(mine, byToken(owner.token));
      for (const route of sessionRoutes()) {
        for (const by of [byToken(stranger.token), byKey(foreign), byToken(String(body['token']))]) {
          const there = bare(await ask(route, mine, by));
          const nowhere = bare(await ask(route, unknown, by));
          expect([route, there]).toEqual([route, nowhere]);
          expect([route, there.status]).toEqual([route, 404]);
        }
      }
      expect(await inventory(mine, byToken(owner.token))).toEqual(before);
      expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
      expect(await listedBy(byToken(stranger.token))).toEqual([[], {}]);
    }, 120_000);

    test('is not there by another session of one’s own either', async () => {
      const owner = await newPerson(target(), 'owner');
      const stranger = await newPerson(target(), 'stranger');
      const by = byToken(stranger.token);
      const theirs = await furnished(byToken(owner.token));
      const mine = await furnished(by);
      const before = await inventory(theirs, byToken(owner.token));
      const { call } = target();
      for (const route of sessionRoutes()) {
        const { template } = route;
        // The last id of the path names what is theirs; what stands before it is one's own.
        const last = /\{(\w+)\}[^{]*$/.exec(template.replace('/{list}', ''))?.[1];
        if (last === 'sessionId') continue;
        const own = last === 'turnId' ? { session: mine.session, child: mine.child } : { session: mine.session, turn: mine.turn, child: mine.child };
        const ids = { ...theirs, ...own, ...(last === 'childId' ? { child: theirs.child } : {}) };
        expect([route, (await ask(route, ids, by)).status]).toEqual([route, 404]);
      }
      const post = (tail: string, body: unknown) => call('POST', `${sessions}/${mine.session}${tail}`, { body, key: freshKey(), ...by });
      expect((await post(`/turns/${mine.turn}/actions`, { request_id: theirs.action, payload: { output: 'stolen' } })).status).toBe(404);
      expect((await post('/artifacts', { file_id: theirs.file })).status).toBe(404);
      expect((await post('/checkpoints/restore', { checkpoint_id: theirs.checkpoint })).status).toBe(404);
      expect((await post('/fork', { target_session_id: theirs.session })).status).toBe(404);
      expect(await inventory(theirs, byToken(owner.token))).toEqual(before);
    }, 120_000);

    test('stays so after its deletion, for its owner too', async () => {
      const owner = await newPerson(target(), 'owner');
      const by = byToken(owner.token);
      const mine = await furnished(by);
      expect((await target().call('DELETE', `${sessions}/${mine.session}`, by)).status).toBe(204);
      // A child has gone with it, by its own id too.
      for (const session of [mine.session, mine.child]) {
        for (const route of sessionRoutes()) {
          const there = bare(await ask(route, { ...mine, session }, by));
          expect([route, there]).toEqual([route, bare(await ask(route, unknown, by))]);
          expect([route, there.status]).toEqual([route, 404]);
        }
      }
      expect(await listedBy(by)).toEqual([[], {}]);
    }, 120_000);
  });

  describe('a credential', () => {
    test('that is missing, made up, expired or revoked opens no route', async () => {
      const { call, token: admin } = target();
      const application = await newApplication(target());
      const revoked = await newKey(target(), application.id, anyAgent);
      const gone = await newPerson(target(), 'gone');
      const mine = await furnished(byKey(revoked));
      // Tokens for browsers end with what made them.
      const client = await call('POST', `${sessions}/${mine.session}/client-tokens`, { body: {}, ...byKey(revoked) });
      expect(client.status).toBe(201);
      expect((await call('DELETE', `/api/v1/applications/${application.id}/credentials/${revoked.id}`)).status).toBe(204);
      expect((await call('POST', '/api/auth/logout', byToken(gone.token))).status).toBe(204);
      const { short, expiresAt } = await inTime(2_000, async (lifeMs) => {
        const expiresAt = Date.now() + lifeMs;
        const short = await newKey(target(), application.id, { ...anyAgent, expiresAt });
        return (await call('GET', `${sessions}/${mine.session}`, byKey(short))).status === 200 ? { short, expiresAt } : undefined;
      });
      await new Promise((resolve) => setTimeout(resolve, expiresAt + 50 - Date.now()));
      const bearers = ['tk_made_up', `${admin}x`, gone.token, String(client.body['token'])].map(byToken);
      const dead: readonly Credential[] = [{ token: null }, ...bearers, byKey(revoked), byKey(short)];
      for (const route of routesOf(target())) {
        if (route.open) continue;
        for (const by of dead) {
          const answer = await ask(route, mine, by);
          expect([route, answer.status, answer.body['code']]).toEqual([route, 401, 'unauthenticated']);
        }
      }
    }, 120_000);

    test('of an application does what its scopes say and no more', async () => {
      const application = await newApplication(target());
      const full = await newKey(target(), application.id, anyAgent);
      const mine = await furnished(byKey(full));
      const lacking = new Map<string, Credential>();
      const scopes = ['invoke', 'read', 'interact', 'cancel', 'webhooks:write'];
      for (const scope of scopes) lacking.set(scope, byKey(await newKey(target(), application.id, { ...anyAgent, scopes: scopes.filter((s) => s !== scope) })));
      const before = await inventory(mine, byKey(full));
      for (const route of sessionRoutes()) {
        const answer = await ask(route, mine, lacking.get(scopeOf(route)) ?? { token: null });
        expect([route, answer.status, answer.body['code']]).toEqual([route, 403, isForPeople(route) ? 'forbidden' : 'scope_missing']);
      }
      const elsewhere = await newKey(target(), application.id, { targets: [{ type: 'team', id: '*' }] });
      for (const route of sessionRoutes()) {
        const answer = await ask(route, mine, byKey(elsewhere));
        expect([route, answer.status, answer.body['code']]).toEqual([route, 403, isForPeople(route) ? 'forbidden' : 'target_not_granted']);
      }
      expect(await inventory(mine, byKey(full))).toEqual(before);
    }, 120_000);

    test('of an application administers nothing', async () => {
      const application = await newApplication(target());
      const key = await newKey(target(), application.id);
      const administers = routesOf(target()).filter(({ template }) => /^\/api\/v1\/(users|tokens|spaces|applications|secrets|audit)/.test(template));
      expect(administers.length).toBeGreaterThan(15);
      for (const route of administers) {
        const answer = await ask(route, unknown, byKey(key));
        // A body that does not fit is refused first.
        if (route.wantsBody && answer.status === 422) continue;
        // The one thing of an application that its own keys have to do with; another's is not there.
        const hooks = /^\/api\/v1\/applications\/\{applicationId\}\/webhooks/.test(route.template);
        expect([route, answer.status]).toEqual([route, hooks ? 404 : 403]);
      }
    });
  });
};
