import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const base = '/api/v1/agent-sessions/ses_1';
const artifact = (n: number, name: string) => ({ artifact_id: `art_${n}`, name, size: 2048, created_at: 0 });
const sent = () => rig.calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path.replace(base, ''), body]);
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/agent-sessions$/, { items: [{ id: 'ses_1', title: '', status: 'idle', updatedAt: 1 }], next_offset: null });
  rig.route('GET', /\/ses_1\/artifacts$/, { items: [artifact(1, 'report.json'), artifact(2, 'Board')], next_offset: null });
  rig.route('POST', /\/ses_1\/files$/, { id: 'file_1', name: 'report.json', size: 2048 }, 201);
  rig.route('POST', /\/ses_1\/artifacts$/, artifact(3, 'Board'), 201);
  rig.route('DELETE', /\/ses_1\/artifacts\/art_\d$/, undefined, 204);
});
afterEach(() => rig.stop());

test('a file is uploaded and published; one that the session has and an https address are published alone', async () => {
  writeFileSync(join(rig.folder, 'report.json'), '{"in": "side"}');
  expect(await rig.run(['artifacts', 'publish', '@last', 'report.json', '--name', 'Q3'])).toEqual({
    code: 0,
    out: 'published Board as art_3\n',
    err: 'uploaded report.json (2.0 KiB) as file_1\n',
  });
  await rig.run(['artifacts', 'publish', 'ses_1', 'file_9']);
  await rig.run(['artifacts', 'publish', 'ses_1', 'https://example.com/boards/the%20board?x=1', '--type', 'text/html']);
  await rig.run(['artifacts', 'publish', 'ses_1', 'https://example.com']);
  expect(sent()).toEqual([
    ['POST', '/files', { in: 'side' }],
    ['POST', '/artifacts', { file_id: 'file_1', name: 'Q3' }],
    ['POST', '/artifacts', { file_id: 'file_9' }],
    ['POST', '/artifacts', { name: 'the board', uri: 'https://example.com/boards/the%20board?x=1', media_type: 'text/html' }],
    ['POST', '/artifacts', { name: 'example.com', uri: 'https://example.com' }],
  ]);
});

test('what cannot be published is told before anything is sent', async () => {
  for (const [what, why] of [
    ['missing.pdf', 'There is no file'],
    ['http://example.com/x', 'no https address'],
    ['ftp://example.com/x', 'no https address'],
  ] as const)
    expect(await rig.run(['artifacts', 'publish', 'ses_1', what])).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect(sent()).toEqual([]);
});

test('one is taken back by its id or name, after a question', async () => {
  expect((await rig.run(['artifacts', 'rm', 'ses_1', 'Board'])).code).toBe(2);
  expect((await rig.run(['artifacts', 'rm', 'ses_1', 'art_9', '--yes'])).code).toBe(2);
  expect((await rig.run(['artifacts', 'rm', 'ses_1', 'board', '--yes'])).out).toBe('deleted art_2\n');
  expect(sent()).toEqual([['DELETE', '/artifacts/art_2', undefined]]);
});

test('alone, or with a session, it lists; only slips of its commands are refused', async () => {
  const all = (await rig.run(['artifacts', 'ls', 'ses_1'])).out;
  expect(all).toContain('art_1  report.json  2.0 KiB');
  for (const args of [[], ['ses_1'], ['@last'], ['1']]) expect(await rig.run(['artifacts', ...args]), args.join('')).toMatchObject({ code: 0, out: all });
  expect(await rig.run(['artifacts', 'publsh'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean publish?') });
});
