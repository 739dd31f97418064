/**
 * A write connection and its queue: group commit (W7).
 *
 * Owns: what goes into which batch, and what becomes of each write in it. While one batch commits, the next gathers;
 * there are no timers. A session's writes always use the same lane and stay in order: at most one of them is in a
 * batch, the next waits for it.
 *
 * J1 Every write is settled exactly once: by its verdict, or by an error that says whether it may have committed (W8).
 * J2 What one write is refused for never touches another: when the server refuses a whole batch for something in it
 *    (a row that cannot be stored), its writes are tried one by one.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Client } from 'pg';
import type { Clock } from '../../ports/clock.ts';
import type { WriteResult } from '../../ports/session-store.ts';
import type { Connection } from './connection.ts';
import { encodeBatch, type Job } from './encode-batch.ts';
import { failureOf, unavailable } from './errors.ts';
import { readVerdicts, type Verdict, writeStatement } from './verdicts.ts';

export type WriteLane = {
  write(job: Job): Promise<WriteResult>;
  /** Its connection may be dead: an idle one is not used again. */
  suspect(): void;
  /** Resolves when all that was handed in is settled. */
  drained(): Promise<void>;
};

type Entry = {
  readonly job: Job;
  readonly bytes: number;
  /** How often its head was found locked by another node. */
  skips: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
};

/** Larger batches save no more fsyncs, and a statement's memory is its size several times over. */
const maxWrites = 500;
const maxBytes = 4 * 1024 * 1024;
const maxAttempts = 5;
/** After this many skips a write waits for its head's lock, alone. */
const maxSkips = 3;

const sizeOf = (job: Job): number => {
  const body = job.kind === 'write' ? job.write : job.session.write;
  let bytes = body.state?.body.length ?? 0;
  for (const event of body.events) bytes += event.data.length + 64;
  for (const resource of body.resources ?? []) bytes += resource.body.length;
  for (const row of body.context ?? []) bytes += row.body.length;
  for (const payload of body.payloads ?? []) bytes += payload.body.length;
  return bytes;
};

const receiptKeys = (job: Job): string[] =>
  ((job.kind === 'write' ? job.write.receipts : job.session.write.receipts) ?? []).map(({ scope, key }) => JSON.stringify([scope, key]));

/**
 * Takes the next batch off the queue: one write a session, one a receipt key, in order. What stays back holds back the
 * later writes of its session too.
 */
const takeBatch = (queue: Entry[]): Entry[] => {
  const first = queue[0];
  if (first && first.skips >= maxSkips) return queue.splice(0, 1);
  const batch: Entry[] = [];
  const kept: Entry[] = [];
  const sids = new Set<number>();
  const keys = new Set<string>();
  let bytes = 0;
  for (const entry of queue) {
    const sid = entry.job.kind === 'write' ? entry.job.write.sid : undefined;
    const wanted = receiptKeys(entry.job);
    const full = batch.length >= maxWrites || (batch.length > 0 && bytes + entry.bytes > maxBytes);
    const clashes = (sid !== undefined && sids.has(sid)) || wanted.some((key) => keys.has(key)) || entry.skips >= maxSkips;
    if (sid !== undefined) sids.add(sid);
    for (const key of wanted) keys.add(key);
    if (full || clashes) {
      kept.push(entry);
      continue;
    }
    batch.push(entry);
    bytes += entry.bytes;
  }
  queue.length = 0;
  queue.push(...kept);
  return batch;
};

type Answer =
  | { readonly kind: 'verdicts'; readonly verdicts: readonly Verdict[] }
  | { readonly kind: 'failed'; readonly error: unknown; readonly alone: boolean };

const failed = (error: unknown, batch: readonly Entry[] = []): Answer => ({ kind: 'failed', error, alone: batch.length > 1 });

const refused = (cause: unknown): TurnkeeperError => new TurnkeeperError('internal_error', 'The database cannot store this write', {}, { cause });

/** Sends a batch, again while the server says that it lost against another one (which certainly did not commit). */
const send = async (connection: Connection, batch: readonly Entry[]): Promise<Answer> => {
  const values = encoded(batch);
  if (values instanceof TurnkeeperError) return failed(values, batch);
  for (let attempt = 1; ; attempt += 1) {
    let client: Client;
    try {
      client = await connection.client();
    } catch (error) {
      return failed(error);
    }
    try {
      const result = await client.query<unknown[]>({ ...writeStatement, values, rowMode: 'array' });
      return { kind: 'verdicts', verdicts: readVerdicts(result.rows, batch.length) };
    } catch (error) {
      switch (failureOf(error)) {
        case 'again':
          if (attempt < maxAttempts) continue;
          return failed(unavailable(error));
        case 'unavailable':
          return failed(unavailable(error));
        case 'elsewhere':
          connection.drop(client);
          if (attempt === 1) continue;
          return failed(unavailable(error));
        case 'lost':
          connection.drop(client);
          return failed(unavailable(error, 'unknown'));
        case 'refused':
          return failed(refused(error), batch);
      }
    }
  }
};

const encoded = (batch: readonly Entry[]): ReturnType<typeof encodeBatch> | TurnkeeperError => {
  const wait = batch.length === 1 && (batch[0]?.skips ?? 0) >= maxSkips;
  const jobs = batch.map((entry) => entry.job);
  try {
    return encodeBatch(jobs, wait);
  } catch (error) {
    return refused(error);
  }
};

/** Told of every batch: how many writes went together, and how long that took (ms). */
export type BatchWatch = { readonly clock: Pick<Clock, 'elapsed'>; readonly ended: (writes: number, ms: number) => void };

export const createWriteLane = (connection: Connection, watch?: BatchWatch): WriteLane => {
  const queue: Entry[] = [];
  let running: Promise<void> | undefined;

  const settle = async (batch: readonly Entry[]): Promise<void> => {
    const began = watch?.clock.elapsed() ?? 0;
    const answer = await send(connection, batch);
    watch?.ended(batch.length, watch.clock.elapsed() - began);
    if (answer.kind === 'failed') {
      if (answer.alone) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(answer.error);
      return;
    }
    const skipped: Entry[] = [];
    batch.forEach((entry, index) => {
      const verdict = answer.verdicts[index];
      if (verdict === undefined || verdict.kind === 'skipped') {
        entry.skips += 1;
        skipped.push(entry);
        return;
      }
      entry.resolve(verdict.result);
    });
    queue.unshift(...skipped);
  };

  const run = async (): Promise<void> => {
    // One turn of the microtask queue: writes handed in together go out together.
    await null;
    while (queue.length > 0) await settle(takeBatch(queue));
    running = undefined;
  };

  return {
    write: (job) =>
      new Promise((resolve, reject) => {
        queue.push({ job, bytes: sizeOf(job), skips: 0, resolve, reject });
        running ??= run();
      }),
    suspect: () => {
      if (!running) connection.renew();
    },
    drained: async () => {
      while (running) await running;
    },
  };
};
