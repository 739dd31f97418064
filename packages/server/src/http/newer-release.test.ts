/** FM3 on the wire: what a newer release wrote is answered by 503 and a time to try again, whatever is asked of it. */
import { afterEach, expect, test } from 'vitest';
import type { SessionStore } from '../ports/session-store.ts';
import { openHttp } from '../testing/http/open-http.ts';
import { createdSession } from '../testing/store-contract/samples.ts';

let server: Awaited<ReturnType<typeof openHttp>> | undefined;
afterEach(() => server?.close());

test('FM3 a session of a newer release: 503 newer_release with Retry-After, for writing and for each way of reading', async () => {
  let opened: SessionStore | undefined;
  const wrapStore = (store: SessionStore): SessionStore => {
    opened = store;
    return store;
  };
  server = await openHttp({ wrapStore });
  if (!opened) return expect.fail('no store was opened');
  const { id } = await createdSession(opened, { owner: 'user:user_1', write: { state: { body: '{"v":2}', due: null } } });
  const session = `/api/v1/agent-sessions/${id}`;
  const submit = server.call('POST', `${session}/turns`, { message: 'x' }, { 'idempotency-key': 'k' });
  const reads = ['', '/events', '/events/stream', '/snapshot'].map((path) => server?.call('GET', `${session}${path}`));
  for (const answer of await Promise.all([submit, ...reads])) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'newer_release' } });
    expect(answer?.headers.get('retry-after')).toBe('2');
  }
});
