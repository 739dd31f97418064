/** Starts that fail leave nothing behind: the same folder and port can be used at once. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig, type ServerConfig } from './config.ts';
import { dataOption, startServer } from './main.ts';
import { freePort } from './testing/harness/free-port.ts';

let folder: string;
let config: ServerConfig;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tk-main-'));
  // Without the demo: a stop would wait for its tour.
  config = readConfig({ data: folder, port: String(await freePort()), demo: false }, { TURNKEEPER_LOG_LEVEL: 'fatal' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quiet = (): void => {};
/** A server that starts and stops: nothing is held any more. */
const startsNow = async (): Promise<void> => {
  const server = await startServer(config, quiet);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.stop();
  expect(existsSync(join(folder, 'server.json'))).toBe(false);
};

test('MA1: a taken port', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(config.port, '127.0.0.1', resolve));
  await expect(startServer(config, quiet)).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('is in use') });
  await new Promise((resolve) => taken.close(resolve));
  await startsNow();
});

test('MA1: an error after it listened and began to run turns', async () => {
  const marker = join(folder, 'server.json');
  mkdirSync(marker);
  await expect(startServer(config, quiet)).rejects.toMatchObject({ code: 'EISDIR' });
  rmSync(marker, { recursive: true });
  await startsNow();
});

test('MA1: an error at the very end', async () => {
  const failing = (): void => {
    throw new Error('nobody listens');
  };
  await expect(startServer(config, failing)).rejects.toThrow('nobody listens');
  await startsNow();
});

test('the folder moved from under a server: not ready, and the marker of the next one stays', async () => {
  const server = await startServer(config, quiet);
  const ready = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
  expect(await ready()).toBe(200);
  renameSync(folder, `${folder}-moved`);
  // An answer is kept for a moment.
  await expect.poll(ready).toBe(503);
  mkdirSync(folder);
  const marker = join(folder, 'server.json');
  const others = JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid + 1 });
  writeFileSync(marker, others);
  await server.stop();
  expect(readFileSync(marker, 'utf8')).toBe(others);
  rmSync(`${folder}-moved`, { recursive: true });
});

test('a second server on a folder is told which one has it', async () => {
  const server = await startServer(config, quiet);
  const message = expect.stringMatching(`another process uses it.*pid ${process.pid}, ${server.url}`) as unknown;
  await expect(startServer({ ...config, port: 0 }, quiet)).rejects.toMatchObject({ code: 'storage_unavailable', message });
  await server.stop();
});

test('a server whose database was emptied is not started as a new one', async () => {
  await startsNow();
  writeFileSync(join(folder, 'turnkeeper.db'), '');
  const message = expect.stringMatching('turnkeeper.db is empty, but cli-token .*Restore a backup') as unknown;
  await expect(startServer(config, quiet)).rejects.toMatchObject({ code: 'storage_unavailable', message });
});

test('the banner names a data folder that the command line does not find by itself', () => {
  expect(dataOption(resolvePath('.turnkeeper'))).toBe('');
  expect(dataOption('/srv/turnkeeper')).toBe(' --data /srv/turnkeeper');
  expect(dataOption("/my data/it's")).toBe(" --data '/my data/it'\\''s'");
});
