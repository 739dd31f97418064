/** EM1: the embedded chat's page and script: who may frame them, and that a token in the address goes nowhere. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const folder = mkdtempSync(join(tmpdir(), 'tk-chat-'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>console</title>');
writeFileSync(join(folder, 'chat.html'), '<!doctype html><title>chat</title>');
writeFileSync(join(folder, 'embed.js'), 'var Turnkeeper = {};\n');
const site = 'https://shop.example';
const secret = 'tkc_0123456789abcdef';

let alone: OpenHttp;
let embedded: OpenHttp;
const told: string[] = [];
beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void told.push(line) });
  const requestAnswered = (request: object): void => void told.push(JSON.stringify(request));
  [alone, embedded] = await Promise.all([
    openHttp({ consoleFolder: folder }),
    openHttp({ consoleFolder: folder, embedOrigins: [site, 'http://127.0.0.1:8080'], logger, requestAnswered }),
  ]);
});
afterAll(async () => {
  await Promise.all([alone.close(), embedded.close()]);
  rmSync(folder, { recursive: true });
});

const policyOf = ({ headers }: Response, name: string): string | undefined =>
  headers
    .get('content-security-policy')
    ?.split(';')
    .find((each) => each.startsWith(`${name} `) || each === name);

test('by default nobody else frames it; the sites that are named may', async () => {
  const [own, theirs] = await Promise.all([alone, embedded].map(({ url }) => fetch(`${url}/c/`)));
  if (!own || !theirs) throw new Error('no answer');
  expect([policyOf(own, 'frame-ancestors'), own.headers.get('x-frame-options')]).toEqual(["frame-ancestors 'self'", 'SAMEORIGIN']);
  expect([policyOf(theirs, 'frame-ancestors'), theirs.headers.get('x-frame-options')]).toEqual([`frame-ancestors 'self' ${site} http://127.0.0.1:8080`, null]);
  expect(policyOf(theirs, 'default-src')).toBe("default-src 'none'");
  expect([policyOf(theirs, 'script-src'), policyOf(theirs, 'style-src')]).toEqual(["script-src 'self'", "style-src 'self'"]);
  // The console is framed by nobody all the same.
  const console = await fetch(`${embedded.url}/`);
  expect([policyOf(console, 'frame-ancestors'), console.headers.get('x-frame-options')]).toEqual(["frame-ancestors 'none'", 'DENY']);
});

test('EM1: a token in the address is answered by the same page, not kept, not told on, and in no log', async () => {
  const pages = await Promise.all(['/c', '/c/', `/c/${secret}`].map((path) => fetch(embedded.url + path)));
  expect(await Promise.all(pages.map((page) => page.text()))).toEqual(Array(3).fill('<!doctype html><title>chat</title>'));
  for (const { headers } of pages)
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-robots-tag')]).toEqual(['no-store', 'no-referrer', 'noindex']);
  await expect.poll(() => told.some((line) => line.includes('/c/:token'))).toBe(true);
  expect(told.filter((line) => line.includes(secret))).toEqual([]);
});

test('the script may be loaded by any site; the files have no other door', async () => {
  const script = await fetch(`${alone.url}/embed.js`);
  expect([script.status, script.headers.get('content-type'), script.headers.get('cross-origin-resource-policy')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'cross-origin',
  ]);
  expect((await fetch(`${alone.url}/chat.html`)).status).toBe(404);
});
