/** Requests that nobody in their right mind would send: never a 5xx, never a hang, always JSON. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '😀',
    '__proto__',
    'constructor',
    "'; drop table events; --",
    '../..',
    '%00',
    'ses_',
    'turn_',
    'NaN',
    '1e999',
    '-1',
    '9007199254740993',
  ),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  nasty,
  fc.double(),
  fc.constantFrom(null, true, -0, 1e308, 2 ** 53, [], {}),
  fc.array(fc.anything({ maxDepth: 2, values: [nasty, fc.integer()], key: nasty }), { maxLength: 4 }),
  fc.dictionary(
    fc.oneof(nasty, fc.constantFrom('message', 'input', 'payload', 'answers', 'request_id', 'definition', 'role', 'content', 'type', 'text', 'data')),
    fc.anything({ maxDepth: 2, values: [nasty] }),
    { maxKeys: 5 },
  ),
);
const members = fc.constantFrom(
  'message',
  'input',
  'metadata',
  'agent',
  'target',
  'title',
  'space',
  'initialMessage',
  'request_id',
  'payload',
  'answers',
  'expected_version',
  'agentKey',
  'displayName',
  'definition',
  'version',
  'timeoutSeconds',
  'token',
  'username',
  'password',
  'roles',
  'name',
  'scopes',
  'targets',
  'members',
  'expiresAt',
  'value',
  'maxConcurrent',
  'status',
);
const body = fc.oneof(value, fc.dictionary(members, value, { maxKeys: 6 }));

/** JSON as it goes over the wire; what JSON cannot say is left out. */
const textOf = (thing: unknown): string => JSON.stringify(thing, (_key, entry: unknown) => (typeof entry === 'bigint' ? Number(entry) : entry)) ?? 'null';

const sane = (status: number): boolean => status >= 200 && status < 500;

export const describeOddRequests = (target: () => Target): void => {
  const runs = { numRuns: 300, interruptAfterTimeLimit: 45_000 };

  describe('odd requests', () => {
    test('with any body are answered, on every route that takes one', async () => {
      const { call, newSession, agent, document } = target();
      const session = await newSession();
      const ids: Readonly<Record<string, string>> = { sessionId: session, turnId: 'turn_x', agentId: agent, list: 'items' };
      // All that the document names and that takes a body: a new route is tried without a change here.
      const routes = Object.entries(document.paths).flatMap(([template, methods]) =>
        Object.keys(methods)
          .filter((method) => method !== 'get')
          .map((method) => [method.toUpperCase(), template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'x')] as const)
          // Nothing of ours may end or change hands by chance.
          .filter(([verb, path]) => verb !== 'DELETE' && !path.endsWith('/logout')),
      );
      expect(routes.length).toBeGreaterThan(20);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...routes), body, async ([method, path], thing) => {
          const { status } = await call(method, path, { body: textOf(thing), key: freshKey() });
          expect([status, sane(status)]).toEqual([status, true]);
        }),
        runs,
      );
    }, 60_000);

    test('with any bytes for a body are answered', async () => {
      const { url, token, newSession } = target();
      const session = await newSession();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': freshKey() };
          const answer = await fetch(`${url}${sessions}/${session}/turns`, { method: 'POST', headers, body: Buffer.from(bytes) });
          await answer.text();
          expect(sane(answer.status)).toBe(true);
        }),
        runs,
      );
    }, 60_000);

    test('with any path or query are answered', async () => {
      const { url, token, newSession } = target();
      const session = await newSession();
      const part = fc.oneof(
        nasty.map((text) => encodeURIComponent(text.toWellFormed())),
        fc.constantFrom('%', '%ff', '%C0%80', '%ed%a0%80', session),
      );
      const tail = fc.constantFrom('', '/turns', '/events', '/events/stream', '/snapshot', '/items', '/usage', '/turns/turn_x', '/resources/items');
      const query = fc.array(fc.tuple(fc.constantFrom('after', 'limit', 'offset', 'status', 'q', 'wait', 'space', 'include_children'), part), { maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(part, tail, query, async (id, rest, pairs) => {
          const search = pairs.map(([name, text]) => `${name}=${text}`).join('&');
          for (const path of [`${sessions}/${id}${rest}`, `${sessions}/${session}${rest}`, `/api/v1/agents/${id}`, sessions]) {
            const controller = new AbortController();
            const answer = await fetch(`${url}${path}?${search}`, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal });
            expect([path, search, answer.status, sane(answer.status)]).toEqual([path, search, answer.status, true]);
            // A stream would not end by itself.
            if (answer.headers.get('content-type')?.startsWith('text/event-stream')) controller.abort();
            else await answer.text();
          }
        }),
        { ...runs, numRuns: 60 },
      );
    }, 60_000);
  });
};
