import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { createFaultyStore, type FaultEffect, type FaultyStore } from './faulty-store.ts';
import { command, createdSession, headOf } from './store-contract/samples.ts';

describe('faulty store', () => {
  let inner: SessionStore;
  let faulty: FaultyStore;
  beforeEach(async () => {
    inner = (await openSqliteStore({ folder: ':memory:', clock: systemClock })).sessions;
    faulty = createFaultyStore(inner);
  });
  afterEach(() => inner.close());

  const strike = (kind: Exclude<FaultEffect['kind'], 'delayed'>, call = 1, times = 1): void =>
    faulty.inject({ method: 'write', call, times, effect: { kind } });

  it('passes everything through while there is no fault', async () => {
    const { head, id } = await createdSession(faulty.store);
    expect(await faulty.store.write(command(head))).toMatchObject({ ok: true });
    expect((await faulty.store.load(id))?.head.seq).toBe(2);
    expect(faulty.calls('write')).toBe(1);
  });

  it('fails the n-th call only, before anything is committed', async () => {
    const { head } = await createdSession(faulty.store);
    strike('refused', 2);
    const first = await faulty.store.write(command(head));
    if (!first.ok) expect.fail('refused');
    await expect(faulty.store.write(command(first.head))).rejects.toMatchObject({ code: 'storage_unavailable', details: {} });
    expect(await headOf(inner, head.sid)).toEqual(first.head);
    expect(await faulty.store.write(command(first.head))).toMatchObject({ ok: true });
  });

  it('loses the answer before or after the commit: the outcome is unknown', async () => {
    const { head } = await createdSession(faulty.store);
    strike('lost_before');
    await expect(faulty.store.write(command(head))).rejects.toMatchObject({ code: 'storage_unavailable', details: { outcome: 'unknown' } });
    expect((await headOf(inner, head.sid)).seq).toBe(1);
    strike('lost_after');
    await expect(faulty.store.write(command(head))).rejects.toMatchObject({ details: { outcome: 'unknown' } });
    expect((await headOf(inner, head.sid)).seq).toBe(2);
  });

  it('goes on failing for as many calls as told', async () => {
    const { head } = await createdSession(faulty.store);
    strike('refused', 1, 2);
    await expect(faulty.store.write(command(head))).rejects.toThrow();
    await expect(faulty.store.write(command(head))).rejects.toThrow();
    expect(await faulty.store.write(command(head))).toMatchObject({ ok: true });
  });

  it('holds a call before or after its commit until it is released', async () => {
    const { head } = await createdSession(faulty.store);
    strike('held_after');
    const held = faulty.store.write(command(head));
    await expect.poll(async () => (await headOf(inner, head.sid)).seq).toBe(2);
    strike('held_before');
    const waits = faulty.store.write(command({ ...head, stateSeq: 2 }));
    const early = await Promise.race([held, waits, new Promise((resolve) => setTimeout(() => resolve('still held'), 20))]);
    expect(early).toBe('still held');
    expect((await headOf(inner, head.sid)).seq).toBe(2);
    faulty.release();
    expect(await held).toMatchObject({ ok: true });
    expect(await waits).toMatchObject({ ok: true, head: { seq: 3 } });
  });

  it('delays a call by the clock', async () => {
    const { head } = await createdSession(faulty.store);
    let fire: (() => void) | undefined;
    const after = (ms: number, go: () => void) => {
      expect(ms).toBe(500);
      fire = go;
      return () => {};
    };
    const clock = { now: () => 0, elapsed: () => 0, after };
    faulty.inject({ method: 'write', call: 1, effect: { kind: 'delayed', ms: 500, clock } });
    const late = faulty.store.write(command(head));
    expect((await headOf(inner, head.sid)).seq).toBe(1);
    fire?.();
    expect(await late).toMatchObject({ ok: true });
  });
});
