/** Files in, artifacts out. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

type File = {
  readonly id: string;
  readonly file_id: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly download_url: string;
};

export const describeFiles = (target: () => Target): void => {
  const upload = (session: string, bytes: string, headers: Readonly<Record<string, string>> = {}, key = freshKey()) =>
    target().call('POST', `${sessions}/${session}/files`, {
      body: bytes,
      key,
      headers: { 'content-type': 'text/plain', 'x-file-name': 'note.txt', ...headers },
    });
  const fetched = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${target().url}${path}`, { headers: { authorization: `Bearer ${target().token}`, ...headers } });

  describe('files', () => {
    test('are uploaded, listed, read and downloaded as they were', async () => {
      const { call, newSession } = target();
      const session = await newSession();
      const made = await upload(session, 'Grüezi ✓', { 'x-file-name': encodeURIComponent('Brief an José.txt') });
      expect(made).toMatchObject({ status: 201, body: { name: 'Brief an José.txt', media_type: 'text/plain', size: 11 } });
      const file = made.body as unknown as File;
      expect(file.id).toBe(file.file_id);
      expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect((await call('GET', `${sessions}/${session}/files`)).body).toEqual({ items: [file], next_offset: null });
      expect((await call('GET', `${sessions}/${session}/files/${file.id}`)).body).toEqual(file);
      const answer = await fetched(file.download_url);
      expect([answer.status, await answer.text()]).toEqual([200, 'Grüezi ✓']);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment;.*filename\*=UTF-8''Brief%20an%20Jos%C3%A9\.txt$/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    });

    test('are read in parts, and not again by who has them', async () => {
      const session = await target().newSession();
      const { download_url } = (await upload(session, '0123456789')).body as unknown as File;
      for (const [range, part] of [
        ['bytes=2-4', '234'],
        ['bytes=-3', '789'],
        ['bytes=8-', '89'],
      ] as const) {
        const answer = await fetched(download_url, { range });
        expect([answer.status, await answer.text()]).toEqual([206, part]);
      }
      expect((await fetched(download_url, { range: 'bytes=10-' })).status).toBe(416);
      const etag = (await fetched(download_url)).headers.get('etag') ?? '';
      expect((await fetched(download_url, { 'if-none-match': etag })).status).toBe(304);
    });

    test('come once a key; other bytes under it are a conflict', async () => {
      const session = await target().newSession();
      const key = freshKey();
      const first = await upload(session, 'same', {}, key);
      const again = await upload(session, 'same', {}, key);
      expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([201, first.body, 'true']);
      expect(await upload(session, 'other', {}, key)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      expect(await target().call('POST', `${sessions}/${session}/files`, { body: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'idempotency_key_required' },
      });
    });

    test('over 16 MiB are refused, and nothing of them is there', async () => {
      const { call, newSession } = target();
      const session = await newSession();
      const limit = 16 * 1024 * 1024;
      expect(await upload(session, 'x'.repeat(limit + 1))).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit } });
      expect((await call('GET', `${sessions}/${session}/files`)).body['items']).toEqual([]);
    });

    test('are of their session alone, and go with it', async () => {
      const { call, newSession } = target();
      const [session, other] = [await newSession(), await newSession()];
      const file = (await upload(session, 'x')).body as unknown as File;
      expect(await call('GET', `${sessions}/${other}/files/${file.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect((await fetched(`${sessions}/${other}/files/${file.id}/content`)).status).toBe(404);
      expect((await call('DELETE', `${sessions}/${session}`)).status).toBe(204);
      expect((await fetched(file.download_url)).status).toBe(404);
    });
  });

  describe('artifacts', () => {
    test('show a file or an https address, in list, log and snapshot, until they are taken back', async () => {
      const { call, newSession, history } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      const file = (await upload(session, 'result')).body as unknown as File;
      const key = freshKey();
      const made = await call('POST', `${path}/artifacts`, { body: { file_id: file.id }, key });
      expect(made).toMatchObject({ status: 201, body: { file_id: file.id, name: 'note.txt', sha256: file.sha256, size: 6 } });
      expect((await call('POST', `${path}/artifacts`, { body: { file_id: file.id }, key })).body).toEqual(made.body);
      const link = await call('POST', `${path}/artifacts`, { body: { name: 'Board', uri: 'https://example.com/board' }, key: freshKey() });
      expect(link).toMatchObject({ status: 201, body: { uri: 'https://example.com/board' } });
      for (const uri of ['http://example.com', 'javascript:alert(1)'])
        expect(await call('POST', `${path}/artifacts`, { body: { name: 'x', uri }, key: freshKey() })).toMatchObject({ status: 422 });
      expect(await call('POST', `${path}/artifacts`, { body: { file_id: 'file_unknown' }, key: freshKey() })).toMatchObject({ status: 404 });
      const id = String(made.body['artifact_id']);
      expect((await call('GET', `${path}/artifacts/${id}`)).body['artifact_id']).toBe(id);
      const shown = (await call('GET', `${path}/snapshot`)).body['artifacts'] as { data: { artifact_id: string } }[];
      expect(shown.map(({ data }) => data.artifact_id)).toEqual([id, link.body['artifact_id']]);
      expect((await call('DELETE', `${path}/artifacts/${id}`)).status).toBe(204);
      expect((await call('GET', `${path}/artifacts/${id}`)).status).toBe(404);
      expect((await call('GET', `${path}/artifacts`)).body['items']).toHaveLength(1);
      const types = (await history(`${path}/events`)).map(({ type }) => type).filter((type) => type.startsWith('artifact.'));
      expect(types).toEqual(['artifact.published', 'artifact.published', 'artifact.deleted']);
    });

    test('of a turn are what its agent made of what it was given', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      await upload(session, 'from a person', { 'x-file-name': 'in.txt' });
      const turn = await submit(session, [
        [{ tool: { name: 'list_files', input: {} } }],
        [{ tool: { name: 'read_file', input: { path: 'uploads/in.txt' } } }],
        [{ tool: { name: 'write_file', input: { path: 'out/summary.md', content: 'All is well.' } } }],
        [{ tool: { name: 'write_file', input: { path: '../escape', content: 'x' } } }],
        [{ tool: { name: 'publish_artifact', input: { path: 'out/summary.md' } } }],
        [{ text: 'Done.' }],
      ]);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'Done.' });
      const tools = Object.values((await call('GET', `${path}/turns/${turn}/snapshot`)).body['tools'] as object) as {
        status: string;
        output: { text: string }[];
      }[];
      expect(tools.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'error', 'success']);
      expect(tools[0]?.output[0]?.text).toContain('uploads/in.txt');
      expect(tools[1]?.output[0]?.text).toBe('from a person');
      const { items } = (await call('GET', `${path}/turns/${turn}/artifacts`)).body as { items: { artifact_id: string; name: string; turn_id: string }[] };
      expect(items).toMatchObject([{ name: 'summary.md', turn_id: turn }]);
      const answer = await fetched(`${path}/turns/${turn}/artifacts/${items[0]?.artifact_id}`);
      expect([answer.status, await answer.text()]).toEqual([200, 'All is well.']);
      expect(Object.keys((await call('GET', `${path}/turns/${turn}/snapshot`)).body['artifacts'] as object)).toEqual([items[0]?.artifact_id]);
    });
  });
};
