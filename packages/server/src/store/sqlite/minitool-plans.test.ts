/** What is asked of mini-tools' tables again and again walks no table: each look is an index's. */
import { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterAll, expect, it } from 'vitest';
import type { CatalogDatabase, SqlStatement } from '../catalog/catalog-database.ts';
import { createMinitoolStore } from '../catalog/minitools.ts';
import { createRetentionStore } from '../catalog/retention.ts';
import { migrate } from './migrate.ts';

const db = new DatabaseSync(':memory:');
migrate(db);
afterAll(() => db.close());

const walksNone = (plan: string): string => {
  // But for what an inner select has given.
  expect(plan).not.toMatch(/^SCAN (?!ahead|counted|CONSTANT)/m);
  return plan;
};

/** How each statement is carried out, one line each step. */
const plansOf = async (ask: (database: CatalogDatabase) => Promise<unknown>): Promise<readonly string[]> => {
  const plans: string[] = [];
  const explain = ({ sql, params }: SqlStatement): void => {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params);
    plans.push(steps.map(({ detail }) => String(detail)).join('\n'));
  };
  const read = async (statement: SqlStatement) => {
    explain(statement);
    return [];
  };
  const write = async (statements: readonly SqlStatement[]) => {
    statements.forEach(explain);
    return [];
  };
  await ask({ dialect: 'sqlite', read, write });
  return plans.filter((plan) => /minitool|budget_links|sessions/.test(plan)).map(walksNone);
};
const sessionId = 'ses_1' as SessionId;
const row = { id: 'in_1', minitoolId: 'bot', hook: 'chat', key: 'k', orderKey: 'o', headers: {}, body: '', receivedAt: 9, attempts: 0, notBefore: 0 };

it('a message that comes in counts by the index of what waits, and deletes nothing', async () => {
  const plans = await plansOf((database) => createMinitoolStore(database).receive(row, { messages: 10, bytes: 100 }));
  expect(plans[2]).toContain('USING COVERING INDEX minitool_ingress_waiting');
  expect(plans).toHaveLength(4);
});

it('what waits for a hook is found in its order, and its lanes, by the indexes of what waits', async () => {
  const [plan] = await plansOf((database) => createMinitoolStore(database).waiting('bot', 'chat', 1, 10));
  expect(plan).toContain('i USING INDEX minitool_ingress_waiting');
  expect(plan).toContain('o USING COVERING INDEX minitool_ingress_lanes');
  expect(plan).not.toContain('TEMP B-TREE');
});

it('keys, cursors, links and marks that go are found by an index', async () => {
  const [keys] = await plansOf((database) => createRetentionStore(database).forgetHookKeys(1, 10));
  expect(keys).toContain('INDEX minitool_ingress_done');
  const purged = (await plansOf((database) => createRetentionStore(database).purge(1, 10))).join('\n');
  expect(purged).toContain('INDEX minitool_cursors_by_session');
  expect(purged).toContain('INDEX budget_links_by_root');
  const [mark] = await plansOf((database) => createMinitoolStore(database).unmark(sessionId));
  expect(mark).toMatch(/SEARCH minitool_marks USING .*\(sid=\?\)/);
});

it('sessions whose log went on are looked for within a window', async () => {
  const plans = await plansOf((database) => createMinitoolStore(database).behind('bot', { after: 0, most: 10 }));
  expect(plans.join('\n')).not.toContain('TEMP B-TREE');
  for (const plan of plans) expect(plan).toMatch(/INDEX sessions_by_owner \(owner=\? AND rowid>\?|sessions_by_owner|PRIMARY KEY \(rowid>\? AND rowid<\?\)/);
});
