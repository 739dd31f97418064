/**
 * The pool for reads and for administration.
 *
 * W9 A read is of one moment: one statement, or several in one REPEATABLE READ transaction.
 * W8 A pooled connection may have died while it was idle: a read is then made again, once on a new connection.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import pg from 'pg';
import type { Clock } from '../../ports/clock.ts';
import { sleep } from '../../ports/clock.ts';
import { storeClosed } from '../shared/store-closed.ts';
import { clientConfig, prepareClient } from './connection-settings.ts';
import { failureOf, readError } from './errors.ts';

/** A statement with a name is prepared once a connection. */
export type Statement = { readonly name: string; readonly text: string };
export type Ask = <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>;

export type Reader = {
  /** One read statement. */
  readonly ask: Ask;
  /** Several read statements of one moment. */
  moment<Result>(read: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** One statement that writes: never made again, since it may have been committed. Commits durably by itself. */
  readonly change: Ask;
  /** Several statements in one transaction. */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

const maxTries = 3;

const askOn =
  (client: pg.ClientBase): Ask =>
  async <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) =>
    (await client.query<Row>({ ...statement, values: [...values] })).rows;

export const createReader = (url: string, poolSize: number, clock: Clock): Reader => {
  const pool = new pg.Pool({
    ...clientConfig(url, 'read'),
    max: poolSize,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    onConnect: async (client) => {
      await prepareClient(client as pg.Client);
    },
  });
  // An idle connection that is lost is replaced at the next use.
  pool.on('error', () => {});

  const once = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    if (pool.ending) throw storeClosed();
    const client = await pool.connect();
    let broken = false;
    // While it is taken out, the pool does not listen for it.
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      broken ||= failureOf(error) === 'lost';
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  };

  const repeated = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(work);
      } catch (error) {
        if (error instanceof TurnkeeperError) throw error;
        const failure = failureOf(error);
        if (tries >= maxTries || (failure !== 'lost' && failure !== 'again')) throw readError(error);
        if (tries > 1) await sleep(clock, 50);
      }
    }
  };

  const inTransaction = async <Result>(client: pg.PoolClient, begin: string, work: (ask: Ask) => Promise<Result>): Promise<Result> => {
    await client.query(begin);
    try {
      const result = await work(askOn(client));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  };

  const changing = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    try {
      return await once(work);
    } catch (error) {
      throw error instanceof TurnkeeperError ? error : readError(error);
    }
  };

  return {
    ask: (statement, values) => repeated((client) => askOn(client)(statement, values)),
    moment: (read) => repeated((client) => inTransaction(client, 'begin isolation level repeatable read read only', read)),
    change: (statement, values) => changing((client) => askOn(client)(statement, values)),
    transaction: (work) => changing((client) => inTransaction(client, 'begin', work)),
    close: () => pool.end(),
  };
};
