/**
 * A small server for tests of clients: one session whose log the test writes. It answers snapshots and streams from
 * that log with core's own reducer, and can cut, silence and refuse.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cursorOf, type StreamRef, seqOfCursor } from '@turnkeeper/core/protocol/cursors';
import { type Envelope, envelopeOf } from '@turnkeeper/core/protocol/envelope';
import { type ErrorCode, type ErrorDetails, problemOf } from '@turnkeeper/core/protocol/errors';
import { sseFrame, sseHeartbeat } from '@turnkeeper/core/protocol/sse';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { applyEvent, emptyView } from '@turnkeeper/core/view/session-view';
import { applyTurnEvent, emptyTurnView } from '@turnkeeper/core/view/turn-view';

export type Route = (request: IncomingMessage, body: unknown, match: RegExpExecArray) => Answer | undefined | Promise<Answer | undefined>;
type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

const sessionId = 'ses_1';
const sid = 1;
const sessionStream: StreamRef = { kind: 'session', sid };
const streamPath = /^\/api\/v1\/agent-sessions\/ses_1\/(?:turns\/(turn_\w+)\/)?events\/stream$/;

export const problemAnswer = (code: ErrorCode, details: ErrorDetails = {}): Answer => {
  const body = problemOf(code, `Refused: ${code}`, 'req_test', details);
  return { status: body.status, body, headers: { 'content-type': 'application/problem+json' } };
};

export const createFakeServer = (token = 'test-token') => {
  const rows: { turn: number; turnId: string | undefined; event: SessionEvent }[] = [];
  const turnNumbers = new Map<string, number>();
  const routes: { readonly method: string; readonly path: RegExp; readonly route: Route }[] = [];
  const openRoutes: typeof routes = [];
  const open = new Set<{ readonly send: () => void; readonly end: () => void }>();
  const requests: string[] = [];
  let server: Server | undefined;
  let port = 0;

  const fake = {
    token,
    sessionId,
    requests,
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    /** Streams opened so far, and now. */
    streams: 0,
    get openStreams() {
      return open.size;
    },
    /** Bytes after which the n-th stream (from 0) is cut, if at all. */
    cutAfter: (_n: number): number | undefined => undefined,
    /** Bytes a write, to cut characters and frames in two; undefined = a frame at once. */
    pieceBytes: undefined as number | undefined,
    /** Cursors below this seq have expired. */
    floor: 0,
    /** Streams answer with headers and then with nothing. */
    mute: false,
    events: (turnId?: string): Envelope[] =>
      rows.flatMap((row, index) => {
        if (turnId !== undefined && row.turnId !== turnId) return [];
        const stream: StreamRef = turnId === undefined ? sessionStream : { kind: 'turn', sid, turn: row.turn };
        return [
          envelopeOf(sessionId, stream, { sid, seq: index + 1, turn: row.turn, type: row.event.type, at: 1_000 + index, data: JSON.stringify(row.event.data) }),
        ];
      }),
    append: (...events: SessionEvent[]): void => {
      for (const event of events) {
        const turnId = (event.data as { readonly turn_id?: string }).turn_id;
        if (turnId !== undefined && !turnNumbers.has(turnId)) turnNumbers.set(turnId, turnNumbers.size + 1);
        rows.push({ turn: turnId === undefined ? 0 : (turnNumbers.get(turnId) ?? 0), turnId, event });
      }
      for (const stream of [...open]) stream.send();
    },
    view: () => fake.events().reduce(applyEvent, emptyView({ id: sessionId, status: 'idle', archived: false, title: 'Test' }, cursorOf(sessionStream, 0))),
    turnView: (turnId: string) => {
      const cursor = cursorOf({ kind: 'turn', sid, turn: turnNumbers.get(turnId) ?? 0 }, 0);
      return fake.events(turnId).reduce(applyTurnEvent, emptyTurnView(cursor));
    },
    /** Answers before the built-in routes do; undefined passes on. */
    on: (method: string, path: RegExp, route: Route): void => {
      routes.unshift({ method, path, route });
    },
    /** The same for routes that ask for no credential. */
    open: (method: string, path: RegExp, route: Route): void => {
      openRoutes.unshift({ method, path, route });
    },
    cutStreams: (): void => {
      for (const stream of [...open]) stream.end();
    },
    heartbeat: (): void => {
      for (const stream of [...open]) stream.send();
    },
    start: async (): Promise<void> => {
      server = createServer((request, response) => void handle(request, response));
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
    stop: async (): Promise<void> => {
      fake.cutStreams();
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    },
  };

  const stream = (response: ServerResponse, url: URL, turnId: string | undefined): void => {
    const ref: StreamRef = turnId === undefined ? sessionStream : { kind: 'turn', sid, turn: turnNumbers.get(turnId) ?? 0 };
    const after = url.searchParams.get('after');
    const from = after ? seqOfCursor(ref, after) : 0;
    if (from === undefined || from < fake.floor) {
      reply(response, problemAnswer(from === undefined ? 'invalid_cursor' : 'cursor_expired'));
      return;
    }
    const limit = fake.cutAfter(fake.streams);
    fake.streams += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    let sent = from;
    let bytes = 0;
    const write = (text: string): boolean => {
      const whole = Buffer.from(text);
      const size = fake.pieceBytes ?? whole.length;
      for (let at = 0; at < whole.length; at += size) {
        const piece = whole.subarray(at, at + size);
        const allowed = limit === undefined ? piece.length : Math.min(piece.length, limit - bytes);
        response.write(piece.subarray(0, allowed));
        bytes += allowed;
        if (allowed < piece.length || bytes === limit) {
          // What was written must arrive before the connection dies.
          open.delete(handle);
          setTimeout(() => response.socket?.destroy(), 2);
          return false;
        }
      }
      return true;
    };
    const handle = {
      send: (): void => {
        if (fake.mute) return;
        let settled = false;
        for (const event of fake.events(turnId)) {
          const seq = seqOfCursor(ref, event.cursor) ?? 0;
          if (seq <= sent) continue;
          if (!write(sseFrame(event.cursor, event.type, JSON.stringify(event)))) return;
          sent = seq;
          settled = turnId !== undefined && /^turn\.(completed|failed|cancelled|timed_out|partial_succeeded)$/.test(event.type);
        }
        if (settled) handle.end();
        else write(sseHeartbeat);
      },
      end: (): void => {
        open.delete(handle);
        response.end();
      },
    };
    open.add(handle);
    response.on('close', () => open.delete(handle));
    handle.send();
  };

  const builtIn = (method: string, url: URL): Answer => {
    const path = url.pathname.replace('/api/v1/agent-sessions/ses_1', '');
    if (method === 'GET' && path === '') return { status: 200, body: fake.view().session };
    if (method === 'GET' && path === '/snapshot') return { status: 200, body: fake.view() };
    const turn = /^\/turns\/(turn_\w+)(\/snapshot)?$/.exec(path);
    if (method === 'GET' && turn?.[1]) {
      const view = fake.turnView(turn[1]);
      if (!view.turn) return problemAnswer('not_found');
      if (turn[2]) return { status: 200, body: view };
      const { status, output_text, error_code, error_message } = view.turn;
      const text = { outputText: output_text ?? null, errorCode: error_code ?? null, errorMessage: error_message ?? null };
      return { status: 200, body: { id: turn[1], sessionId, status, ...text, usage: view.usage } };
    }
    return problemAnswer('not_found');
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', fake.url);
    requests.push(`${request.method} ${url.pathname}`);
    let text = '';
    for await (const piece of request) text += String(piece);
    const known = request.headers.authorization === `Bearer ${fake.token}`;
    for (const { method, path, route } of known ? [...routes, ...openRoutes] : openRoutes) {
      const match = path.exec(url.pathname);
      if (method !== request.method || !match) continue;
      const answer = await route(request, text === '' ? undefined : JSON.parse(text), match);
      if (answer) return reply(response, answer);
    }
    if (!known) return reply(response, problemAnswer('unauthenticated'));
    const streamed = streamPath.exec(url.pathname);
    if (streamed) return stream(response, url, streamed[1]);
    reply(response, builtIn(request.method ?? 'GET', url));
  };

  return fake;
};

export type FakeServer = ReturnType<typeof createFakeServer>;

const reply = (response: ServerResponse, { status, body, headers }: Answer): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
};
