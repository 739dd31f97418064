/** Starts that fail leave nothing behind: the same folder and port can be used at once. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig, type ServerConfig } from './config.ts';
import { startServer } from './main.ts';

let folder: string;
let config: ServerConfig;
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
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
