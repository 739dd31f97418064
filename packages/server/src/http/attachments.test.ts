/** UI2: what a submission may attach in all, over HTTP. */
import { randomUUID } from 'node:crypto';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const api = '/api/v1/agent-sessions';

let http: OpenHttp;
let session: string;
const files = new Map<number, string>();
beforeAll(async () => {
  http = await openHttp();
  session = await http.newSession();
});
afterAll(() => http.close());

/** A file of so many bytes, uploaded once. */
const file = async (size: number) => {
  if (!files.has(size)) {
    const answer = await fetch(`${http.url}${api}/${session}/files`, {
      method: 'POST',
      body: Buffer.alloc(size, 'x'),
      headers: { authorization: `Bearer ${http.token}`, 'content-type': 'text/plain', 'idempotency-key': randomUUID() },
    });
    files.set(size, String(((await answer.json()) as { id: string }).id));
  }
  return { type: 'file', file_id: files.get(size) };
};
const base64 = (size: number): string => Buffer.alloc(size, 1).toString('base64');
const image = (size: number) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(size) } });
const dataUrl = (size: number) => ({ type: 'image', source: { type: 'url', url: `data:image/png;base64,${base64(size)}` } });
const submit = (...content: readonly unknown[]) =>
  http.call(
    'POST',
    `${api}/${session}/turns`,
    { input: [{ role: 'user', content: [{ type: 'text', text: '{"steps":[]}' }, ...content] }] },
    { 'idempotency-key': randomUUID() },
  );

const whole = limits.fileBytes;
const rest = limits.attachedFileBytes - limits.fileBytes;
const tooLarge = { status: 413, body: { code: 'payload_too_large', limit: limits.attachedFileBytes } };

it('files of just so many bytes are taken, one byte more is refused', async () => {
  expect(await submit(await file(whole), await file(rest + 1))).toMatchObject(tooLarge);
  expect(await submit(await file(whole), await file(rest))).toMatchObject({ status: 202 });
});

it.each([
  ['as base64', image],
  ['in a data: URL', dataUrl],
])('so are those that come with the request, %s: by their own bytes, not by how they are written', async (_, inline) => {
  const size = 1_000_001;
  const near = await file(rest - size);
  expect(await submit(await file(whole), near, inline(size + 1))).toMatchObject(tooLarge);
  expect(await submit(await file(whole), near, inline(size))).toMatchObject({ status: 202 });
});

it('over several messages together; a link counts nothing', async () => {
  const link = { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } };
  const messages = async (last: number) => [
    { role: 'user', content: [{ type: 'text', text: '{"steps":[]}' }, await file(whole), link] },
    { role: 'user', content: [await file(last)] },
  ];
  const send = async (last: number) => http.call('POST', `${api}/${session}/turns`, { input: await messages(last) }, { 'idempotency-key': randomUUID() });
  expect(await send(rest + 1)).toMatchObject(tooLarge);
  expect(await send(rest)).toMatchObject({ status: 202 });
});

it('a message has 10 attachments; more is told by the limit and its place, wherever it is said, before any file is looked for', async () => {
  const link = { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } };
  const many = (count: number) => [
    { role: 'user', content: [{ type: 'text', text: '{"steps":[]}' }] },
    { role: 'user', content: [...Array.from({ length: count - 1 }, () => link), { type: 'data', data: { n: 1 } }, { type: 'file', file_id: 'file_none' }] },
  ];
  const key = () => ({ 'idempotency-key': randomUUID() });
  const tooMany = (at: string) => ({ status: 413, body: { code: 'payload_too_large', limit: limits.attachments, pointer: `${at}/input/1/content` } });
  expect(await http.call('POST', `${api}/${session}/turns`, { input: many(11) }, key())).toMatchObject(tooMany(''));
  expect(await http.call('POST', `${api}/${session}/inputs/inject`, { input: many(11) }, key())).toMatchObject(tooMany(''));
  expect(await http.call('POST', api, { agent: 'script', initialMessage: { input: many(11) } }, key())).toMatchObject(tooMany('/initialMessage'));
  // Ten are as many as there may be: now its file is missed.
  expect(await http.call('POST', `${api}/${session}/turns`, { input: many(10) }, key())).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
});
