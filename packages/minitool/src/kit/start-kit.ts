/**
 * A test kit for authors of mini-tools: `activate` runs in this process, against a small service in memory with a clock that a test
 * moves.
 *
 * ```ts
 * await using kit = await startKit({ module: await import('../src/index.ts'), manifest, agent: ({ text }) => `You said: ${text}` });
 * const result = await kit.execute('plan', { tasks: ['a', 'b'] });
 * await kit.clock.advance(60_000);
 * ```
 *
 * MK1 A mini-tool meets here what it meets in the service: the same `ctx`, the same limits, the same outcomes of `ctx.sessions`, and
 *     every message as JSON. What is not the same: it runs in this process, so no permission on files, network or programs is
 *     enforced; `app`, `status` and events of agents are dummies; webhooks are not verified.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kit, KitOptions } from './kit.ts';
import { beginningOf, loaded } from './loaded.ts';
import { RunningKit } from './running-kit.ts';

/** Rejects where `activate` does, or the manifest is faulty. */
export const startKit = async (options: KitOptions): Promise<Kit> => {
  const what = await loaded(options);
  const home = await mkdtemp(join(tmpdir(), 'minitool-kit-'));
  const beginning = beginningOf(what, options, home);
  await Promise.all([mkdir(beginning.storagePath), mkdir(beginning.outboxPath)]);
  const running = new RunningKit(what, options, beginning);
  const stop = async (): Promise<void> => {
    await running.end();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await running.begin();
  } catch (error) {
    await stop();
    throw error;
  }
  return running.asKit(stop);
};
