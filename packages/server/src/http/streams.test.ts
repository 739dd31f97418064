/** Event streams on the wire: their head, frames, resuming, slow readers, heartbeats, ends. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SessionStore } from '../ports/session-store.ts';
import { startCuttingProxy } from '../testing/harness/cutting-proxy.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import { readStream, type StreamReader, waitUntil } from '../testing/http/read-stream.ts';
import { lagBytes } from './sse/event-stream.ts';

const sessions = '/api/v1/agent-sessions';
const clock = createMovedClock();
const readers: StreamReader[] = [];
let server: OpenHttp;
let reads = 0;

/** Counts reads of the log. */
const counting = (store: SessionStore): SessionStore =>
  new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      if (name === 'events') reads += 1;
      return method.bind(target);
    },
  });

beforeAll(async () => {
  server = await openHttp({ clock, wrapStore: counting });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await waitUntil(() => server.http.openStreams() === 0);
  // HS2, B5
  expect(clock.waiting()).toBe(0);
  expect(server.app.sessions.feeds.size).toBe(0);
});
afterAll(() => server.close());

const open = (path: string, headers: Record<string, string> = {}, paused = false): StreamReader => {
  const reader = readStream({ port: server.port, path, token: server.token, headers, paused });
  readers.push(reader);
  return reader;
};
const settledTurn = async (session: string, text = 'hello') => {
  const turn = await server.submit(session, [[{ text, chunk: 1 }]]);
  await server.settled(session, turn);
  return turn;
};
const ended = (type: string) => (frames: readonly { event: string }[]) => frames.some(({ event }) => event === type);

describe('a session’s stream', () => {
  test('has the head that proxies want', async () => {
    const session = await server.newSession();
    const reader = open(`${sessions}/${session}/events/stream`);
    await reader.until((frames) => frames.length > 0);
    const head = reader.head().toLowerCase();
    expect(head).toContain('http/1.1 200');
    for (const line of ['content-type: text/event-stream; charset=utf-8', 'cache-control: no-cache', 'x-accel-buffering: no'])
      expect(head.split('\r\n')).toContain(line);
    expect(head).not.toMatch(/content-encoding|transfer-encoding|content-length/);
    expect(reader.raw()).toMatch(/^id: [\w-]+\nevent: session\.status_created\ndata: \{.*\}\n\n/);
  });

  test('gives history and then what comes, each once, in order, to all alike', async () => {
    const session = await server.newSession();
    const turns = [await settledTurn(session, 'one')];
    const path = `${sessions}/${session}/events/stream`;
    const all = [open(path), open(path), open(`${path}?after=`)];
    const late = open(`${path}?after=latest`);
    await all[0]?.until(ended('turn.completed'));
    // The place from which it reads is chosen by then.
    await waitUntil(() => server.http.openStreams() === 4 && late.head() !== '');
    turns.push(await settledTurn(session, 'two'));
    const log = (await server.call('GET', `${sessions}/${session}/events?limit=1000`)).body['data'] as { id: string; cursor: string }[];
    for (const reader of all) {
      const frames = await reader.until((got) => got.length >= log.length);
      expect(frames.map(({ id }) => id)).toEqual(log.map(({ cursor }) => cursor));
      expect(frames.map(({ data }) => JSON.parse(data) as unknown)).toEqual(log);
    }
    await late.until(ended('session.status_idle'));
    expect(late.frames.every(({ data }) => data.includes(turns[1] ?? '?') || !data.includes('"turn_id"'))).toBe(true);
  });

  test('goes on after any event, by after or Last-Event-ID; of two the newer counts', async () => {
    const session = await server.newSession();
    await settledTurn(session);
    const path = `${sessions}/${session}/events/stream`;
    const log = (await server.call('GET', `${sessions}/${session}/events?limit=1000`)).body['data'] as { cursor: string }[];
    const cursors = log.map(({ cursor }) => cursor);
    for (const [at, cursor] of cursors.slice(0, -1).entries()) {
      const older = cursors[Math.max(0, at - 2)] ?? '';
      for (const reader of [
        open(`${path}?after=${cursor}`),
        open(path, { 'Last-Event-ID': cursor }),
        open(`${path}?after=${older}`, { 'Last-Event-ID': cursor }),
      ]) {
        const frames = await reader.until((got) => got.length === cursors.length - at - 1);
        expect(frames.map(({ id }) => id)).toEqual(cursors.slice(at + 1));
        reader.close();
      }
    }
  });

  test('ends when the session is deleted, with what it had to say', async () => {
    const session = await server.newSession();
    const reader = open(`${sessions}/${session}/events/stream`);
    await reader.until((frames) => frames.length > 0);
    await server.call('DELETE', `${sessions}/${session}`);
    await reader.ended;
    expect(reader.frames.at(-1)?.event).toBe('session.status_terminated');
  });

  test('ends when its credential is revoked, and no other does', async () => {
    const session = await server.newSession();
    const other = open(`${sessions}/${session}/events/stream`);
    const token = await server.identity.issueToken('user_1', 'short', null);
    const reader = readStream({ port: server.port, path: `${sessions}/${session}/events/stream`, token });
    await reader.until((frames) => frames.length > 0);
    await server.call('POST', '/api/auth/logout', {}, { authorization: `Bearer ${token}` });
    await reader.ended;
    expect(other.socket.destroyed).toBe(false);
  });
});

describe('a turn’s stream', () => {
  test('has only its own events, and ends after the outcome: live, and when it is settled already', async () => {
    const session = await server.newSession();
    const first = await settledTurn(session);
    const turn = await server.submit(session, [[{ delay_ms: 100 }, { text: 'later', chunk: 1 }]]);
    const path = `${sessions}/${session}/turns/${turn}/events/stream`;
    const live = open(path);
    await live.ended;
    expect(live.frames[0]?.event).toBe('turn.accepted');
    expect(live.frames.at(-1)?.event).toBe('turn.completed');
    expect(live.frames.every(({ data }) => (JSON.parse(data) as { turn_id: string }).turn_id === turn)).toBe(true);
    const again = open(path);
    await again.ended;
    expect(again.frames).toEqual(live.frames);
    const rest = open(`${path}?after=${live.frames[3]?.id}`);
    await rest.ended;
    expect(rest.frames).toEqual(live.frames.slice(4));
    const nothing = open(path, { 'Last-Event-ID': live.frames.at(-1)?.id ?? '' });
    await nothing.ended;
    expect(nothing.frames).toEqual([]);
    expect(await server.call('GET', `${sessions}/${session}/turns/${first}/events/stream?after=${live.frames[0]?.id}`)).toMatchObject({ status: 400 });
  });

  test('passes over an outcome that a resume has overtaken', async () => {
    const session = await server.newSession();
    const turn = await server.submit(session, [[{ error: { message: 'no', retryable: false, times: 1 } }, { delay_ms: 150 }, { text: 'yes' }]]);
    expect((await server.settled(session, turn)).body['status']).toBe('failed');
    await server.call('POST', `${sessions}/${session}/turns/${turn}/resume`, {}, { 'idempotency-key': 'resume' });
    const reader = open(`${sessions}/${session}/turns/${turn}/events/stream`);
    await reader.ended;
    expect(reader.frames.filter(({ event }) => /^turn\.(failed|completed)$/.test(event)).map(({ event }) => event)).toEqual(['turn.failed', 'turn.completed']);
  });
});

describe('heartbeats', () => {
  test('come every 15 seconds to everyone, as comments without an id', async () => {
    const session = await server.newSession();
    const all = [open(`${sessions}/${session}/events/stream`), open(`${sessions}/${session}/events/stream?after=latest`)];
    await all[0]?.until((frames) => frames.length > 0);
    await waitUntil(() => server.http.openStreams() === 2 && all.every((reader) => reader.head() !== ''));
    const beats = () => all.map((reader) => reader.raw().split(': heartbeat\n\n').length - 1);
    clock.move(14_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(beats()).toEqual([0, 0]);
    clock.move(1_000);
    await waitUntil(() => beats().every((count) => count === 1));
    for (let n = 0; n < 4; n += 1) clock.move(15_000);
    await waitUntil(() => beats().every((count) => count === 5));
    expect(all[0]?.frames).toHaveLength(1);
  });

  test('HS10 case 7: a padded stream gets through a proxy that holds back 4 KiB, and lives there on its heartbeats', async () => {
    const proxy = await startCuttingProxy(server.port);
    proxy.weather({ blockBytes: 4_096 });
    const port = Number(new URL(proxy.url).port);
    const session = await server.newSession();
    const through = (query: string): StreamReader => {
      const reader = readStream({ port, path: `${sessions}/${session}/events/stream${query}`, token: server.token });
      readers.push(reader);
      return reader;
    };
    try {
      const [padded, bare] = [through('?padded=true'), through('')];
      await waitUntil(() => server.http.openStreams() === 2);
      const second = (): Promise<void> => new Promise((resolve) => setTimeout(() => resolve(clock.move(1_000)), 5));
      const heard = async (enough: () => boolean): Promise<void> => {
        for (let n = 0; n < 2_000 && !enough(); n += 1) await second();
        expect(enough()).toBe(true);
      };
      await heard(() => padded.frames.length > 0);
      expect(bare.frames).toEqual([]);
      const before = padded.frames.length;
      await server.submit(session, [[{ text: 'hi' }]]);
      await heard(() => padded.frames.slice(before).some(({ event }) => event === 'turn.completed'));
      // What it says of itself while nothing happens gets through, too.
      const silent = padded.raw().length;
      await heard(() => padded.raw().length > silent + 3 * 4_096);
      expect(padded.frames.map(({ id }) => id)).toEqual([...new Set(padded.frames.map(({ id }) => id))]);
    } finally {
      await proxy.close();
    }
  });
});

describe('a slow reader', () => {
  /** Events of more bytes than sockets buffer by themselves, by far. */
  const bulk = async (session: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const content = [
        { type: 'text', text: '{"script":[{"text":"."}]}' },
        { type: 'data', data: 'x'.repeat(500_000) },
      ];
      const { body } = await server.call(
        'POST',
        `${sessions}/${session}/turns`,
        { input: [{ role: 'user', content }] },
        { 'idempotency-key': `${session}-${n}` },
      );
      await server.settled(session, String(body['id']));
    }
  };

  /** The whole history, and in how many pages it came: large events make small pages. */
  const history = async (session: string): Promise<{ readonly cursors: readonly string[]; readonly pages: number }> => {
    const cursors: string[] = [];
    for (let pages = 1, after = ''; ; pages += 1) {
      const { body } = await server.call('GET', `${sessions}/${session}/events?limit=1000${after}`);
      cursors.push(...(body['data'] as { cursor: string }[]).map(({ cursor }) => cursor));
      if (body['has_more'] !== true) return { cursors, pages };
      after = `&after=${encodeURIComponent(String(body['next_cursor']))}`;
    }
  };

  /** Until the server can send no more on this connection of its own: all that lies between is full. */
  const full = async (end: Socket | undefined): Promise<void> => {
    for (let last = -1, same = 0; same < 10; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const waits = end?.writableNeedDrain ? end.writableLength : -1;
      same = waits !== -1 && waits === last ? same + 1 : 0;
      last = waits;
    }
  };

  /** A reader that never reads is cut off after 30 seconds. */
  const cutOff = async (session: string): Promise<void> => {
    const others = server.http.openStreams();
    const ends: Socket[] = [];
    const keep = (accepted: unknown): void => void ends.push((accepted as { readonly socket: Socket }).socket);
    subscribe('net.server.socket', keep);
    const stuck = open(`${sessions}/${session}/events/stream`, {}, true);
    await waitUntil(() => server.http.openStreams() === others + 1);
    unsubscribe('net.server.socket', keep);
    await full(ends.find(({ remotePort }) => remotePort === stuck.socket.localPort));
    clock.move(28_000);
    expect(server.http.openStreams()).toBe(others + 1);
    clock.move(4_000);
    await waitUntil(() => server.http.openStreams() === others);
    stuck.socket.resume();
    await stuck.ended;
  };

  test('leaves the feed at the bound, costs others nothing, and misses nothing; one that never reads is cut off', async () => {
    const session = await server.newSession();
    const path = `${sessions}/${session}/events/stream`;
    const fast = open(path);
    const slow = open(path, {}, true);
    await waitUntil(() => server.http.openStreams() === 2);
    await bulk(session, 24);
    const log = await history(session);
    expect(log.pages).toBeGreaterThan(1);
    await fast.until((frames) => frames.length >= log.cursors.length);
    const before = reads;
    slow.socket.resume();
    const frames = await slow.until((got) => got.length >= log.cursors.length);
    expect(frames.map(({ id }) => id)).toEqual(log.cursors);
    expect(reads).toBeGreaterThan(before);
    await cutOff(session);
    // And the other one is live again.
    await settledTurn(session, 'x');
    await slow.until((got) => got.length > log.cursors.length + 5);
  }, 60_000);

  test('has at most a bound waiting for it', () => {
    expect(lagBytes).toBe(256 * 1024);
  });
});

describe('many readers', () => {
  test('come and go without a trace', async () => {
    const session = await server.newSession();
    for (let round = 0; round < 3; round += 1) {
      const many = Array.from({ length: 100 }, () => open(`${sessions}/${session}/events/stream`));
      await waitUntil(() => server.http.openStreams() === 100);
      expect(clock.waiting()).toBe(1);
      for (const [n, reader] of many.entries()) n % 2 === 0 ? reader.socket.end() : reader.socket.resetAndDestroy();
      await waitUntil(() => server.http.openStreams() === 0);
    }
  });

  test('close without cancelling anything', async () => {
    const session = await server.newSession();
    const turn = await server.submit(session, [[{ delay_ms: 100 }, { text: 'done' }]]);
    const reader = open(`${sessions}/${session}/turns/${turn}/events/stream`);
    await reader.until((frames) => frames.length > 0);
    reader.close();
    expect((await server.settled(session, turn)).body['status']).toBe('completed');
  });
});
