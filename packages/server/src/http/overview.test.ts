/** What goes on now, as it is asked for over HTTP. */
import { overviewAnswer } from '@turnkeeper/core/protocol/wire/overview';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const dayMs = 86_400_000;
let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp();
});
afterAll(() => server.close());

const api = '/api/v1/agent-sessions';
const ask = (query = '', headers = {}) => server.call('GET', `/api/v1/overview${query}`, undefined, headers);
const overview = async (query = '', headers = {}) => overviewAnswer.strict().parse((await ask(query, headers)).body);
const asBob = () => ({ authorization: `Bearer ${server.otherToken}` });

test('counts what runs, waits and failed, names the turns, and sums what today used; of nobody else', async () => {
  const began = Date.now();
  expect(await overview()).toMatchObject({ running: 0, waiting: 0, failed: 0, complete: true, running_turns: [], failed_turns: [] });
  const [fine, broken, busy, asking] = [await server.newSession(), await server.newSession(), await server.newSession(), await server.newSession()];
  await server.settled(fine, await server.submit(fine, [[{ text: 'fine' }]]));
  const fault = await server.submit(broken, [[{ error: { retryable: false, message: 'out of order' } }]]);
  await server.settled(broken, fault);
  const hanging = await server.submit(busy, [[{ hang: true }]]);
  await server.submit(asking, [[{ tool: { name: 'lookup', input: {} } }], [{ text: 'done' }]]);
  await expect.poll(async () => (({ running, waiting }) => [running, waiting])(await overview())).toEqual([1, 1]);
  const now = await overview();
  expect(now).toMatchObject({ running: 1, waiting: 1, failed: 1, complete: true });
  expect(now.running_turns).toMatchObject([{ session_id: busy, turn_id: hanging, target_type: 'agent' }]);
  expect(now.failed_turns).toMatchObject([{ session_id: broken, turn_id: fault, status: 'failed', error_message: expect.stringContaining('out of order') }]);
  // Not of the day of UTC, which may have ended meanwhile.
  const used = (await overview(`?day_from=${began}`)).usage_today;
  expect(used.model_calls).toBeGreaterThanOrEqual(2);
  expect(used.total_tokens).toBeGreaterThan(0);
  const later = await overview(`?day_from=${Date.now()}`);
  // What has yet to end is of any day; what ended before is not of this one.
  expect(later.usage_today.total_tokens).toBeLessThan(used.total_tokens);
  expect(later.failed).toBe(1);
  expect(await overview('', asBob())).toMatchObject({ running: 0, waiting: 0, failed: 0, running_turns: [], failed_turns: [] });
  expect(await overview('?owner=me')).toMatchObject({ running: 1, failed: 1 });
  expect(await overview('?owner=user:user_2')).toMatchObject({ running: 0, failed: 0 });
  await server.call('POST', `${api}/${busy}/turns/${hanging}/cancel`, {}, { 'idempotency-key': 'stop' });
  await expect.poll(async () => (await overview()).running).toBe(0);
  // Nothing is reported of a call that failed or was stopped; of a model that costs nothing it is known what it cost.
  expect((await overview()).usage_today).toMatchObject({ estimated_cost: 0, currency: 'USD', cost_complete: true, unpriced_calls: 0 });
});

test('refuses what it does not know', async () => {
  expect(await ask('?owner=all', asBob())).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  for (const from of [Date.now() - 3 * dayMs, Date.now() + dayMs, 'soon'])
    expect([from, await ask(`?day_from=${from}`)]).toMatchObject([from, { status: 422 }]);
});

test('sessions by what they cost, with what is below them', async () => {
  const titles = async (query: string) => ((await server.call('GET', `${api}?${query}`)).body as { items: { id: string }[] }).items.length;
  const all = await titles('');
  expect(all).toBeGreaterThan(0);
  expect(await titles('min_cost=0')).toBe(all);
  expect(await titles('min_cost=1000000')).toBe(0);
  expect((await server.call('GET', `${api}?min_cost=much`)).status).toBe(422);
});
