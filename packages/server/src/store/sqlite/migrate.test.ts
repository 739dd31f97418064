import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Migration, migrate, migrations } from './migrate.ts';

const second: Migration = { name: '0002-more', statements: ['CREATE TABLE more (a TEXT) STRICT', 'INSERT INTO more VALUES (1)'] };

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
    expect(migrate(db, [...migrations, second])).toEqual(['0001-initial', '0002-more']);
    expect(migrate(db, [...migrations, second])).toEqual([]);
    expect(db.prepare('SELECT count(*) AS n FROM more').get()).toMatchObject({ n: 1 });
  });

  it('N1 a migration that fails leaves nothing of itself and all before it', () => {
    const broken: Migration = { name: '0002-broken', statements: ['CREATE TABLE half (a TEXT) STRICT', 'CREATE TABLE heads (a TEXT)'] };
    expect(() => migrate(db, [...migrations, broken])).toThrow(/heads/);
    expect(tables()).toContain('heads');
    expect(tables()).not.toContain('half');
    expect(migrate(db, [...migrations, second])).toEqual(['0002-more']);
  });

  it('N2 a database of a newer version is refused and left as it is', () => {
    migrate(db, [...migrations, second]);
    const before = tables();
    expect(() => migrate(db)).toThrow(
      expect.objectContaining({ code: 'storage_unavailable', message: expect.stringContaining('newer version') as unknown, details: { newer: ['0002-more'] } }),
    );
    expect(tables()).toEqual(before);
  });

  it('migrations are numbered in order', () => {
    expect(migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name).toSorted());
    for (const [index, { name }] of migrations.entries()) expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-`));
  });
});
