/** Pages of resources: how long their cursors are good for, and what else is refused. */
import { pageCursorOf } from '@turnkeeper/core/protocol/cursors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const clock = createMovedClock();
let server: OpenHttp;
let path: string;
beforeAll(async () => {
  server = await openHttp({ clock });
  const session = await server.newSession();
  path = `/api/v1/agent-sessions/${session}`;
  for (const text of ['a', 'b']) await server.settled(session, await server.submit(session, [[{ text }]]));
});
afterAll(() => server.close());

const ids = (body: Record<string, unknown>) => (body['data'] as { id: string }[]).map(({ id }) => id);

test('a page cursor is good for 15 minutes', async () => {
  const first = await server.call('GET', `${path}/items?limit=3`);
  const next = `${path}/items?limit=3&after=${String(first.body['next_cursor'])}`;
  clock.move(15 * 60_000);
  const second = await server.call('GET', next);
  expect([...ids(first.body), ...ids(second.body)]).toEqual(ids((await server.call('GET', `${path}/items`)).body));
  expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  clock.move(1);
  expect(await server.call('GET', next)).toMatchObject({ status: 410, body: { code: 'page_expired' } });
});

test('one that somebody made up is refused', async () => {
  for (const cursor of [
    'x',
    'pitems~1~1~',
    pageCursorOf('1-items', 'a1', 1).replace('a1', 'a%E0%A4%A'),
    pageCursorOf('2-items', 'a1', clock.now()),
    pageCursorOf('1-items', 'c1', clock.now()),
  ]) {
    expect([cursor, await server.call('GET', `${path}/items?after=${encodeURIComponent(cursor)}`)]).toMatchObject([
      cursor,
      { status: 400, body: { code: 'invalid_cursor' } },
    ]);
  }
});
