import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from './engine.ts';
import { type Migration, migrate, migrations } from './migrate.ts';
import { createReads } from './reader.ts';

const second: Migration = { name: '9999-more', statements: ['CREATE TABLE more (a TEXT) STRICT', 'INSERT INTO more VALUES (1)'] };

describe('migrate', () => {
  let db: DatabaseSync;
  beforeEach(() => {
    db = new DatabaseSync(':memory:');
  });
  afterEach(() => db.close());
  const tables = (): unknown[] =>
    db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map((row) => row['name']);

  it('N1 applies each migration once, in order', () => {
    expect(migrate(db, [...migrations, second])).toEqual([...migrations.map(({ name }) => name), '9999-more']);
    expect(migrate(db, [...migrations, second])).toEqual([]);
    expect(db.prepare('SELECT count(*) AS n FROM more').get()).toMatchObject({ n: 1 });
  });

  it('N1 a migration that fails leaves nothing of itself and all before it', () => {
    const broken: Migration = { name: '9999-broken', statements: ['CREATE TABLE half (a TEXT) STRICT', 'CREATE TABLE heads (a TEXT)'] };
    expect(() => migrate(db, [...migrations, broken])).toThrow(/heads/);
    expect(tables()).toContain('heads');
    expect(tables()).not.toContain('half');
    expect(migrate(db, [...migrations, second])).toEqual(['9999-more']);
  });

  it('N2 a database of a newer version is refused and left as it is', () => {
    migrate(db, [...migrations, second]);
    const before = tables();
    expect(() => migrate(db)).toThrow(
      expect.objectContaining({ code: 'storage_unavailable', message: expect.stringContaining('newer version') as unknown, details: { newer: ['9999-more'] } }),
    );
    expect(tables()).toEqual(before);
  });

  it('N1 a database of the first release is brought up to date with what is in it', async () => {
    migrate(db, migrations.slice(0, 1));
    const session = (sid: number, deletedAt: number | null): string =>
      `INSERT INTO sessions VALUES (${sid}, 'ses_${sid}', 'user:ann', 'ses_${sid}', '', 'space:default', 'c', 'T', '{}', 'idle', NULL, ${deletedAt}, 1, 1)`;
    const action = (sid: number, n: number, body: object): string =>
      `INSERT INTO resources VALUES (${sid}, 'required_action', ${n}, 'act_${n}', ${n}, ${n}, 1, '${JSON.stringify(body)}')`;
    for (const sql of [
      session(1, null),
      session(2, 5),
      ...[1, 2].map((sid) => `INSERT INTO heads VALUES (${sid}, 9, 9, 0, 0, NULL, 0, NULL, 'user:ann', ${sid - 1})`),
      action(1, 3, { status: 'open', kind: 'question', approver: 'owner' }),
      action(1, 4, { status: 'answered', approver: 'owner', tool_call: { input: { status: 'open' } } }),
      action(1, 5, { status: 'open', kind: 'question', approver: ['bob'] }),
      action(2, 3, { status: 'open', kind: 'question', approver: 'owner' }),
      `INSERT INTO quotas VALUES ('user:ann', 3)`,
    ])
      db.exec(sql);
    migrate(db);
    const reads = createReads(db);
    const opened = { openedAt: 1, sid: 1 };
    expect(await reads.openActions({ among: [{ kinds: ['question'] }], limit: 9 })).toMatchObject([{ ...opened, n: 3 }]);
    expect(await reads.openActions({ among: [{ owner: 'user:ann', kinds: ['question'] }], limit: 9 })).toMatchObject([{ ...opened, n: 3 }]);
    expect(await reads.openActions({ among: [{ approver: 'bob' }], limit: 9 })).toMatchObject([{ ...opened, n: 5 }]);
    expect(await reads.quota('user:ann')).toEqual({ unfinished: 3, running: 0, tokens: 0 });
    const quota = { owner: 'user:ann', unfinished: -1, running: 1, tokens: 2 };
    const guard = { kind: 'command', stateSeq: 9 } as const;
    expect(createEngine(db).commit([{ kind: 'write', write: { sid: 1, guard, events: [], quota } }])).toMatchObject({ outcomes: [{ answer: { ok: true } }] });
    expect(await reads.quota('user:ann')).toEqual({ unfinished: 2, running: 1, tokens: 2 });
  });

  it('migrations are numbered in order', () => {
    expect(migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name).toSorted());
    for (const [index, { name }] of migrations.entries()) expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-`));
  });
});
