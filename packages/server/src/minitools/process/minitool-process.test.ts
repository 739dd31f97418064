/** One process: what ends it, and what it can do to its channel. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { type RawProcess, startRaw } from '../../testing/minitools/raw-process.ts';
import { MinitoolDown, MinitoolFailure } from '../host-api.ts';
import type { ProcessOptions } from './minitool-process.ts';

const started: RawProcess[] = [];
const start = (options: Partial<ProcessOptions> = {}): RawProcess => {
  const raw = startRaw(options);
  started.push(raw);
  return raw;
};
const isThere = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Where nobody reaps orphans they stay listed when they have ended: `Z`. */
const isRunning = (pid: number): boolean => isThere(pid) && !(existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));

afterEach(async () => {
  await Promise.all(started.splice(0).map((raw) => raw.process.stop()));
});

describe('a process', () => {
  it('LP2: has an environment without anything of the server', async () => {
    expect(await start().act('environment')).toEqual({ TZ: 'UTC', LANG: 'C.UTF-8' });
  });

  it('LP1: that exits is told as a crash with its code, and its requests are rejected', async () => {
    const { process: child, act } = start();
    const asked = act('exit', { code: 3 });
    await expect(asked).rejects.toBeInstanceOf(MinitoolDown);
    expect(await child.ended).toEqual({ kind: 'crash', detail: 'It exited with 3.' });
    expect(isThere(child.pid)).toBe(false);
    await expect(act('ping')).rejects.toBeInstanceOf(MinitoolDown);
  });

  it('LP1: that lets go of its channel and stays is ended', async () => {
    const { process: child, act } = start();
    await expect(act('leave')).rejects.toBeInstanceOf(MinitoolDown);
    expect(await child.ended).toEqual({ kind: 'protocol', detail: 'It closed its channel to the server.' });
    expect(isThere(child.pid)).toBe(false);
  });

  it('LP1: that answers no ping is ended as a hang', async () => {
    const clock = new ManualClock();
    const { process: child, act } = start({ clock });
    await act('ping');
    const asked = act('hang');
    asked.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    await clock.advance(10_000);
    await clock.advance(9_999);
    expect(isThere(child.pid)).toBe(true);
    await clock.advance(1);
    expect(await child.ended).toMatchObject({ kind: 'hang' });
    await expect(asked).rejects.toBeInstanceOf(MinitoolDown);
    expect(isThere(child.pid)).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  it('LP1: whose buffers outgrow their limit is ended, though its heap is small', async () => {
    const { process: child, act } = start();
    act('hold', { megabytes: 600 }).catch(() => {});
    expect(await child.ended).toMatchObject({ kind: 'memory', detail: expect.stringMatching(/^It held 5\d\d MB|^It held 6\d\d MB/) });
  });

  it('LP1: whose heap outgrows its limit says so', async () => {
    const { process: child, act } = start();
    act('heap').catch(() => {});
    expect(await child.ended).toMatchObject({ kind: 'memory', detail: expect.stringContaining('heap') });
  });
});

it('SL3: ends by itself when the server was killed', async () => {
  const code = `import { startRaw } from '${new URL('../../testing/minitools/raw-process.ts', import.meta.url).href}';
    const raw = startRaw();
    await raw.act('ping');
    console.log(raw.process.pid);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);`;
  const server = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const [said] = (await once(server.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(await ended).toEqual([null, 'SIGKILL']);
});

describe('its channel', () => {
  it('CN1: answers what is too much before anybody looks at it', async () => {
    let asked = 0;
    // While no time passes, no more are let through.
    const { act } = start({ clock: new ManualClock(), onRequest: async () => (asked += 1) });
    const { answered, too_many_calls: refused } = (await act('flood', { count: 1_000 })) as { answered: number; too_many_calls: number };
    expect(answered + refused).toBe(1_000);
    expect(asked).toBe(answered);
    expect(refused).toBeGreaterThan(300);
    expect(answered).toBeGreaterThanOrEqual(256);
    expect(await act('ping')).toBeNull();
  });

  it('CN1: has 256 open calls at most', async () => {
    let open = 0;
    const waiting = Promise.withResolvers<void>();
    const { act } = start({
      onRequest: async () => {
        open += 1;
        await waiting.promise;
      },
    });
    const flood = act('flood', { count: 300 });
    await act('ping');
    await expect.poll(() => open).toBe(256);
    waiting.resolve();
    expect(await flood).toEqual({ answered: 256, too_many_calls: 44 });
  });

  it.each([
    ['ML1: a message of 3 MB', 'giant', { bytes: 3_000_000 }, /a message of more than \d+ bytes/],
    ['ML3: a message that is nested too deeply', 'deep', { depth: 100 }, /nested too deeply/],
    ['ML3: a message that is none', 'say', { message: { hello: 1 } }, /no JSON-RPC/],
    ['ML3: parameters that are a list', 'say', { message: { jsonrpc: '2.0', id: 1, method: 'app.info', params: [] } }, /params/],
    ['ML3: a message of Node itself', 'say', { message: { cmd: 'NODE_HANDLE', type: 'net.Socket' } }, /no JSON-RPC/],
    ['ML3: two calls under one id', 'twice', {}, /two calls under one id/],
  ])('ends it by %s', async (_, what, params, why) => {
    const { process: child, act } = start({ onRequest: () => new Promise(() => {}) });
    act(what, params).catch(() => {});
    expect(await child.ended).toMatchObject({ kind: 'protocol', detail: expect.stringMatching(why) });
  });

  it('CN3: tells the process nothing of an error that nobody expected', async () => {
    const { act, logged } = start({
      onRequest: async () => {
        throw new Error('the password is secret');
      },
    });
    expect(await act('flood', { count: 1 })).toEqual({ internal_error: 1 });
    expect(logged).toContain('report Error: the password is secret');
  });

  it('aborts the signal of a handler when the process ends', async () => {
    const aborted = Promise.withResolvers<void>();
    const { process: child, act } = start({
      onRequest: async (_, __, signal) => {
        signal.addEventListener('abort', () => aborted.resolve());
        await new Promise(() => {});
      },
    });
    act('flood', { count: 1 }).catch(() => {});
    await act('ping');
    await child.stop();
    await aborted.promise;
  });

  it('gives a failure with its code', async () => {
    const { act } = start({
      onRequest: async () => {
        throw new MinitoolFailure('permission_denied', 'no');
      },
    });
    expect(await act('flood', { count: 1 })).toEqual({ permission_denied: 1 });
  });

  it('gives an answer that is too large as that failure', async () => {
    const { act } = start({ onRequest: async () => 'x'.repeat(3_000_000) });
    expect(await act('flood', { count: 1 })).toEqual({ payload_too_large: 1 });
  });
});
