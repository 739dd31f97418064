import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Head, WriteResult } from '../../ports/session-store.ts';
import { command, newSession, runWrite } from '../../testing/store-contract/samples.ts';
import { createEngine, type Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import { type BatchResult, createOperation, type Operation, writeOperation } from './operations.ts';
import { createReads } from './reader.ts';

describe('engine', () => {
  let db: DatabaseSync;
  let engine: Engine;
  beforeEach(() => {
    db = new DatabaseSync(':memory:');
    migrate(db);
    engine = createEngine(db);
  });
  afterEach(() => db.close());

  const outcomes = (batch: readonly Operation[]) => {
    const result = engine.commit(batch);
    if (result.kind !== 'committed') expect.fail(`not committed: ${result.fault}`);
    return result.outcomes;
  };
  const made = (): Head => {
    const [outcome] = outcomes([createOperation(newSession())]);
    const answer = outcome?.ok ? (outcome.answer as WriteResult) : undefined;
    if (!answer?.ok) expect.fail('the session was not made');
    return answer.head;
  };
  const count = (table: string): number => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  const large = (head: Head): Operation => writeOperation(command(head, { payloads: [{ n: 1, body: `"${'x'.repeat(400_000)}"` }] }));

  it('W8 a full disk takes back the whole batch, says so, and the next batch after it was freed is taken', () => {
    const [one, two] = [made(), made()];
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
    db.exec(`PRAGMA max_page_count = ${pages + 20}`);
    const before = { events: count('events'), payloads: count('payloads') };
    const failed = engine.commit([writeOperation(command(one)), large(two)]);
    expect(failed).toMatchObject({ kind: 'failed', unknown: false } satisfies Partial<BatchResult>);
    expect(failed.kind === 'failed' && failed.fault).toContain('the disk is full');
    expect({ events: count('events'), payloads: count('payloads') }).toEqual(before);
    expect(outcomes([writeOperation(command(one))])).toMatchObject([{ ok: true, answer: { ok: true } }]);
    db.exec('PRAGMA max_page_count = 1000000');
    expect(outcomes([large(two)])).toMatchObject([{ ok: true, answer: { ok: true, head: { seq: 2 } } }]);
  });

  it('W8 a medium that turned read-only is said to be, and recovers', () => {
    const head = made();
    db.exec('PRAGMA query_only = ON');
    expect(engine.commit([writeOperation(command(head))])).toMatchObject({
      kind: 'failed',
      unknown: false,
      fault: expect.stringContaining('read-only') as unknown,
    });
    db.exec('PRAGMA query_only = OFF');
    expect(outcomes([writeOperation(command(head))])).toMatchObject([{ ok: true, answer: { ok: true } }]);
  });

  it('a time that no number holds, once stored, locks up neither its session nor the others', async () => {
    const head = made();
    const reads = createReads(db);
    db.exec('UPDATE heads SET due = 9000000000000000000');
    expect(await reads.nextDue(0)).toBe(8.64e15);
    expect((await reads.loadBySid(head.sid))?.head.due).toBe(8.64e15);
    expect(outcomes([writeOperation(command(head))])).toMatchObject([{ ok: true, answer: { ok: true } }]);
  });

  it('W7 an operation that breaks a constraint fails alone; those before and after it are committed once', () => {
    const [one, two, three] = [made(), made(), made()];
    const twice = { kind: 'run' as const, first: 0, last: 0, base: 0, body: '{}' };
    const broken = writeOperation(
      command(two, {
        resources: [
          { ...twice, id: 'a' },
          { ...twice, id: 'b' },
        ],
      }),
    );
    const all = outcomes([writeOperation(command(one)), broken, writeOperation(command(three)), { kind: 'sql', statements: [{ sql: 'no sql', params: [] }] }]);
    expect(all.map((outcome) => outcome.ok)).toEqual([true, false, true, false]);
    expect(all[0]).toMatchObject({ answer: { ok: true, head: { seq: 2 } } });
    expect(count('events')).toBe(5);
    expect(count('resources')).toBe(0);
  });

  it('a write that rests a resource on an event that it does not have is refused whole', () => {
    const head = made();
    const [outcome] = outcomes([
      writeOperation(
        runWrite(head, { guard: { kind: 'run', fence: 0, wn: 0 }, resources: [{ kind: 'run', id: 'a', first: 0, last: 3, base: 3, body: '{}' }] }),
      ),
    ]);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('event 3') as unknown });
    expect(count('events')).toBe(1);
  });
});
