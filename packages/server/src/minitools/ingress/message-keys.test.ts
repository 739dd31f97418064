import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { messageKeys } from './message-keys.ts';

const given = (body: string, headers: Record<string, string> = {}) => ({ body: Buffer.from(body), headers });
const sha = (text: string): string => `sha256-${createHash('sha256').update(text).digest('hex')}`;
const key = (...args: Parameters<typeof messageKeys>): string => messageKeys(...args).key;

describe('the key of a message (IK1)', () => {
  it.each([
    ['slack', '{"event_id":"Ev0PV52K21"}', {}, 'Ev0PV52K21'],
    ['telegram', '{"update_id":10000}', {}, '10000'],
    ['github', '{}', { 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }, '72d3162e-cc78-11e3-81ab-4c9367dc0958'],
    ['stripe', '{"id":"evt_1"}', {}, 'evt_1'],
    ['standard-webhooks', '{}', { 'webhook-id': 'msg_1' }, 'msg_1'],
  ] as const)('of %s is that of the platform', (platform, body, headers, wanted) => {
    expect(key({}, platform, given(body, headers))).toBe(wanted);
  });

  it('is where `dedupe` says, before the platform’s own', () => {
    const body = '{"event_id":"Ev1","a/b":[{"~x":"7"}]}';
    expect(key({ dedupe: '/a~1b/0/~0x' }, 'slack', given(body))).toBe('7');
    expect(key({ dedupe: 'X-My-Id' }, 'slack', given(body, { 'x-my-id': 'h' }))).toBe('h');
    expect(key({ dedupe: '/a' }, undefined, given('a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }))).toBe('1');
  });

  it('is the hash of the body where there is none', () => {
    for (const body of ['{"event_id":null}', '{"event_id":""}', '{', '[]', '{"event_id":{}}'.replace('{}', '""'), ''])
      expect(key({}, 'slack', given(body))).toBe(sha(body));
    expect(key({}, undefined, given('x'))).toBe(sha('x'));
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(key({ dedupe: '/0' }, undefined, given(deep))).toBe(sha(deep));
    // What objects are born with is not in the body.
    expect(key({ dedupe: '/constructor/name' }, undefined, given('{}'))).toBe(sha('{}'));
  });

  it('of two numbers that floating point makes one stays two (IK2)', () => {
    const [one, two] = ['9007199254740993', '9007199254740992'].map((id) => key({}, 'telegram', given(`{"update_id":${id}}`)));
    expect([one, two]).toEqual(['9007199254740993', '9007199254740992']);
  });

  it('that is too long, or no text that is kept, is hashed (IK3)', () => {
    for (const id of ['x'.repeat(201), 'a\0b', 'a\nb', '\ud800'])
      expect(key({ dedupe: '/id' }, undefined, given(JSON.stringify({ id })))).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(key({ dedupe: '/id' }, undefined, given('{"id":"général ✓"}'))).toBe('général ✓');
  });
});

describe('the order key', () => {
  it('is empty where none is named or found, so that all go one after another', () => {
    expect(messageKeys({}, 'telegram', given('{}')).orderKey).toBe('');
    expect(messageKeys({ orderKey: '/message/chat/id' }, 'telegram', given('{}')).orderKey).toBe('');
  });

  it('is read from the body or a header', () => {
    expect(messageKeys({ orderKey: '/message/chat/id' }, 'telegram', given('{"message":{"chat":{"id":-1001}}}')).orderKey).toBe('-1001');
    expect(messageKeys({ orderKey: 'X-Lane' }, undefined, given('', { 'x-lane': 'a' })).orderKey).toBe('a');
  });
});
