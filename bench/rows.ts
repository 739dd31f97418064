/** How many durable event rows a second does a store take? Writes of 50 and 500 deltas over 100 sessions. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '@turnkeeper/server/ports/clock';
import type { Head, SessionStore } from '@turnkeeper/server/ports/session-store';
import { openPostgresStore } from '@turnkeeper/server/store/postgres/open-postgres-store';
import { openSqliteStore } from '@turnkeeper/server/store/sqlite/open-sqlite-store';
import { newFolder } from './lib/child.ts';
import { openDatabase } from './lib/database.ts';
import { report } from './lib/report.ts';
import { median, round } from './lib/stats.ts';

const { values } = parseArgs({ options: { database: { type: 'string' }, seconds: { type: 'string', default: '4' } } });
const seconds = Number(values.seconds);
const folder = newFolder();
const database = values.database === undefined ? undefined : await openDatabase(values.database);
const store = database ? await openPostgresStore({ url: database.url, clock: systemClock }) : await openSqliteStore({ folder, clock: systemClock });

const createSession = async (sessions: SessionStore, n: number): Promise<Head> => {
  const at = Date.now();
  const id = `ses_${at.toString(36)}${n}` as const;
  const result = await sessions.create({
    row: {
      id,
      owner: 'user:bench',
      root: id,
      path: '',
      placement: 'space:default',
      configRef: 'bench',
      title: '',
      metadata: '{}',
      status: 'idle',
      archivedAt: null,
      deletedAt: null,
      createdAt: at,
      updatedAt: at,
    },
    config: { ref: 'bench', body: '{}' },
    write: { events: [{ turn: 0, type: 'session.status_created', at, data: '{}' }], state: { body: '{}', due: null }, hold: { kind: 'claim', node: 'bench' } },
  });
  if (!result.ok) throw new Error(result.reason);
  return result.head;
};

/** 100 sessions write batches of `size` deltas, one write of each under way at a time. */
const load = async (heads: readonly Head[], size: number): Promise<number> => {
  const data = JSON.stringify({
    turn_id: 'turn_01a22a67f3267538bc59bfb881474024',
    item_id: 'item_01a22a67f3267538bc59bfb881474024_2',
    position: 120,
    content: [{ type: 'text', text: 'token12 ' }],
  });
  const from = performance.now();
  const until = from + seconds * 1_000;
  let rows = 0;
  await Promise.all(
    heads.map(async (start) => {
      let head = start;
      while (performance.now() < until) {
        const at = Date.now();
        const events = Array.from({ length: size }, () => ({ turn: 1, type: 'item.delta', at, data }));
        const result = await store.sessions.write({ sid: head.sid, guard: { kind: 'run', fence: head.fence, wn: head.wn }, events });
        if (!result.ok) throw new Error(result.reason);
        head = result.head;
        rows += size;
      }
    }),
  );
  return (rows * 1_000) / (performance.now() - from);
};

const table = [];
for (const size of [1, 50, 500]) {
  const rates: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const heads = await Promise.all(Array.from({ length: 100 }, (_, n) => createSession(store.sessions, size * 10_000 + run * 1_000 + n)));
    rates.push(await load(heads, size));
  }
  table.push({ store: values.database === undefined ? 'SQLite' : 'PostgreSQL', 'rows a write': size, 'rows/s': round(median(rates), 0) });
}
await store.close();
await database?.stop();
rmSync(folder, { recursive: true, force: true });
report('Durable event rows', table);
process.exit(0);
