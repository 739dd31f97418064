/** Files and artifacts over HTTP: what goes in comes out, to nobody else, and harms nobody. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const api = '/api/v1/agent-sessions';
const mebibyte = 1024 * 1024;
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

let http: OpenHttp;
beforeAll(async () => {
  http = await openHttp();
});
afterAll(() => http.close());

type Sent = {
  readonly name?: string;
  readonly type?: string;
  readonly key?: string | null;
  readonly token?: string;
  readonly headers?: Record<string, string>;
};

const upload = async (
  session: string,
  bytes: Uint8Array<ArrayBuffer> | string | ReadableStream,
  { name, type, key, token = http.token, headers = {} }: Sent = {},
) => {
  const answer = await fetch(`${http.url}${api}/${session}/files`, {
    method: 'POST',
    body: bytes,
    ...(bytes instanceof ReadableStream ? { duplex: 'half' } : {}),
    headers: {
      authorization: `Bearer ${token}`,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(name === undefined ? {} : { 'x-file-name': encodeURIComponent(name) }),
      ...(key === null ? {} : { 'idempotency-key': key ?? randomUUID() }),
      ...headers,
    },
  } as RequestInit);
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body: (await answer.json()) as Record<string, unknown> };
};
const download = (session: string, file: unknown, headers: Record<string, string> = {}, token = http.token) =>
  fetch(`${http.url}${api}/${session}/files/${file}/content`, { headers: { authorization: `Bearer ${token}`, ...headers } });

const looseOf = async (session: string): Promise<readonly string[]> =>
  (await http.app.files.index.loose(Date.now() + 1_000_000, 10_000)).filter((blob) => blob.startsWith(session));

describe('an upload', () => {
  it('is answered with what it is, and read back byte for byte', async () => {
    const session = await http.newSession();
    const bytes = randomBytes(300_000);
    const { status, body } = await upload(session, new Uint8Array(bytes), { name: '报告 "Q3".pdf', type: 'application/PDF; x=1' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body['file_id'],
      file_id: body['id'],
      name: '报告 _Q3_.pdf',
      media_type: 'application/pdf',
      size: 300_000,
      sha256: sha256(bytes),
      created_at: expect.any(Number),
      download_url: `${api}/${session}/files/${body['id']}/content`,
    });
    const answer = await download(session, body['id']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '300000',
      'content-disposition': `attachment; filename="__ _Q3_.pdf"; filename*=UTF-8''%E6%8A%A5%E5%91%8A%20_Q3_.pdf`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: `"${sha256(bytes)}"`,
      'accept-ranges': 'bytes',
    });
    expect((await http.call('GET', `${api}/${session}/files/${body['id']}`)).body).toEqual(body);
    expect((await http.call('GET', `${api}/${session}/files?limit=1`)).body).toEqual({ items: [body], next_offset: null });
    expect(await looseOf(session)).toEqual([]);
  });

  it('may be empty, of any type, JSON too, and without a name', async () => {
    const session = await http.newSession();
    const empty = await upload(session, '', { type: 'text/plain' });
    expect(empty.body).toMatchObject({ size: 0, name: 'file', sha256: sha256('') });
    expect(await (await download(session, empty.body['id'])).text()).toBe('');
    const json = await upload(session, '{"not": json', { type: 'application/json', name: 'a.json' });
    expect(json.body).toMatchObject({ size: 12, media_type: 'application/json' });
    expect((await upload(session, new Uint8Array([1]), {})).body).toMatchObject({ media_type: 'application/octet-stream' });
  });

  it('is no form: its boundaries would be kept as the file', async () => {
    const session = await http.newSession();
    const refused = await upload(session, '--x\r\n\r\nbytes\r\n--x--', { type: 'Multipart/form-data; boundary=x' });
    expect(refused).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    expect(refused.body['detail']).toContain('send the bytes themselves as the body');
    expect((await upload(session, 'x', { type: 'text/multipart' })).status).toBe(201);
  });

  it('gets a name that can do no harm (FN2), and its own place beside others of that name', async () => {
    const session = await http.newSession();
    const named = async (name: string): Promise<unknown> => (await upload(session, 'x', { name })).body['name'];
    expect(await named('../../etc/passwd')).toBe('passwd');
    expect(await named('a\r\nSet-Cookie: x\u0000.txt')).toBe('aSet-Cookie_ x.txt');
    expect(await named('ann\u202etxt.exe')).toBe('anntxt.exe');
    expect(String(await named('长'.repeat(400)))).toHaveLength(200);
    expect(await named('same.txt')).toBe('same.txt');
    expect(await named('same.txt')).toBe('same.txt');
    const raw = await upload(session, 'x', { headers: { 'x-file-name': '100%.txt' } });
    expect(raw.body['name']).toBe('100%.txt');
    const paths = (await http.app.files.index.paths(session, 100)).map(({ path }) => path);
    expect(paths).toContain('uploads/same.txt');
    expect(paths).toContain('uploads/same-2.txt');
    for (const file of (await http.call('GET', `${api}/${session}/files`)).body['items'] as { id: string }[])
      expect((await download(session, file.id)).headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.!~-]+$/,
      );
  });

  it('of 16 MiB is taken; one byte more is 413, told at once by its length or while it comes, and leaves nothing', async () => {
    const session = await http.newSession();
    const full = new Uint8Array(16 * mebibyte).fill(7);
    expect((await upload(session, full)).status).toBe(201);
    expect(await upload(session, new Uint8Array(16 * mebibyte + 1))).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit: 16 * mebibyte } });
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        if (sent > 40) controller.close();
        else controller.enqueue(new Uint8Array(mebibyte));
      },
    });
    expect(await upload(session, endless)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect((await http.call('GET', `${api}/${session}/files`)).body['items']).toHaveLength(1);
    expect(await looseOf(session)).toEqual([]);
    // The connection and the key are as before.
    expect((await http.call('GET', `${api}/${session}`)).status).toBe(200);
  });

  it('that breaks off leaves no file', async () => {
    const session = await http.newSession();
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${http.token}`, 'idempotency-key': randomUUID(), 'content-length': '1000' };
      const sending = request(`${http.url}${api}/${session}/files`, { method: 'POST', headers });
      sending.on('error', () => resolve());
      sending.write(Buffer.alloc(500));
      setTimeout(() => sending.destroy(), 100);
    });
    await expect.poll(async () => (await looseOf(session)).length).toBe(0);
    expect((await http.call('GET', `${api}/${session}/files`)).body['items']).toEqual([]);
  });

  it('needs a key, a session of one’s own, and a body as it is', async () => {
    const session = await http.newSession();
    expect(await upload(session, 'x', { key: null })).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
    expect(await upload(session, 'x', { key: ' ' })).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    const strange = await upload(session, 'x', { token: http.otherToken });
    const unknown = await upload('ses_0', 'x', { token: http.otherToken });
    expect([strange.status, { ...strange.body, request_id: '' }]).toEqual([404, { ...unknown.body, request_id: '' }]);
    expect(await upload(session, 'x', { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ status: 415 });
    expect((await http.call('GET', `${api}/${session}/files`)).body['items']).toEqual([]);
  });

  it('that is repeated with its key gives the first one again; with other bytes, name or type it is a conflict', async () => {
    const session = await http.newSession();
    const key = randomUUID();
    const all = await Promise.all([1, 2, 3].map(() => upload(session, 'same', { key, name: 'a.txt', type: 'text/plain' })));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(all.map(({ body }) => body['id'])).size).toBe(1);
    const again = await upload(session, 'same', { key, name: 'a.txt', type: 'text/plain' });
    expect(again).toMatchObject({ status: 201, replayed: 'true', body: all[0]?.body });
    for (const [bytes, name, type] of [
      ['other', 'a.txt', 'text/plain'],
      ['same', 'b.txt', 'text/plain'],
      ['same', 'a.txt', 'text/html'],
    ] as const)
      expect(await upload(session, bytes, { key, name, type })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect((await http.call('GET', `${api}/${session}/files`)).body['items']).toHaveLength(1);
    expect(await looseOf(session)).toEqual([]);
    expect((await upload(await http.newSession(), 'other', { key })).status).toBe(201);
  });
});

describe('a download', () => {
  const text = '0123456789';
  let session: string;
  let file: string;
  let etag: string;
  beforeAll(async () => {
    session = await http.newSession();
    file = String((await upload(session, text, { name: 'a.html', type: 'text/html' })).body['id']);
    etag = `"${sha256(text)}"`;
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', text, 'bytes 0-9/10'],
    ['bytes=5-99999999999999', '56789', 'bytes 5-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
  ])('of %s is a part', async (range, part, told) => {
    const answer = await download(session, file, { range });
    expect([answer.status, answer.headers.get('content-range'), answer.headers.get('content-length'), await answer.text()]).toEqual([
      206,
      told,
      String(part.length),
      part,
    ]);
  });

  it.each(['bytes=0-1,3-4', 'bytes=4-2', 'lines=1-2', 'bytes=', 'bytes=a-b', 'bytes=-'])('of %j is all of it', async (range) => {
    const answer = await download(session, file, { range });
    expect([answer.status, await answer.text()]).toEqual([200, text]);
  });

  it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('of %s is 416', async (range) => {
    const answer = await download(session, file, { range });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([416, 'range_not_satisfiable']);
  });

  it('is not repeated for who has it', async () => {
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await download(session, file, { 'if-none-match': header });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await download(session, file, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await download(session, file, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await download(session, file, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  it('tells its length to HEAD, and sends nothing', async () => {
    const answer = await fetch(`${http.url}${api}/${session}/files/${file}/content`, { method: 'HEAD', headers: { authorization: `Bearer ${http.token}` } });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
  });

  it('is for those of its session alone: another owner and another session get what is not there', async () => {
    const other = await http.newSession();
    for (const path of [`${other}/files/${file}`, `${other}/files/${file}/content`, `${session}/files/file_0`])
      expect((await http.call('GET', `${api}/${path}`)).status).toBe(404);
    expect((await download(session, file, {}, http.otherToken)).status).toBe(404);
    expect((await http.call('GET', `${api}/${session}/files`, undefined, { authorization: `Bearer ${http.otherToken}` })).status).toBe(404);
  });
});

describe('an artifact', () => {
  it('is published once a key, listed, shown in snapshots and told in the log', async () => {
    const session = await http.newSession();
    const file = (await upload(session, 'result', { name: 'r.txt', type: 'text/plain' })).body;
    const key = { 'idempotency-key': randomUUID() };
    const publish = { file_id: file['id'], name: 'Result.txt' };
    const made = await http.call('POST', `${api}/${session}/artifacts`, publish, key);
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Result.txt', file_id: file['id'], media_type: 'text/plain', size: 6, sha256: file['sha256'], download_url: file['download_url'] },
    });
    const again = await http.call('POST', `${api}/${session}/artifacts`, { file_id: file['id'], name: 'Result.txt' }, key);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', made.body]);
    expect((await http.call('POST', `${api}/${session}/artifacts`, { file_id: file['id'] }, key)).status).toBe(409);
    const link = await http.call(
      'POST',
      `${api}/${session}/artifacts`,
      { name: 'Elsewhere', uri: 'https://example.com/x?y=1' },
      { 'idempotency-key': randomUUID() },
    );
    expect(link.body).toMatchObject({ name: 'Elsewhere', uri: 'https://example.com/x?y=1' });
    // The moment of the commit, which the answer tells as nearly as it could.
    const dated = (body: object) => ({ ...body, created_at: expect.any(Number) });
    expect((await http.call('GET', `${api}/${session}/artifacts`)).body).toEqual({ items: [dated(made.body), dated(link.body)], next_offset: null });
    expect((await http.call('GET', `${api}/${session}/artifacts?limit=1&offset=1`)).body).toEqual({ items: [dated(link.body)], next_offset: null });
    expect((await http.call('GET', `${api}/${session}/artifacts/${made.body['artifact_id']}`)).body).toEqual(dated(made.body));
    const snapshot = (await http.call('GET', `${api}/${session}/snapshot`)).body;
    expect((snapshot['artifacts'] as { type: string; data: object }[]).map(({ type, data }) => [type, data])).toMatchObject([
      ['artifact.updated', { artifact_id: made.body['artifact_id'], status: 'published' }],
      ['artifact.updated', { uri: 'https://example.com/x?y=1' }],
    ]);
    expect((await http.call('GET', `${api}/${session}/resources/artifacts`)).body['data']).toHaveLength(2);

    expect((await http.call('DELETE', `${api}/${session}/artifacts/${made.body['artifact_id']}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await http.call(method, `${api}/${session}/artifacts/${made.body['artifact_id']}`)).status).toBe(404);
    expect((await http.call('GET', `${api}/${session}/artifacts`)).body['items']).toEqual([dated(link.body)]);
    expect((await http.call('GET', `${api}/${session}/snapshot`)).body['artifacts']).toHaveLength(1);
    const events = (await http.call('GET', `${api}/${session}/events`)).body['data'] as { type: string }[];
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('artifact'))).toEqual([
      'artifact.published',
      'artifact.published',
      'artifact.deleted',
    ]);
    expect((await download(session, file['id'])).status).toBe(200);
  });

  it('must be of a file of the session, or at an https address', async () => {
    const session = await http.newSession();
    const other = (await upload(await http.newSession(), 'x')).body['id'];
    const publish = (body: object) => http.call('POST', `${api}/${session}/artifacts`, body, { 'idempotency-key': randomUUID() });
    expect((await publish({ file_id: other })).status).toBe(404);
    for (const body of [
      {},
      { name: 'x', uri: 'http://example.com' },
      { name: 'x', uri: 'javascript:alert(1)' },
      { name: 'x', uri: 'file:///etc/passwd' },
      { name: 'x', uri: 'https://user:pw@example.com/' },
      ...['https:user:pw@example.com', 'https:/user@example.com', 'https:///user:pw@example.com', 'https:\\\\user:pw@example.com'].map((uri) => ({
        name: 'x',
        uri,
      })),
      { uri: 'https://example.com' },
      { name: 'x', uri: 'https://example.com', sha256: 'abc' },
      { file_id: 'a', uri: 'https://example.com', name: 'x' },
    ])
      expect([(await publish(body)).status, body]).toEqual([422, body]);
    expect((await http.call('POST', `${api}/${session}/artifacts`, { name: 'x', uri: 'https://example.com' })).status).toBe(400);
  });
});

it('files go with their session, and their bytes too', async () => {
  const session = await http.newSession();
  const file = (await upload(session, 'x')).body['id'];
  const row = await http.app.files.fileOf(session, String(file));
  expect((await http.call('DELETE', `${api}/${session}`)).status).toBe(204);
  expect((await download(session, file)).status).toBe(404);
  expect((await upload(session, 'y')).status).toBe(404);
  await expect.poll(async () => row && (await http.app.files.blobs.get(row.blob))).toBeUndefined();
  expect(await http.app.files.fileOf(session, String(file))).toBeUndefined();
  expect(await looseOf(session)).toEqual([]);
});
