/** Refusals: problem documents, one for each kind of fault. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

export const describeErrors = (target: () => Target): void => {
  describe('a refusal', () => {
    test('is a problem document with a code and the id of the request', async () => {
      const { call } = target();
      const answer = await call('GET', `${sessions}/ses_none`, { headers: { 'x-request-id': 'find.me-1' } });
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.headers.get('x-request-id')).toBe('find.me-1');
      expect(answer.body).toMatchObject({
        status: 404,
        code: 'not_found',
        error: 'not_found',
        request_id: 'find.me-1',
        title: expect.any(String),
        detail: expect.any(String),
      });
      expect(String(answer.body['type'])).toContain('not_found');
    });

    test('names every fault of a body, by pointer', async () => {
      const answer = await target().call('POST', '/api/v1/agents', {
        body: { agentKey: 'Bad Key', displayName: '', definition: { model: 'x', tools: [{ type: 'function' }] } },
      });
      expect(answer.status).toBe(422);
      const pointers = (answer.body['errors'] as { pointer: string; detail: string }[]).map(({ pointer }) => pointer);
      expect(pointers).toEqual(expect.arrayContaining(['/agentKey', '/displayName', '/definition/system', '/definition/model', '/definition/tools/0/name']));
    });

    test('tells a malformed body from a wrong type, a large one and a wrong one', async () => {
      const { call, newSession } = target();
      const path = `${sessions}/${await newSession()}/turns`;
      const send = (body: string, headers: Record<string, string> = {}) => call('POST', path, { body, key: freshKey(), headers });
      expect(await send('{"message":')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(await send('message=x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
      expect(await send(`{"message":"${'x'.repeat(9_000_000)}"}`)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      expect(await send(JSON.stringify({ message: '😀'.repeat(100_001) }))).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit: 100_000 } });
      expect(await send(JSON.stringify({ message: '😀'.repeat(100_000) }))).toMatchObject({ status: 202 });
      expect(await send('{}')).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(await send('{"message":"x","input":[{"role":"user","content":[{"type":"text","text":"y"}]}]}')).toMatchObject({ status: 422 });
      expect(await send('{"message":"nul \\u0000 inside"}')).toMatchObject({ status: 422 });
    });

    test('of what is not there does not depend on why', async () => {
      const { call, newSession } = target();
      const session = await newSession();
      for (const tail of [
        `${session}/turns/turn_none`,
        `${session}/turns/turn_none/snapshot`,
        `${session}/turns/turn_none/events/stream`,
        'ses_none',
        'ses_none/events/stream',
        'nonsense',
        `${session}/nothing`,
      ]) {
        expect([tail, await call('GET', `${sessions}/${tail}`)]).toMatchObject([tail, { status: 404, body: { code: 'not_found' } }]);
      }
    });
  });
};
