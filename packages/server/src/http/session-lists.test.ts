/** The list of sessions, as it is asked for over HTTP. */
import { resourceKinds } from '@turnkeeper/core/view/resources';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listedKinds } from '../app/page-cursors.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const api = '/api/v1/agent-sessions';
/** How often items were read. */
let reads = 0;
/** Behind every item; with it they come one by one. */
let padding = '';
const wrapStore = (store: SessionStore): SessionStore => ({
  ...store,
  items: async (query) => {
    reads += 1;
    const rows = await store.items(query);
    return padding === '' ? rows : rows.slice(0, 1).map((row) => ({ ...row, body: `${row.body}${padding}` }));
  },
});

let server: OpenHttp;
const made: Record<string, string> = {};
const create = async (title: string, metadata: object, ...answers: readonly string[]): Promise<void> => {
  const { body } = await server.call('POST', api, { agent: 'script', title, metadata });
  const id = String(body['id']);
  made[title] = id;
  for (const text of answers) await server.settled(id, await server.submit(id, [[{ text }]]));
};
beforeAll(async () => {
  server = await openHttp({ wrapStore });
  await create('one', { ticket: 'A-1', n: 4, nested: { ticket: 'B-2' } }, 'The Wéather is fine', 'second');
  await create('two', { ticket: 'B-2', n: '4', done: true }, '今天天气很好');
  await create('three', { 'a.b"c': null, n: 40 }, 'nothing');
});
afterAll(() => server.close());

const page = async (query: string) => (await server.call('GET', `${api}?${query}`)).body as { items: { title: string }[]; next_offset: number | null };
const titles = async (query: string): Promise<string[]> => (await page(query)).items.map(({ title }) => title);

describe('metadata', () => {
  test.each([
    ['metadata.ticket=B-2', ['two']],
    ['metadata.ticket=b-2', []],
    ['metadata.ticket=B', []],
    ['metadata.n=4', ['two', 'one']],
    ['metadata.n=4&metadata.ticket=A-1', ['one']],
    ['metadata.n=4&metadata.done=true', ['two']],
    [`${encodeURIComponent('metadata.a.b"c')}=null`, ['three']],
    ['metadata.nested=B-2', []],
    ['metadata.__proto__=x', []],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('a filter that says nothing is refused, as are too many', async () => {
    const many = Array.from({ length: 9 }, (_, n) => `metadata.k${n}=1`).join('&');
    for (const query of ['metadata.=1', 'metadata.a=1&metadata.a=2', many, 'activity=asleep', 'created_from=soon', 'order=title', `text=${'x'.repeat(201)}`]) {
      expect([query, await server.call('GET', `${api}?${query}`)]).toMatchObject([query, { status: 422, body: { code: 'validation_failed' } }]);
    }
  });
});

test('what they do, what they were made for, and when', async () => {
  const target = String(((await server.call('GET', `${api}/${made['one']}`)).body['target'] as { id: string }).id);
  expect(await titles('activity=idle')).toEqual(['three', 'two', 'one']);
  const waiting = await server.submit(made['one'] ?? '', [[{ hang: true }]]);
  await expect.poll(() => titles('activity=running')).toEqual(['one']);
  await server.call('POST', `${api}/${made['one']}/turns/${waiting}/cancel`, {}, { 'idempotency-key': 'cancel' });
  await server.settled(made['one'] ?? '', waiting);
  expect(await titles(`target=${target}`)).toEqual(['three', 'two', 'one']);
  expect(await titles('target=agent_none')).toEqual([]);
  // In every configuration, but not as its target.
  expect(await titles('target=demo:script')).toEqual([]);
  expect(await titles('order=updated')).toEqual(['one', 'three', 'two']);
  const { createdAt } = (await server.call('GET', `${api}/${made['two']}`)).body as { createdAt: number };
  expect(await titles(`created_before=${createdAt}`)).toEqual(['one']);
  expect((await titles(`created_from=${createdAt}`)).toSorted()).toEqual(['three', 'two']);
  expect(await titles(`updated_from=${Date.now() + 60_000}`)).toEqual([]);
});

describe('what was said', () => {
  test.each([
    ['wéather', ['one']],
    ['天气', ['two']],
    ['nothing', ['three']],
    // The messages of the user are scripts.
    ['"text"', ['three', 'two', 'one']],
    ['steps', ['three', 'two', 'one']],
    ['assistant', []],
    ['one', []],
  ])('%s', async (text, expected) => {
    expect(await page(`text=${encodeURIComponent(text)}`)).toEqual({ items: expected.map((title) => expect.objectContaining({ title })), next_offset: null });
  });

  test('goes with the other filters, page by page', async () => {
    expect(await titles('text=steps&q=tw')).toEqual(['two']);
    expect(await titles('text=steps&metadata.n=4')).toEqual(['two', 'one']);
    const first = await page('text=steps&limit=2');
    expect(first).toMatchObject({ items: [{ title: 'three' }, { title: 'two' }], next_offset: 2, searched_until: expect.any(Number) });
    expect(await page('text=steps&limit=2&offset=2')).toMatchObject({ items: [{ title: 'one' }], next_offset: null });
  });

  test('is found by those who may read it, and not even read for others', async () => {
    const other = { authorization: `Bearer ${server.otherToken}` };
    reads = 0;
    expect((await server.call('GET', `${api}?text=steps`, undefined, other)).body).toEqual({ items: [], next_offset: null });
    expect(reads).toBe(0);
  });

  test('without it, nothing of the sort is read', async () => {
    reads = 0;
    await titles('q=one');
    expect(reads).toBe(0);
  });

  test('one answer looks through so much; the next goes on where it ended', async () => {
    padding = ' '.repeat(17 * 1024 * 1024);
    try {
      const first = await page('text=w%C3%A9ather');
      const { createdAt } = (await server.call('GET', `${api}/${made['three']}`)).body as { createdAt: number };
      expect(first).toEqual({ items: [], next_offset: 1, searched_until: createdAt });
      expect(await page('text=w%C3%A9ather&offset=1')).toEqual({ items: [expect.objectContaining({ title: 'one' })], next_offset: null });
    } finally {
      padding = '';
    }
  });
});

test('every kind of resource has a list, but for what is one number a session', () => {
  expect(Object.values(listedKinds).toSorted()).toEqual(resourceKinds.filter((kind) => kind !== 'usage').toSorted());
});

test('every list of a session answers', async () => {
  for (const list of Object.keys(listedKinds))
    expect([list, await server.call('GET', `${api}/${made['one']}/resources/${list}`)]).toMatchObject([
      list,
      { status: 200, body: { as_of: expect.any(String), has_more: false, next_cursor: null } },
    ]);
});
