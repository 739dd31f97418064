/** A model's key that an admin keeps in the server, in place of a variable of its environment: over HTTP, with a provider's wire format. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { type FakeProvider, startFakeProvider } from '../providers/fake-provider.ts';
import { openaiResponses } from '../providers/openai-responses.ts';
import { answering } from '../providers/provider-cases.ts';

const token = 'kept-keys-admin-token-0123456789';
const key = 'sk-kept-0123456789abcdef';
const model = 'openai:gpt-6-luna';
let folder: string;
let provider: FakeProvider;
let server: RunningServer;

const start = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
  const all = { TURNKEEPER_LOG_LEVEL: 'fatal', TURNKEEPER_ADMIN_TOKEN: token, OPENAI_BASE_URL: provider.url, ...env };
  server = await startServer(readConfig({ data: folder, port: '0', demo: false }, all), () => {});
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tk-keys-'));
  provider = await startFakeProvider(openaiResponses);
  provider.reply(answering({ parts: [{ text: 'hello' }], usage: { input: 3, output: 1 } }));
  await start();
});
afterEach(async () => {
  await server.stop();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, text: await answer.text() };
};
const read = async (path: string) => JSON.parse((await call('GET', path)).text);
const keep = (value: string) => call('PUT', '/secrets/OPENAI_API_KEY', { value });
const tryModel = async () => JSON.parse((await call('POST', '/models/test', { model })).text);
const openai = async () => (await read('/server')).providers.find(({ name }: { readonly name: string }) => name === 'openai');
const offered = async (): Promise<boolean> => (await call('GET', '/models')).text.includes(model);
const keysUsed = (): readonly unknown[] => provider.requests.map(({ headers }) => headers['authorization']);

test('it is used from the next call on, survives a start, and is taken away at once', async () => {
  expect(await openai()).toMatchObject({ on: false, keepable: true, kept: false });
  expect(await tryModel()).toMatchObject({ ok: false, error: expect.stringContaining('OPENAI_API_KEY') });
  await keep(key);
  expect(await openai()).toMatchObject({ on: true, keepable: true, kept: true });
  expect(await tryModel()).toMatchObject({ ok: true, text: 'hello' });
  expect([await offered(), (await read('/agents/openai')).agent.displayName]).toEqual([true, expect.stringContaining('Assistant')]);
  await server.stop();
  await start();
  expect(await tryModel()).toMatchObject({ ok: true });
  expect(keysUsed()).toEqual([`Bearer ${key}`, `Bearer ${key}`]);
  expect(JSON.stringify([await read('/server'), await read('/secrets')])).not.toContain(key);
  await call('DELETE', '/secrets/OPENAI_API_KEY');
  expect([await openai(), await offered()]).toMatchObject([{ on: false, kept: false }, false]);
  expect(await tryModel()).toMatchObject({ ok: false });
});

test('KK1: the environment goes before it', async () => {
  await keep(key);
  await server.stop();
  await start({ OPENAI_API_KEY: 'sk-of-the-environment' });
  expect(await openai()).toMatchObject({ on: true, keepable: false, kept: false });
  expect(await tryModel()).toMatchObject({ ok: true });
  expect(keysUsed()).toEqual(['Bearer sk-of-the-environment']);
});

test('KK3: a provider that quotes it is not repeated', async () => {
  await keep(key);
  provider.reply({ kind: 'error', status: 401, code: 'invalid_api_key', message: `Incorrect API key provided: ${key}` });
  const { ok, error } = await tryModel();
  expect([ok, error]).toEqual([false, expect.not.stringContaining(key)]);
});
