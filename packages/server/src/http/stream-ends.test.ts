/** HS6: streams end with the credential that they were opened by, or with the right to read what they show. */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIdentity, type Identity } from '../app/identity.ts';
import { removeSpaceMember } from '../app/manage-spaces.ts';
import { revokeToken } from '../app/manage-tokens.ts';
import { userCaller } from '../testing/harness/client.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import { readStream, type StreamReader, waitUntil } from '../testing/http/read-stream.ts';
import { heartbeatTicks } from './sse/open-streams.ts';

const clock = createMovedClock();
let server: OpenHttp;
/** Another node on the same catalog. */
let elsewhere: Identity;
let lookedUp: string[];
/** What is being read of a credential's user. */
const lookingUp = new Set<Promise<unknown>>();
const whileLooking = <Of>(reads: Promise<Of>): Promise<Of> => {
  lookingUp.add(reads);
  return reads.finally(() => lookingUp.delete(reads));
};
let fails: boolean;
beforeEach(async () => {
  fails = false;
  lookedUp = [];
  server = await openHttp({
    clock,
    wrapCatalog: (catalog) => ({
      ...catalog,
      tokenByHash: (hash) => {
        lookedUp.push(hash);
        return whileLooking(fails ? Promise.reject(new TurnkeeperError('storage_unavailable', 'not now')) : catalog.tokenByHash(hash));
      },
      user: (id) => whileLooking(catalog.user(id)),
      spacesOf: (id) => whileLooking(catalog.spacesOf(id)),
      applicationRolesOf: (id) => whileLooking(catalog.applicationRolesOf(id)),
    }),
  });
  elsewhere = createIdentity({ ...server.app, clock });
});
afterEach(() => server.close());

const sessions = '/api/v1/agent-sessions';
const by = (token: string) => ({ authorization: `Bearer ${token}` });
const open = async (session: string, token: string): Promise<StreamReader> => {
  const stream = readStream({ port: server.port, path: `${sessions}/${session}/events/stream`, token });
  await stream.until((frames) => frames.length > 0);
  return stream;
};
const isOpen = async (stream: StreamReader): Promise<boolean> => {
  const ended = stream.ended.then(() => false);
  return Promise.race([ended, new Promise<boolean>((resolve) => setTimeout(resolve, 100, true))]);
};
const round = (): void => clock.move(heartbeatTicks * 1_000);
const newToken = async (): Promise<{ readonly token: string; readonly id: string }> => {
  const { body } = await server.call('POST', '/api/v1/tokens', { name: 'reader' });
  return { token: String(body['token']), id: (body['personalToken'] as { id: string }).id };
};

test('at once when a token or key is revoked, or its application or user disabled; others stay', async () => {
  const session = await server.newSession();
  const stays = await open(session, server.token);
  const { token, id } = await newToken();
  const ofToken = await open(session, token);
  const application = (await server.call('POST', '/api/v1/applications', { name: 'A' })).body['application'] as { id: string };
  const path = `/api/v1/applications/${application.id}`;
  const newKey = async () => {
    const { body } = await server.call('POST', `${path}/credentials`, { name: 'k', scopes: ['invoke', 'read'], targets: [{ type: 'agent', id: '*' }] });
    return { key: String(body['apiKey']), id: (body['credential'] as { id: string }).id };
  };
  const [one, two] = [await newKey(), await newKey()];
  const theirs = String((await server.call('POST', sessions, { agent: 'script' }, by(one.key))).body['id']);
  const [ofOne, ofTwo] = [await open(theirs, one.key), await open(theirs, two.key)];
  const ofBob = await open(String((await server.call('POST', sessions, { agent: 'script' }, by(server.otherToken))).body['id']), server.otherToken);
  const ends: [StreamReader, () => Promise<unknown>][] = [
    [ofToken, () => server.call('DELETE', `/api/v1/tokens/${id}`)],
    [ofOne, () => server.call('DELETE', `${path}/credentials/${one.id}`)],
    [ofTwo, () => server.call('PATCH', path, { version: 1, status: 'disabled' })],
    [ofBob, () => server.call('PATCH', '/api/v1/users/user_2', { status: 'disabled' })],
  ];
  for (const [stream, end] of ends) {
    expect(await isOpen(stream)).toBe(true);
    await end();
    await stream.ended;
  }
  expect(await isOpen(stays)).toBe(true);
  stays.close();
});

test('with the next heartbeat when it was revoked on another node', async () => {
  const session = await server.newSession();
  const { token, id } = await newToken();
  const [gone, stays] = [await open(session, token), await open(session, server.token)];
  await revokeToken({ app: server.app, identity: elsewhere }, userCaller('user_1'), id);
  expect(await isOpen(gone)).toBe(true);
  round();
  await gone.ended;
  expect(await isOpen(stays)).toBe(true);
  stays.close();
});

const leaving = async (leave: () => Promise<unknown>) => {
  await server.call('POST', '/api/v1/spaces', { id: 'team' });
  await server.call('PUT', '/api/v1/spaces/team/members/user_2', {});
  const shared = String((await server.call('POST', sessions, { agent: 'script', space: 'team' })).body['id']);
  const own = String((await server.call('POST', sessions, { agent: 'script' }, by(server.otherToken))).body['id']);
  const [ofShared, ofOwn] = [await open(shared, server.otherToken), await open(own, server.otherToken)];
  await leave();
  return { ofShared, ofOwn };
};

test('at once when its reader has left the space, with the next heartbeat when that was on another node', async () => {
  const left = await leaving(() => server.call('DELETE', '/api/v1/spaces/team/members/user_2'));
  await left.ofShared.ended;
  expect(await isOpen(left.ofOwn)).toBe(true);
  left.ofOwn.close();
  const there = { app: { ...server.app, clock }, identity: elsewhere };
  const { ofShared, ofOwn } = await leaving(() => removeSpaceMember(there, userCaller('user_1', { admin: true }), 'team', 'user_2'));
  expect(await isOpen(ofShared)).toBe(true);
  round();
  await ofShared.ended;
  expect(await isOpen(ofOwn)).toBe(true);
  ofOwn.close();
});

test('at once when its reader is no admin any more, or no member of the application', async () => {
  await server.call('PATCH', '/api/v1/users/user_2', { roles: ['admin'] });
  const ofAnn = await server.newSession();
  const application = (await server.call('POST', '/api/v1/applications', { name: 'A' })).body['application'] as { id: string };
  const path = `/api/v1/applications/${application.id}`;
  const key = await server.call('POST', `${path}/credentials`, { name: 'k', scopes: ['invoke'], targets: [{ type: 'agent', id: '*' }] });
  const ofApplication = String((await server.call('POST', sessions, { agent: 'script' }, by(String(key.body['apiKey'])))).body['id']);
  const asAdmin = await open(ofAnn, server.otherToken);
  await server.call('PATCH', path, { version: 1, members: [{ userId: 'user_2', roles: ['viewer'] }] });
  await server.call('PATCH', '/api/v1/users/user_2', { roles: ['user'] });
  await asAdmin.ended;
  const asMember = await open(ofApplication, server.otherToken);
  await server.call('PATCH', path, { version: 2, members: [] });
  await asMember.ended;
});

test('each credential is looked at once a round, however many streams it has; a store that fails ends none', async () => {
  const session = await server.newSession();
  const streams = await Promise.all(Array.from({ length: 5 }, () => open(session, server.token)));
  clock.move(6_000);
  lookedUp.length = 0;
  for (let n = 1; n <= 3; n += 1) {
    fails = n === 2;
    round();
    // Until it is over: a look that begins before is the same one.
    await waitUntil(() => lookedUp.length === n && lookingUp.size === 0);
  }
  expect(await isOpen(streams[0] as StreamReader)).toBe(true);
  expect(lookedUp).toHaveLength(3);
  for (const stream of streams) stream.close();
  await waitUntil(() => server.http.openStreams() === 0);
  round();
  expect(lookedUp).toHaveLength(3);
});
