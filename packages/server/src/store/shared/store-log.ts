/**
 * What the log says of a store that fails: one line when it begins and one when it is over, and no trace of our own
 * code, which is not what is wrong. In between, everything that touches the store fails, many times a second.
 *
 * SL1 It is over when a durable write was made and none has failed for a while: a large write may fail between small ones.
 * SL2 No password: of an error's causes only the messages are told, never the settings that a driver hangs on to them.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Clock } from '../../ports/clock.ts';
import type { SessionStore } from '../../ports/session-store.ts';

const quietMs = 2_000;

type Log = (details: object, message: string) => void;
export type StoreLog = {
  /** For every error that nobody expected: true when it was the store's, and is dealt with. */
  readonly failed: (error: unknown) => boolean;
  /** The store, overheard. */
  readonly over: (sessions: SessionStore) => SessionStore;
};

/** In words, with what lies behind it: `The database cannot be used now: connect ECONNREFUSED 127.0.0.1:5432`. */
export const inWords = (error: unknown): string => {
  const words: string[] = [];
  for (let at = error; at instanceof Error && words.length < 5; at = at.cause) {
    // A name with several addresses: one error for each.
    const message = at instanceof AggregateError && at.errors.length > 0 ? at.errors.map(inWords).join(', ') : at.message;
    const line = message.replaceAll(/\s+/g, ' ').trim();
    if (line !== '' && !words.some((known) => known.includes(line))) words.push(line);
  }
  return words.length > 0 ? words.join(': ') : String(error);
};

/** `struck` hears of each call that the store could not serve. */
export const createStoreLog = (logger: { readonly warn: Log; readonly info: Log }, clock: Clock, struck?: (operation: string) => void): StoreLog => {
  let down: { readonly since: number; last: number } | undefined;

  const failed = (error: unknown): boolean => {
    if (!(error instanceof TurnkeeperError)) return false;
    // The store was closed, by a stop: what was still under way is told so.
    if (error.code === 'shutting_down') return true;
    if (error.code !== 'storage_unavailable') return false;
    const now = clock.now();
    if (down) down.last = now;
    else {
      down = { since: now, last: now };
      logger.warn({ code: error.code, cause: inWords(error) }, 'storage_unavailable: the store cannot be used; this is said once, until it is over');
    }
    return true;
  };
  const worked = (): void => {
    const now = clock.now();
    if (!down || now - down.last < quietMs) return;
    logger.info({ after_ms: now - down.since }, 'storage_unavailable is over: the store takes writes again');
    down = undefined;
  };
  /** Every answer tells whether the store can be used; only some tell that it was written to. */
  const heard = <Args extends unknown[], Result>(operation: string, ask: (...args: Args) => Promise<Result>, wrote: (result: Result) => boolean) => {
    return (...args: Args): Promise<Result> => {
      const answer = ask(...args);
      answer.then(
        (result) => wrote(result) && worked(),
        (error: unknown) => failed(error) && struck?.(operation),
      );
      return answer;
    };
  };
  /** Reads tell only that they could not be served. */
  const heardReads = (sessions: SessionStore): SessionStore =>
    Object.fromEntries(
      Object.entries(sessions).map(([name, ask]) => [name, name === 'close' ? ask : heard(name, ask as (...args: unknown[]) => Promise<unknown>, () => false)]),
    ) as unknown as SessionStore;
  const taken = ({ ok }: { readonly ok: boolean }): boolean => ok;

  return {
    failed,
    over: (sessions) => ({
      ...heardReads(sessions),
      create: heard('create', sessions.create, taken),
      write: heard('write', sessions.write, taken),
      heartbeat: heard('heartbeat', sessions.heartbeat, (held) => held),
      ping: heard('ping', sessions.ping, () => true),
      claim: heard('claim', sessions.claim, () => false),
    }),
  };
};
