import type pg from 'pg';
import { expect } from 'vitest';

/** Until somebody waits for a lock, in the database of this connection; it may be within a transaction. */
export const untilSomebodyWaits = async (client: pg.Client): Promise<void> =>
  expect
    .poll(async () => {
      // Within a transaction, who is connected is read once.
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return rows.length;
    })
    .toBeGreaterThan(0);
