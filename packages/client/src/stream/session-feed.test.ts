import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import { createFakeServer, type FakeServer, problemAnswer } from '../testing/fake-server.ts';
import { answerStreams, runBegins, turnCompletes, userSays, wholeTurn } from '../testing/turn-script.ts';
import type { SessionWatch } from './session-watches.ts';

let server: FakeServer;
beforeEach(async () => {
  server = createFakeServer();
  await server.start();
});
afterEach(() => server.stop());

const client = (options = {}) => createClient({ baseUrl: server.url, token: server.token, ...options });
const pieces = ['你好', '，世界 ', '👩‍👩‍👧‍👦', ' 🇨🇭', ' plain'];

const until = async (watch: SessionWatch, done: () => boolean): Promise<void> => {
  if (done()) return;
  await new Promise<void>((resolve) => {
    const stop = watch.subscribe(() => {
      if (!done()) return;
      stop();
      resolve();
    });
  });
};
const caughtUp = (watch: SessionWatch) => until(watch, () => watch.getSnapshot().view?.as_of === server.events().at(-1)?.cursor);
const collect = (watch: SessionWatch): Envelope[] => {
  const seen: Envelope[] = [];
  watch.onMessage((message) => {
    if (message.type === 'events') seen.push(...message.events);
  });
  return seen;
};

test('the view is the snapshot moved on by the stream, whatever the pieces are', async () => {
  server.pieceBytes = 1;
  server.append(...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'));
  const watch = client().watchSession('ses_1');
  await until(watch, () => watch.getSnapshot().connection.kind === 'live');
  server.append(...answerStreams('turn_1', pieces), ...turnCompletes('turn_1', pieces.join('')));
  await caughtUp(watch);
  expect(watch.getSnapshot().view).toEqual(server.view());
  expect(JSON.stringify(watch.getSnapshot().view)).not.toContain('\uFFFD');
  watch.close();
});

test('cut after every byte of a character-heavy stream: nothing lost, nothing twice', async () => {
  server.append({ type: 'session.status_created', data: {} });
  const events: SessionEvent[] = answerStreams('turn_1', pieces).slice(0, 4);
  // Every connection dies a little later than the one before: every boundary of the first frames is met.
  server.cutAfter = (n) => (n < 400 ? 1 + n : undefined);
  const watch = client({}).watchSession('ses_1');
  const seen = collect(watch);
  const hurry = setInterval(() => watch.retryNow(), 1);
  await until(watch, () => watch.getSnapshot().view !== undefined);
  server.append(...userSays('turn_1', 1, 'hi'), ...runBegins('turn_1', 'hi'), ...events);
  await caughtUp(watch);
  clearInterval(hurry);
  expect(seen.map((event) => event.id)).toEqual(
    server
      .events()
      .slice(1)
      .map((event) => event.id),
  );
  expect(watch.getSnapshot().view).toEqual(server.view());
  expect(server.streams).toBeGreaterThan(10);
  watch.close();
});

test('cut at every event boundary', async () => {
  const script = wholeTurn('turn_1', 1, 'hi', pieces);
  const watch = client().watchSession('ses_1');
  const seen = collect(watch);
  const hurry = setInterval(() => watch.retryNow(), 1);
  for (const event of script) {
    server.append(event);
    await caughtUp(watch);
    server.cutStreams();
  }
  clearInterval(hurry);
  await caughtUp(watch);
  expect(watch.getSnapshot().view).toEqual(server.view());
  expect(new Set(seen.map((event) => event.id)).size).toBe(seen.length);
  watch.close();
});

test('ten watchers, one connection; it closes with the last of them', async () => {
  const shared = client();
  const watches = Array.from({ length: 10 }, () => shared.watchSession('ses_1'));
  server.append(...wholeTurn('turn_1', 1, 'hi', pieces));
  await Promise.all(watches.map(caughtUp));
  await expect.poll(() => server.streams).toBe(1);
  expect(server.requests.filter((request) => request.endsWith('/snapshot'))).toHaveLength(1);
  for (const watch of watches.slice(0, 9)) watch.close();
  expect(server.openStreams).toBe(1);
  watches[9]?.close();
  await expect.poll(() => server.openStreams).toBe(0);
});

test('says that it reconnects, and goes on when the server is back', async () => {
  server.append(...userSays('turn_1', 1, 'hi'));
  const watch = client().watchSession('ses_1');
  await until(watch, () => watch.getSnapshot().connection.kind === 'live');
  await server.stop();
  await until(watch, () => watch.getSnapshot().connection.kind === 'reconnecting');
  await server.start();
  server.append(...runBegins('turn_1', 'hi'));
  await until(watch, () => watch.getSnapshot().connection.kind === 'live');
  await caughtUp(watch);
  watch.close();
});

test('a cursor that has expired: the snapshot is read again in silence', async () => {
  server.append(...userSays('turn_1', 1, 'hi'));
  const watch = client().watchSession('ses_1');
  const kinds: string[] = [];
  watch.onMessage((message) =>
    kinds.push(message.type === 'snapshot' ? `snapshot ${message.reason}` : message.type === 'connection' ? message.connection.kind : 'events'),
  );
  await until(watch, () => watch.getSnapshot().connection.kind === 'live');
  await caughtUp(watch);
  await server.stop();
  server.append(...wholeTurn('turn_2', 2, 'more', pieces));
  server.floor = 10;
  await server.start();
  await caughtUp(watch);
  expect(watch.getSnapshot().view).toEqual(server.view());
  expect(kinds).toContain('snapshot expired');
  watch.close();
});

test.each(['unauthenticated', 'forbidden', 'not_found'] as const)('%s stops with that error', async (code) => {
  server.on('GET', /\/events\/stream$/, () => problemAnswer(code));
  const watch = client().watchSession('ses_1');
  await until(watch, () => watch.getSnapshot().connection.kind === 'closed');
  expect(watch.getSnapshot().connection).toMatchObject({ kind: 'closed', error: { code } });
  expect(server.requests.filter((request) => request.endsWith('/stream'))).toHaveLength(1);
  watch.close();
});

test('a silent connection is given up', async () => {
  server.mute = true;
  const watch = client({ silenceMs: 60 }).watchSession('ses_1');
  await until(watch, () => watch.getSnapshot().connection.kind === 'reconnecting');
  server.mute = false;
  server.append(...wholeTurn('turn_1', 1, 'hi', pieces));
  await caughtUp(watch);
  expect(server.streams).toBeGreaterThan(1);
  watch.close();
});

test('after a silence every stream asks for padding, as behind a proxy that holds back small pieces', async () => {
  const asked: (string | null)[] = [];
  const watching = createClient({
    ...{ baseUrl: server.url, token: server.token, silenceMs: 60 },
    fetch: (url, init) => {
      if (new URL(url).pathname.endsWith('/events/stream')) asked.push(new URL(url).searchParams.get('padded'));
      return fetch(url, init);
    },
  });
  server.mute = true;
  const watch = watching.watchSession('ses_1');
  await until(watch, () => asked.length > 1);
  expect(asked.slice(0, 2)).toEqual([null, 'true']);
  watch.close();
});

test('unknown event types only move the cursor', async () => {
  const watch = client().watchSession('ses_1');
  server.append({ type: 'later.invented', data: {} } as unknown as SessionEvent, ...wholeTurn('turn_1', 1, 'hi', pieces));
  await caughtUp(watch);
  expect(watch.getSnapshot().view?.turns).toHaveLength(1);
  watch.close();
});

test('notifications are joined', async () => {
  const watch = client().watchSession('ses_1');
  await until(watch, () => watch.getSnapshot().connection.kind === 'live');
  let notified = 0;
  watch.subscribe(() => {
    notified += 1;
  });
  server.append(
    ...wholeTurn(
      'turn_1',
      1,
      'hi',
      Array.from({ length: 200 }, (_, n) => `${n} `),
    ),
  );
  await caughtUp(watch);
  expect(notified).toBeLessThan(40);
  watch.close();
});
