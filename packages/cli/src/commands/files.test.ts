import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sizeText } from '../local-file.ts';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const session = { id: 'ses_1', title: 'One', status: 'idle', archived: false, owner: { type: 'user', id: 'usr_1' }, createdAt: 1, updatedAt: 1 };
const file = {
  id: 'file_1',
  file_id: 'file_1',
  name: '../evil\u202e.txt',
  media_type: 'text/plain',
  size: 2048,
  sha256: 'x',
  created_at: 0,
  download_url: '/x',
};
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/agent-sessions$/, { items: [session], next_offset: null });
});
afterEach(() => rig.stop());

test('files and artifacts are listed', async () => {
  rig.route('GET', /\/ses_1\/files$/, { items: [file], next_offset: null });
  rig.route('GET', /\/ses_1\/artifacts$/, { items: [{ artifact_id: 'art_1', name: 'Board', uri: 'https://example.com/b', created_at: 0 }], next_offset: null });
  const { out } = await rig.run(['files']);
  expect(out).toMatch(/^file_1 {2}.*text\/plain {2}2\.0 KiB {2}1970/);
  expect(out).not.toContain('\u202e');
  expect((await rig.run(['artifacts', 'ses_1'])).out).toContain('art_1  Board  https://example.com/b');
  expect(JSON.parse((await rig.run(['files', '--json'])).out)).toEqual({ items: [file] });
});

/** The rig's server speaks JSON: bytes want one of their own. */
const withBytes = async (work: (url: string, got: { path: string; name: unknown; body: string }[]) => Promise<void>): Promise<void> => {
  const got: { path: string; name: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      got.push({ path, name: request.headers['x-file-name'], body: Buffer.concat(parts).toString() });
      if (path.endsWith('/content')) response.end('the bytes');
      else
        response.end(
          JSON.stringify(
            path.includes('/files')
              ? file
              : path.includes('/artifacts')
                ? { artifact_id: 'art_1', name: 'r.md', file_id: 'file_1' }
                : { items: [session], next_offset: null },
          ),
        );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, got);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
};

test('upload sends a file under its name', () =>
  withBytes(async (url, got) => {
    writeFileSync(join(rig.folder, 'ä.txt'), 'inside');
    const { code, out } = await rig.run(['upload', 'ä.txt', '--url', url]);
    expect([code, out]).toEqual([0, expect.stringContaining('as file_1')]);
    expect(got.at(-1)).toMatchObject({ path: '/api/v1/agent-sessions/ses_1/files', name: '%C3%A4.txt', body: 'inside' });
    expect(await rig.run(['upload', 'missing.txt', '--url', url])).toMatchObject({ code: 2 });
  }));

test('download saves under a safe name, never over what is there, and the file of an artifact', () =>
  withBytes(async (url) => {
    const target = join(rig.folder, 'evil.txt');
    expect((await rig.run(['download', 'file_1', '--url', url])).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('the bytes');
    writeFileSync(target, 'mine');
    expect((await rig.run(['download', 'file_1', '--url', url])).code).toBe(2);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect((await rig.run(['download', 'file_1', '--url', url, '--force'])).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('the bytes');
    expect((await rig.run(['download', 'art_1', '--url', url, '--to', 'out.md'])).code).toBe(0);
    expect(readFileSync(join(rig.folder, 'out.md'), 'utf8')).toBe('the bytes');
    expect(existsSync(join(rig.folder, `out.md.partial-${process.pid}`))).toBe(false);
  }));

test('sizes are for people', () => {
  expect([0, 1023, 1024, 16 * 1024 * 1024].map(sizeText)).toEqual(['0 B', '1023 B', '1.0 KiB', '16.0 MiB']);
});

test('a file or an artifact that is not there is a wrong call', async () => {
  rig.server.on('GET', /\/ses_1\/(files|artifacts)\//, () => problemAnswer('not_found'));
  for (const id of ['file_x', 'art_x']) expect((await rig.run(['download', id])).code).toBe(2);
});

test('help says which session is meant when none is named', async () => {
  for (const args of [['upload'], ['artifacts'], ['checkpoints'], ['client-token'], ['schedules', 'add']])
    expect((await rig.run([...args, '--help'])).out.replace(/\s+/g, ' '), args.join(' ')).toContain('(default: the last session used)');
});
