import { describe, expect, it } from 'vitest';
import { createGroupCommit } from './group-commit.ts';
import type { BatchResult, Operation } from './operations.ts';

const ping: Operation & { kind: 'ping' } = { kind: 'ping' };
const committed = (batch: readonly Operation[]): BatchResult => ({ kind: 'committed', outcomes: batch.map(() => ({ ok: true, answer: null })) });

/** A writer whose commits end when the test says so. */
const heldWriter = () => {
  const batches: { size: number; end: (result?: BatchResult | Error) => void }[] = [];
  const commit = (batch: readonly Operation[]): Promise<BatchResult> =>
    new Promise((resolve, reject) => {
      batches.push({ size: batch.length, end: (result = committed(batch)) => (result instanceof Error ? reject(result) : resolve(result)) });
    });
  return { batches, commit };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('W7 what arrives together goes together; while one batch commits, the next gathers', async () => {
    const { batches, commit } = heldWriter();
    const group = createGroupCommit(commit);
    const first = [group.submit(ping), group.submit(ping)];
    await settled();
    const second = [group.submit(ping), group.submit(ping), group.submit(ping)];
    await settled();
    expect(batches.map(({ size }) => size)).toEqual([2]);
    batches[0]?.end();
    await Promise.all(first);
    expect(batches.map(({ size }) => size)).toEqual([2, 3]);
    batches[1]?.end();
    await Promise.all(second);
  });

  it('W1 nothing is answered before its batch has ended', async () => {
    const { batches, commit } = heldWriter();
    const group = createGroupCommit(commit);
    let answered = false;
    const write = group.submit(ping).then(() => (answered = true));
    await settled();
    expect(answered).toBe(false);
    batches[0]?.end();
    await write;
    expect(answered).toBe(true);
  });

  it('W8 a failed batch rejects all of it and nothing else; unknown only where it is', async () => {
    const { batches, commit } = heldWriter();
    const group = createGroupCommit(commit);
    const first = Promise.allSettled([group.submit(ping), group.submit(ping)]);
    await settled();
    const second = Promise.allSettled([group.submit(ping)]);
    const third = async () => Promise.allSettled([group.submit(ping)]);
    batches[0]?.end({ kind: 'failed', fault: 'the disk is full', unknown: false });
    expect(await first).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'storage_unavailable', details: {} } }));
    batches[1]?.end(new Error('the thread died'));
    expect(await second).toMatchObject([{ status: 'rejected', reason: { code: 'storage_unavailable', details: { outcome: 'unknown' } } }]);
    const last = third();
    await settled();
    batches[2]?.end();
    expect(await last).toMatchObject([{ status: 'fulfilled' }]);
  });

  it('drain ends what was taken and takes no more', async () => {
    const { batches, commit } = heldWriter();
    const group = createGroupCommit(commit);
    const write = group.submit(ping);
    let drained = false;
    const drain = group.drain().then(() => (drained = true));
    await expect(group.submit(ping)).rejects.toMatchObject({ code: 'shutting_down' });
    await settled();
    expect(drained).toBe(false);
    batches[0]?.end();
    await Promise.all([write, drain]);
  });
});
