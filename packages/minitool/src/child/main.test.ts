/** The real process: an entry from a file, the console, and its ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channelTo } from '../rpc/channel.ts';
import { createHostPeer, type HostPeer } from '../rpc/peer.ts';
import { beginningOf } from '../testing/fake-host.ts';
import { exitCodes } from './exit-codes.ts';

type Running = { readonly child: ChildProcess; readonly peer: HostPeer; readonly logged: string[] };

let folder = '';
const running: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'minitool-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const start = async (source: string): Promise<Running> => {
  await writeFile(join(folder, 'index.js'), source);
  const child = fork(join(import.meta.dirname, 'main.ts'), [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.push(child);
  const peer = createHostPeer(channelTo(child));
  const logged: string[] = [];
  peer.hear('log', ({ level, message }) => logged.push(`${level} ${message}`));
  peer.answer('storage.get', async ({ key }) => ({ value: `kept ${key}` }));
  peer.listen();
  return { child, peer, logged };
};

describe("a mini-tool's process", () => {
  it('runs an entry, logs what it says to the console, and ends with its server', async () => {
    const { child, peer, logged } = await start(`
      export async function activate(ctx) {
        console.log('%s', await ctx.storage.get('x'), typeof process.send);
        console.warn('careful');
      }
    `);
    expect(await peer.ask('activate', beginningOf(folder))).toBe(null);
    expect(await peer.ask('ping', {})).toBe(null);
    expect(logged).toEqual(['info kept x undefined', 'warn careful']);
    const ended = once(child, 'exit');
    child.disconnect();
    expect((await ended)[0]).toBe(0);
  });

  it('refuses a default export with a hint', async () => {
    const { peer } = await start('export default { activate() {} };');
    await expect(peer.ask('activate', beginningOf(folder))).rejects.toMatchObject({
      code: 'activation_failed',
      message: expect.stringMatching(/default export only.*export function activate/),
    });
  });

  it('says why an entry cannot be loaded', async () => {
    const { peer } = await start("import 'electron';");
    await expect(peer.ask('activate', beginningOf(folder))).rejects.toMatchObject({ code: 'activation_failed', message: expect.stringMatching(/electron/) });
  });

  it.each([
    ['setTimeout(() => { throw new Error("nobody"); }, 1);', exitCodes.uncaughtException],
    ['Promise.reject(new Error("nobody"));', exitCodes.unhandledRejection],
  ])('MZ1: logs what nobody caught and ends: %s', async (body, code) => {
    const { child, peer, logged } = await start(`export function activate() { ${body} }`);
    const ended = once(child, 'exit');
    await peer.ask('activate', beginningOf(folder)).catch(() => {});
    expect((await ended)[0]).toBe(code);
    // What it said last may be read after its end was told.
    await expect.poll(() => logged.join('\n')).toMatch(/nobody/);
  });
});
