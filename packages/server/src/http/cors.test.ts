/** CO1 to CO3: pages of other sites. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const sessions = '/api/v1/agent-sessions';
const origin = 'https://app.example';
const corsHeaders = ({ headers }: Response): readonly string[] => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

let server: OpenHttp;
let any: OpenHttp;
beforeAll(async () => {
  server = await openHttp({ corsOrigins: [origin, 'http://localhost:5173'] });
  any = await openHttp({ corsOrigins: ['*'] });
});
afterAll(() => Promise.all([server.close(), any.close()]));

const preflight = (at: OpenHttp, from: string, path = sessions) =>
  fetch(`${at.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,idempotency-key' },
  });

describe('pages of other sites', () => {
  test('CO1: a preflight of an allowed origin is answered without a credential', async () => {
    const answer = await preflight(server, origin);
    expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([204, origin, 'Origin']);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    const names = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    expect(names).toEqual(expect.arrayContaining(['authorization', 'x-api-key', 'idempotency-key', 'last-event-id', 'x-file-name', 'content-type']));
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('CO1: another origin gets no word of leave, whatever it asks', async () => {
    for (const from of ['https://evil.example', `${origin}.evil.example`, 'http://app.example', 'null']) {
      const asked = await preflight(server, from);
      expect([from, asked.status, corsHeaders(asked), asked.headers.get('vary')]).toEqual([from, 204, [], 'Origin']);
      const answer = await fetch(`${server.url}${sessions}`, { headers: { origin: from, authorization: `Bearer ${server.token}` } });
      expect([from, answer.status, corsHeaders(answer), answer.headers.get('vary')]).toEqual([from, 200, [], 'Origin']);
    }
    expect(corsHeaders(await fetch(`${server.url}${sessions}`, { headers: { authorization: `Bearer ${server.token}` } }))).toEqual([]);
  });

  test('CO2: refusals and streams say so too', async () => {
    const session = await server.newSession();
    const turn = await server.submit(session, [[{ text: 'hi' }]]);
    await server.settled(session, turn);
    const paths = [sessions, `${sessions}/ses_none`, '/api/v1/none', `${sessions}/${session}/turns/${turn}/events/stream`];
    for (const path of paths) {
      for (const authorization of [`Bearer ${server.token}`, 'Bearer wrong']) {
        const answer = await fetch(`${server.url}${path}`, { headers: { origin, authorization } });
        expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, origin]);
        expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
        expect(answer.headers.get('access-control-expose-headers')).toContain('Idempotency-Replayed');
        await answer.text();
      }
    }
  });

  test('CO3: any origin, without credentials', async () => {
    const answer = await preflight(any, 'https://some.example');
    expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('access-control-allow-credentials')]).toEqual([
      204,
      '*',
      null,
    ]);
  });
});
