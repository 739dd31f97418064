import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import { createFakeServer, type FakeServer } from '../testing/fake-server.ts';
import { answerStreams, runBegins, turnCompletes, userSays, wholeTurn } from '../testing/turn-script.ts';

let server: FakeServer;
beforeEach(async () => {
  server = createFakeServer();
  await server.start();
});
afterEach(() => server.stop());

const client = () => createClient({ baseUrl: server.url, token: server.token });
const ids = (turnId: string) => server.events(turnId).map((event) => event.id);

test('gives the events of the turn and ends after its outcome', async () => {
  server.append(...wholeTurn('turn_1', 1, 'one', ['a']), ...userSays('turn_2', 2, 'two'));
  const seen: string[] = [];
  for await (const event of client().streamTurn('ses_1', 'turn_1')) seen.push(event.id);
  expect(seen).toEqual(ids('turn_1'));
});

test('goes on over cuts and a restart', async () => {
  server.append(...userSays('turn_1', 1, 'one'), ...runBegins('turn_1', 'one'));
  server.cutAfter = (n) => (n === 0 ? 500 : undefined);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of client().streamTurn('ses_1', 'turn_1')) seen.push(event.id);
  })();
  await expect.poll(() => server.streams).toBe(2);
  server.append(...answerStreams('turn_1', ['x', 'y']));
  await expect.poll(() => seen.length).toBe(ids('turn_1').length);
  await server.stop();
  server.append(...turnCompletes('turn_1', 'xy'));
  await server.start();
  await reading;
  expect(seen).toEqual(ids('turn_1'));
});

test('can be left and aborted', async () => {
  server.append(...userSays('turn_1', 1, 'one'));
  for await (const _ of client().streamTurn('ses_1', 'turn_1')) break;
  await expect.poll(() => server.openStreams).toBe(0);
  const controller = new AbortController();
  const reading = (async () => {
    for await (const _ of client().streamTurn('ses_1', 'turn_1', { signal: controller.signal })) controller.abort(new Error('enough'));
  })();
  await expect(reading).rejects.toThrow('enough');
});

test('a turn that does not exist is an error with its code', async () => {
  server.on('GET', /turn_9/, () => ({ status: 404, body: { code: 'not_found' } }));
  await expect(client().streamTurn('ses_1', 'turn_9').next()).rejects.toMatchObject({ code: 'not_found' });
});
