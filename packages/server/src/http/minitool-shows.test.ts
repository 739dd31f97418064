/** What a mini-tool shows, over HTTP: who sees it, who answers it, and what an answer must be. The mini-tool runs in a process of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MinitoolShow, ShowNews } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import { readStream, type StreamReader } from '../testing/http/read-stream.ts';
import { createRunningTools } from '../testing/minitools/running-tools.ts';

const code = `
export const activate = (ctx) => {
  const { ui } = ctx;
  const log = (what, result) => ctx.logger.info(what + ' ' + JSON.stringify(result));
  const does = {
    nobody: async () => log('nobody', [await ui.showToast({ title: 'T' }), await ui.showConfirmDialog({ title: 'T' }), await ui.showModalDialog({ title: 'T' })]),
    toast: () => void ui.showToast({ title: 'Saved', variant: 'success', action: { label: 'Undo' } }).then((result) => log('toast', result)),
    confirm: () => void ui.showConfirmDialog({ title: 'Send it?' }).then((result) => log('confirm', result)),
    modal: () => void ui.showModalDialog({
      title: 'Note',
      fields: [
        { key: 'text', label: 'Text', type: 'text', required: true },
        { key: 'tags', label: 'Tags', type: 'multiselect', options: [{ value: 'a', label: 'A' }] },
      ],
      actions: [{ id: 'save', label: 'Save' }, { id: 'later', label: 'Later' }],
    }).then((result) => log('modal', result)),
    closed: async () => {
      const dialog = ui.showModalDialog({ title: 'Gone soon' });
      setTimeout(() => dialog.close('mine'), 300);
      log('closed', await dialog);
    },
    crash: () => { void ui.showConfirmDialog({ title: 'Never answered' }); setTimeout(() => { throw new Error('down'); }, 300); },
  };
  ctx.tools.register({
    name: 'show',
    title: 'Show',
    description: 'Shows',
    inputSchema: { type: 'object' },
    execute: async ({ what }) => { await does[what](); return { content: [{ type: 'text', text: 'ok' }] }; },
  });
};
`;

let server: OpenHttp;
let folder: string;
beforeAll(async () => {
  server = await openHttp();
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-shows-'));
  mkdirSync(join(folder, 'dist'));
  const manifest = { manifestVersion: 1, id: 'notes', name: { default: 'Notes', 'zh-CN': '笔记' }, contributes: { tools: true } };
  writeFileSync(join(folder, 'finch.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'dist', 'index.js'), code);
  await server.minitools.host.start();
  const made = await call('POST', '/minitools', { source: `folder:${folder}` });
  await call('POST', '/minitools/notes/enable', { consent: (made.body['minitool'] as { permissions: object }).permissions });
});
afterAll(async () => {
  await server.minitools.host.stop();
  await server.close();
  rmSync(folder, { recursive: true });
});

const bob = () => ({ authorization: `Bearer ${server.otherToken}` });
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => server.call(method, `/api/v1${path}`, body, headers);
const show = (what: string) => createRunningTools(server.minitools.host).text('notes_show', { what });
const logged = (text: string) => expect.poll(async () => (await server.minitools.host.tail('notes', 100)).map(({ message }) => message)).toContain(text);
const path = '/api/v1/minitool-shows/stream';
const read = (token = server.token, headers = {}): StreamReader => readStream({ port: server.port, path, token, headers });
const newsOf = ({ frames }: Pick<StreamReader, 'frames'>): readonly ShowNews[] => frames.map(({ data }) => JSON.parse(data) as ShowNews);
const shownIn = (stream: StreamReader, title: string): MinitoolShow | undefined =>
  newsOf(stream)
    .flatMap((news) => (news.type === 'shown' ? [news.show] : news.type === 'now' ? news.shows : []))
    .find(({ content }) => content.title === title);
const seen = async (stream: StreamReader, title: string): Promise<MinitoolShow> => {
  await stream.until(() => shownIn(stream, title) !== undefined);
  return shownIn(stream, title) as MinitoolShow;
};
const closed = (stream: StreamReader, id: string, reason: string) =>
  stream.until(() => newsOf(stream).some((news) => news.type === 'closed' && news.id === id && news.reason === reason));
const answer = (id: string, body: object, headers?: Record<string, string>) => call('POST', `/minitool-shows/${id}/answer`, body, headers);
const begun = async (stream: StreamReader): Promise<StreamReader> => {
  await stream.until((frames) => frames.length > 0);
  return stream;
};

test('with nobody there who may see it all is dismissed', async () => {
  const stranger = await begun(read(server.otherToken));
  await show('nobody');
  await logged('nobody [{"action":"dismissed"},{"confirmed":false},{"action":"dismissed"}]');
  expect(newsOf(stranger)).toEqual([{ type: 'now', shows: [] }]);
  stranger.close();
});

test('two consoles see it, each in its language; the first answer counts, and strangers meet nothing', async () => {
  const [one, two, stranger] = await Promise.all([read(), read(server.token, { 'accept-language': 'zh-CN' }), read(server.otherToken)].map(begun));
  if (!one || !two || !stranger) throw new Error('not opened');
  await show('confirm');
  const { id, minitool, leftMs } = await seen(one, 'Send it?');
  expect([minitool, (await seen(two, 'Send it?')).minitool.name]).toEqual([{ id: 'notes', name: 'Notes' }, '笔记']);
  expect(leftMs).toBeGreaterThan(500_000);
  const late = await begun(read());
  expect(newsOf(late)).toMatchObject([{ type: 'now', shows: [{ id }] }]);
  const missing = await answer('show_none', { confirmed: true }, bob());
  const foreign = await answer(id, { confirmed: true }, bob());
  expect([foreign.status, foreign.body['detail']]).toEqual([404, missing.body['detail']]);
  expect(await answer(id, { action: 'action' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/action' }, { pointer: '/confirmed' }] } });
  expect((await answer(id, { confirmed: true })).status).toBe(204);
  await logged('confirm {"confirmed":true}');
  for (const stream of [one, two, late]) await closed(stream, id, 'answered');
  expect(await answer(id, { confirmed: false })).toMatchObject({ status: 409, body: { code: 'action_resolved' } });
  expect((await answer(id, { confirmed: false }, bob())).status).toBe(404);
  expect(newsOf(stranger)).toEqual([{ type: 'now', shows: [] }]);
  for (const stream of [one, two, late, stranger]) stream.close();
});

test('an answer fits what was shown: its buttons, and what its form takes', async () => {
  const stream = await begun(read());
  await show('toast');
  const toast = await seen(stream, 'Saved');
  expect(toast.content).toMatchObject({ kind: 'toast', variant: 'success', actionLabel: 'Undo', durationMs: 5_000 });
  expect(await answer(toast.id, { action: 'other' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/action' }] } });
  expect((await answer(toast.id, { action: 'action' })).status).toBe(204);
  await logged('toast {"action":"action"}');
  await show('modal');
  const { id } = await seen(stream, 'Note');
  const faults: readonly (readonly [body: object, pointer: string])[] = [
    [{ action: 'save' }, '/values'],
    [{ action: 'save', values: {} }, '/values'],
    [{ action: 'save', values: { text: 1 } }, '/values/text'],
    [{ action: 'save', values: { text: 'x', tags: ['a', 'a'] } }, '/values/tags'],
    [{ action: 'save', values: { text: 'x', tags: ['b'] } }, '/values/tags'],
    [{ action: 'save', values: { text: 'x', other: 1 } }, '/values'],
    [{ action: 'none', values: { text: 'x' } }, '/action'],
    [{ action: 'dismissed', values: { text: 'x' } }, '/values'],
    [{}, '/action'],
  ];
  for (const [body, pointer] of faults) {
    const refused = await answer(id, body);
    expect([body, refused.status, (refused.body['errors'] as { pointer: string }[])[0]?.pointer]).toEqual([body, 422, expect.stringContaining(pointer)]);
  }
  expect((await answer(id, { action: 'save', values: { text: 'milk' } })).status).toBe(204);
  await logged('modal {"action":"save","values":{"tags":[],"text":"milk"}}');
  await show('modal');
  await stream.until(() => newsOf(stream).filter((news) => news.type === 'shown').length === 3);
  const again =
    newsOf(stream)
      .flatMap((news) => (news.type === 'shown' ? [news.show.id] : []))
      .at(-1) ?? '';
  expect((await answer(again, { action: 'later' })).status).toBe(204);
  await logged('modal {"action":"later"}');
  stream.close();
});

test('what the mini-tool closes, and what a process shows that ends, goes away', async () => {
  const stream = await begun(read());
  void show('closed').catch(() => {});
  const dialog = await seen(stream, 'Gone soon');
  await closed(stream, dialog.id, 'withdrawn');
  await logged('closed {"action":"mine"}');
  await show('crash').catch(() => {});
  const lost = await seen(stream, 'Never answered');
  await closed(stream, lost.id, 'withdrawn');
  expect((await answer(lost.id, { confirmed: true })).status).toBe(409);
  await expect.poll(() => server.minitools.host.running()).toEqual(['notes']);
  stream.close();
});

test('who becomes a user of it sees it at once, and who is one no more does not; keys see nothing', async () => {
  const stream = await begun(read(server.otherToken));
  const admins = await begun(read());
  await show('confirm');
  const { id } = await seen(admins, 'Send it?');
  await call('PATCH', '/minitools/notes', { users: ['user_1', 'user_2'] });
  await seen(stream, 'Send it?');
  await call('PATCH', '/minitools/notes', { users: ['user_1'] });
  await stream.until((frames) => frames.length === 3);
  expect(newsOf(stream).at(-1)).toEqual({ type: 'now', shows: [] });
  expect((await answer(id, { confirmed: true }, bob())).status).toBe(404);
  expect((await answer(id, { confirmed: false })).status).toBe(204);
  const application = (await call('POST', '/applications', { name: 'A' })).body['application'] as { id: string };
  const made = await call('POST', `/applications/${application.id}/credentials`, {
    name: 'k',
    scopes: ['read', 'interact'],
    targets: [{ type: 'agent', id: '*' }],
  });
  const key = { authorization: `Bearer ${made.body['apiKey']}` };
  expect([(await call('GET', '/minitool-shows/stream', undefined, key)).status, (await answer(id, { confirmed: true }, key)).status]).toEqual([403, 403]);
  for (const each of [stream, admins]) each.close();
});

test('the stream ends with the token that it was opened with', async () => {
  const { body } = await call('POST', '/tokens', { name: 'reader' });
  const stream = await begun(read(String(body['token'])));
  expect(stream.head()).toContain('text/event-stream');
  await call('DELETE', `/tokens/${(body['personalToken'] as { id: string }).id}`);
  await stream.ended;
});
