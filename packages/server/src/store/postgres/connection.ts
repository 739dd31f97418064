/**
 * One connection that is opened when it is needed, and again after it was lost.
 *
 * Owns: its life: closed → opening → open → lost → opening … Lost connections are opened again at the next use, with
 * back-off after failed attempts: who asks meanwhile waits for the next attempt (at most a second), then gets the error.
 */

import pg from 'pg';
import type { Clock } from '../../ports/clock.ts';
import { sleep } from '../../ports/clock.ts';
import { storeClosed } from '../shared/store-closed.ts';
import { unavailable } from './errors.ts';

export type Connection = {
  /** The open client; rejects with `storage_unavailable` when it cannot be opened now (nothing was sent then), `shutting_down` after `close`. */
  client(): Promise<pg.Client>;
  /** Throws the client away: its answers cannot be trusted any more. */
  drop(client: pg.Client): void;
  /** The next use opens a new one. Nothing may be under way. */
  renew(): void;
  close(): Promise<void>;
};

type State =
  | { readonly kind: 'apart'; readonly failures: number; readonly notBefore: number }
  | { readonly kind: 'opening'; readonly opened: Promise<pg.Client> }
  | { readonly kind: 'open'; readonly client: pg.Client }
  | { readonly kind: 'closed' };

const maxBackOffMs = 1000;
const backOffMs = (failures: number): number => (failures === 0 ? 0 : Math.min(maxBackOffMs, 25 * 2 ** failures));

export type ConnectionOptions = {
  readonly config: pg.ClientConfig;
  readonly clock: Clock;
  /** What each new client is told before it is used. */
  readonly prepare: (client: pg.Client) => Promise<unknown>;
  /** An open client was lost (not by `close`). */
  readonly onLost?: () => void;
};

const closePatienceMs = 2_000;

/** Waits for connections to be closed in good order, but not for a server that is gone: the process does not hang on it. */
export const closedWithin = async (closed: Promise<unknown>, clock: Clock): Promise<void> => {
  const over = new AbortController();
  await Promise.race([closed, sleep(clock, closePatienceMs, over.signal).catch(() => {})]);
  over.abort();
};

/** Ends a client without waiting for the server: it may be gone. */
const discard = (client: pg.Client): void => {
  client.end().catch(() => {});
};

export const createConnection = ({ config, clock, prepare, onLost }: ConnectionOptions): Connection => {
  let state: State = { kind: 'apart', failures: 0, notBefore: 0 };

  const lost = (client: pg.Client): void => {
    if (state.kind !== 'open' || state.client !== client) return;
    state = { kind: 'apart', failures: 0, notBefore: 0 };
    onLost?.();
  };

  const open = async (failures: number, notBefore: number): Promise<pg.Client> => {
    const waitMs = notBefore - clock.elapsed();
    if (waitMs > 0) await sleep(clock, Math.min(waitMs, maxBackOffMs));
    const client = new pg.Client(config);
    client.on('error', () => lost(client));
    client.on('end', () => lost(client));
    try {
      await client.connect();
      await prepare(client);
    } catch (error) {
      discard(client);
      if (state.kind !== 'closed') state = { kind: 'apart', failures: failures + 1, notBefore: clock.elapsed() + backOffMs(failures + 1) };
      throw unavailable(error);
    }
    if (state.kind === 'closed') {
      discard(client);
      throw storeClosed();
    }
    state = { kind: 'open', client };
    return client;
  };

  const drop = (client: pg.Client): void => {
    lost(client);
    discard(client);
  };

  return {
    client: async () => {
      switch (state.kind) {
        case 'open':
          return state.client;
        case 'opening':
          return state.opened;
        case 'closed':
          throw storeClosed();
        case 'apart': {
          const opened = open(state.failures, state.notBefore);
          state = { kind: 'opening', opened };
          return opened;
        }
      }
    },
    drop,
    renew: () => {
      if (state.kind === 'open') drop(state.client);
    },
    close: async () => {
      const before = state;
      state = { kind: 'closed' };
      if (before.kind === 'open') await closedWithin(before.client.end(), clock);
      if (before.kind === 'opening') await before.opened.catch(() => {});
    },
  };
};
