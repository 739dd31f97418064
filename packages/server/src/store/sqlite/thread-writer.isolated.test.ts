import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { command, createdSession, headOf, logOf } from '../../testing/store-contract/samples.ts';
import { useTestFolders } from './test-folder.ts';

const started: Worker[] = [];
vi.mock('./threads.ts', async (original) => {
  const real = await original<typeof import('./threads.ts')>();
  return {
    ...real,
    startThread: (...args: Parameters<typeof real.startThread>) => {
      const worker = real.startThread(...args);
      started.push(worker);
      return worker;
    },
  };
});

describe("the writer's thread", () => {
  const folders = useTestFolders();
  afterEach(() => {
    started.length = 0;
  });

  it('W8 that dies in a commit leaves its writes unknown, and a new one takes the next', async () => {
    const { sessions } = await folders.open(folders.make());
    const { head } = await createdSession(sessions);
    const lost = sessions.write(command(head));
    await Promise.resolve();
    void started[0]?.terminate();
    await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable', details: { outcome: 'unknown' } });
    const now = await headOf(sessions, head.sid);
    expect(await sessions.write(command(now))).toMatchObject({ ok: true, head: { seq: now.seq + 1 } });
    expect(await logOf(sessions, head.sid)).toHaveLength(now.seq + 1);
    expect(started).toHaveLength(2);
  });

  it('W8 that died at rest is started again for the next write', async () => {
    const { sessions } = await folders.open(folders.make());
    const { head } = await createdSession(sessions);
    await started[0]?.terminate();
    expect(await sessions.write(command(head))).toMatchObject({ ok: true });
  });
});
