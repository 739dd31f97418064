/**
 * The pool for reads and for administration.
 *
 * W9 A read is of one moment: one statement, or several in one REPEATABLE READ transaction.
 * W8 A pooled connection may have died while it was idle: a read is then made again, on a new connection. A change is made
 *    again only when it certainly was not committed.
 * PR1 Connections die together (a restart, a fail-over, a firewall that forgot them): after one was found dead, or at a
 *     server that takes no writes, none that was made before it is used again; idle write connections are told, too.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import pg from 'pg';
import type { Clock } from '../../ports/clock.ts';
import { sleep } from '../../ports/clock.ts';
import { storeClosed } from '../shared/store-closed.ts';
import { closedWithin } from './connection.ts';
import { clientConfig, prepareClient } from './connection-settings.ts';
import { changeError, type Failure, failureOf, readError, unavailable } from './errors.ts';

/** A statement with a name is prepared once a connection. `answerMs`: how long its answer is waited for, where it may not be as long as usual. */
export type Statement = { readonly name: string; readonly text: string; readonly answerMs?: number };
export type Ask = <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>;

export type Reader = {
  /** One read statement. */
  readonly ask: Ask;
  /** Several read statements of one moment. */
  moment<Result>(read: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** One statement that writes, durably by itself. Rejects with `outcome: 'unknown'` when it may have been committed. */
  readonly change: Ask;
  /** Several statements in one transaction; all of it may be made again. Rejects as `change` does. */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** This server was found to take no writes: the next use connects anew (PR1). */
  renew(): void;
  close(): Promise<void>;
};

const maxTries = 3;

const askOn =
  (client: pg.ClientBase): Ask =>
  async <Row extends pg.QueryResultRow>({ name, text, answerMs }: Statement, values: readonly unknown[]) => {
    // The driver knows a time limit for each statement; its types do not.
    const query: pg.QueryConfig & { query_timeout?: number } = { name, text, values: [...values] };
    if (answerMs !== undefined) query.query_timeout = answerMs;
    return (await client.query<Row>(query)).rows;
  };

/** `suspect` is called when connections that were made before now are not to be relied on. */
export const createReader = (url: string, poolSize: number, clock: Clock, suspect: () => void = () => {}): Reader => {
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

  /** Moves when connections made before must not be used again. */
  let generation = 0;
  const madeIn = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => madeIn.set(client as pg.PoolClient, generation));
  const renew = (): void => {
    generation += 1;
    suspect();
  };
  const isOld = (client: pg.PoolClient): boolean => madeIn.get(client) !== generation;

  const connected = async (): Promise<pg.PoolClient> => {
    for (;;) {
      if (pool.ending) throw storeClosed();
      try {
        const client = await pool.connect();
        if (!isOld(client)) return client;
        client.release(true);
      } catch (error) {
        // Nothing was sent; whatever the server said (another password, no such database) is not about what was asked.
        throw pool.ending ? storeClosed() : unavailable(error);
      }
    }
  };

  const once = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await connected();
    let broken = false;
    // While it is taken out, the pool does not listen for it.
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      const failure = error instanceof TurnkeeperError ? undefined : failureOf(error);
      if ((failure === 'lost' || failure === 'elsewhere') && !isOld(client)) renew();
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken || isOld(client));
    }
  };

  /** Makes it again where that changes nothing: after a failure of one of these kinds. */
  const tried = async <Result>(work: (client: pg.PoolClient) => Promise<Result>, again: readonly Failure[]): Promise<Result> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(work);
      } catch (error) {
        if (error instanceof TurnkeeperError || tries >= maxTries || !again.includes(failureOf(error))) throw error;
        if (tries > 1) await sleep(clock, 50);
      }
    }
  };

  const repeated = <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> =>
    tried(work, ['lost', 'again', 'elsewhere']).catch((error: unknown) => {
      throw error instanceof TurnkeeperError ? error : readError(error);
    });

  const inTransaction = async <Result>(client: pg.PoolClient, begin: string, work: (ask: Ask) => Promise<Result>): Promise<Result> => {
    await client.query(begin);
    try {
      const result = await work(askOn(client));
      await client.query('commit');
      return result;
    } catch (error) {
      // On a connection that is lost it would only wait behind what is not answered.
      if (failureOf(error) !== 'lost') await client.query('rollback').catch(() => {});
      throw error;
    }
  };

  const changing = <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> =>
    tried(work, ['again', 'elsewhere']).catch((error: unknown) => {
      throw error instanceof TurnkeeperError ? error : changeError(error);
    });

  return {
    ask: (statement, values) => repeated((client) => askOn(client)(statement, values)),
    moment: (read) => repeated((client) => inTransaction(client, 'begin isolation level repeatable read read only', read)),
    change: (statement, values) => changing((client) => askOn(client)(statement, values)),
    transaction: (work) => changing((client) => inTransaction(client, 'begin', work)),
    renew,
    close: () => closedWithin(pool.end(), clock),
  };
};
