/**
 * What every connection is set to, whatever the server's or the database's defaults are.
 */
import pg from 'pg';
import { encodeBatch } from './encode-batch.ts';
import { writeStatement } from './verdicts.ts';

const int8Oid = 20;

/** bigint columns hold times, seqs and counters: all safe integers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * How long a statement may take on the server (it certainly did not commit then), and how long for its answer: what a network
 * swallows is not waited for any longer.
 */
const statementTimeoutMs = 10_000;
const answerTimeoutMs = 15_000;
const lockTimeoutMs = 5_000;

/** `answerMs` 0: without an end. */
export const clientConfig = (url: string, name: string, answerMs = answerTimeoutMs): pg.ClientConfig => ({
  connectionString: url,
  application_name: `turnkeeper ${name}`,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: answerMs,
  types,
});

/**
 * W1: an answered write is on disk, so `off` is not accepted from the server's settings; stricter ones are kept.
 * Plans are made once: all statements find their rows by key, and tables that are empty when a plan is made must not
 * be scanned whole when they have grown.
 */
const settings = `
  select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end, false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('statement_timeout', '${statementTimeoutMs}', false),
    set_config('lock_timeout', '${lockTimeoutMs}', false),
    set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_seqscan', 'off', false),
    set_config('jit', 'off', false)`;

export const prepareClient = (client: pg.Client): Promise<unknown> => client.query(settings);

/** The write function is compiled and prepared before the first write needs it. */
export const prepareWriter = async (client: pg.Client): Promise<void> => {
  await prepareClient(client);
  await client.query({ ...writeStatement, values: encodeBatch([], false) });
};

/** For notifications alone: nothing that it commits has to survive. */
export const prepareNotifier = (client: pg.Client): Promise<unknown> => client.query(`select set_config('synchronous_commit', 'off', false)`);
