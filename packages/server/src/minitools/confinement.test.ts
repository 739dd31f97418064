/** What a mini-tool's process can do to the machine that it runs on: real processes, with the entry that runs all mini-tools. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolLost } from '../ports/minitool-tools.ts';
import { type HostedForTest, openHost } from '../testing/minitools/hosted.ts';
import { probing } from '../testing/minitools/probes.ts';

let hosted: HostedForTest;
let server: Server;
let port = 0;

beforeAll(async () => {
  hosted = await openHost();
  server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { readonly port: number }).port;
  writeFileSync(join(hosted.dataFolder, 'turnkeeper.db'), 'sessions of people');
  mkdirSync(join(hosted.dataFolder, '..', 'beside'));
  writeFileSync(join(hosted.dataFolder, '..', 'beside', 'file.txt'), 'x');
  const run = (id: string, permissions: object) => hosted.run(id, probing, { contributes: { tools: true }, permissions } as never);
  await Promise.all([run('plain', {}), run('reader', { filesystem: 'read' }), run('writer', { filesystem: 'readwrite', network: true, shell: true })]);
});

afterAll(async () => {
  server.close();
  await hosted.close();
});

const attempt = (id: string, what: string, about: unknown = null): Promise<string> => hosted.tools.text(`${id}_try`, { what, about } as never);
const denied = 'ERR_ACCESS_DENIED';

/** Where nobody reaps orphans they stay listed when they have ended: `Z`. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !existsSync(`/proc/${pid}/stat`) || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

describe('a mini-tool without permissions', () => {
  it('PF1: has its own folder and its storage, and nothing else of the disk', async () => {
    expect(await attempt('plain', 'own')).toMatch(/^ok \d+$/);
    expect(await attempt('plain', 'storage')).toBe('ok x');
    expect(await attempt('plain', 'folder')).toContain(join('minitools', 'plain', '0.0.0-1'));
    const outside = [
      '/etc/hostname',
      join(hosted.dataFolder, 'turnkeeper.db'),
      `/proc/${process.pid}/environ`,
      `/proc/self/root${hosted.dataFolder}/turnkeeper.db`,
    ];
    for (const path of outside) expect(await attempt('plain', 'read', path), path).toBe(denied);
    for (const path of [join(hosted.dataFolder, 'new'), '/tmp/minitool-was-here']) expect(await attempt('plain', 'write', path), path).toBe(denied);
    expect(await attempt('plain', 'link', ['/etc', join(hosted.dataFolder, 'minitools', 'plain', 'storage', 'etc')])).toBe(denied);
    expect(await attempt('plain', 'list', hosted.dataFolder)).toBe(denied);
  });

  it('SL4: copies no folder with what makes links that nobody looks at', async () => {
    expect(await attempt('plain', 'copyFolder', join(hosted.dataFolder, 'minitools', 'plain', 'storage'))).toBe(denied);
  });

  it('PF3: has no way around that by SQLite or native code', async () => {
    expect(await attempt('plain', 'sqlite', join(hosted.dataFolder, 'turnkeeper.db'))).toBe('ERR_UNKNOWN_BUILTIN_MODULE');
    expect(await attempt('plain', 'sqlite', ':memory:')).toBe('ERR_UNKNOWN_BUILTIN_MODULE');
    expect(await attempt('plain', 'ffi')).toBe('ERR_UNKNOWN_BUILTIN_MODULE');
    expect(await attempt('plain', 'addon')).toBe('ERR_DLOPEN_DISABLED');
  });

  it('PF1: reaches no network, and starts no program, worker or debugger', async () => {
    for (const what of ['connect', 'fetch', 'lookup', 'program', 'worker', 'inspector']) expect(await attempt('plain', what, port), what).toBe(denied);
  });

  it('LP2: has an environment without anything of the server', async () => {
    expect(JSON.parse((await attempt('plain', 'environment')).slice(3))).toEqual({ TZ: 'UTC', LANG: 'C.UTF-8' });
  });

  it('SL1, SL2: does nothing to the server’s process, to the order of processes or to its own limits', async () => {
    const ways = ['killParent', 'killImported', 'killRaw', 'debugParent', 'priority', 'priorityDefault', 'flags', 'user'];
    for (const what of ways) expect(await attempt('plain', what), what).toBe(denied);
  });
});

describe('permissions', () => {
  it('PF2: to read gives everything but the data folder and what names it otherwise', async () => {
    expect(await attempt('reader', 'read', '/etc/hostname')).toMatch(/^ok/);
    expect(await attempt('reader', 'read', join(hosted.dataFolder, '..', 'beside', 'file.txt'))).toBe('ok 1');
    expect(await attempt('reader', 'read', '/dev/null')).toBe('ok 0');
    const hidden = [join(hosted.dataFolder, 'turnkeeper.db'), `/proc/${process.pid}/environ`, `/proc/self/root${hosted.dataFolder}/turnkeeper.db`];
    for (const path of hidden) expect(await attempt('reader', 'read', path), path).toBe(denied);
    expect(await attempt('reader', 'write', join(hosted.dataFolder, '..', 'beside', 'new'))).toBe(denied);
  });

  it('PF2: to write gives everything but the data folder, too', async () => {
    const beside = join(hosted.dataFolder, '..', 'beside', 'new');
    expect(await attempt('writer', 'write', beside)).toBe('ok undefined');
    expect(readFileSync(beside, 'utf8')).toBe('x');
    expect(await attempt('writer', 'write', join(hosted.dataFolder, 'turnkeeper.db'))).toBe(denied);
    expect(existsSync(join(hosted.dataFolder, 'new'))).toBe(false);
  });

  it('for the network and for programs are given one by one', async () => {
    expect(await attempt('writer', 'connect', port)).toBe('ok connected');
    expect(await attempt('writer', 'program')).toBe('ok hello\n');
    expect(await attempt('writer', 'worker')).toBe(denied);
    expect(await attempt('reader', 'connect', port)).toBe(denied);
  });

  it('PG1: what it started ends with it', async () => {
    const pid = Number((await attempt('writer', 'background')).slice(3));
    expect(isRunning(pid)).toBe(true);
    await hosted.disable('writer');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('that are lacking end a process that listens: Node throws that where nobody can catch it', async () => {
    await expect(attempt('plain', 'listen')).rejects.toBeInstanceOf(ToolLost);
    expect(await hosted.logged('plain', 'allow-net')).toContain(denied);
  });
});
